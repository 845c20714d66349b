package ui

// Exit codes of every command.
const (
	OK             = 0 // done, and nothing to report
	Failed         = 1 // a file that cannot be read, a fault
	Usage          = 2 // a flag or an argument is wrong
	Found          = 3 // done, and something that was asked for was found
	ChecksFailed   = 4 // the numbers contradict each other: no report was published
	InUse          = 5 // another run holds the database
	NothingAudited = 6 // no attempts or no charges, or none in the period: never "clean"
)

// ExitHelp stands in the help of each command.
const ExitHelp = `Exit codes:
  0  done
  1  failed
  2  wrong usage
  3  done, and something that was asked for was found (--fail-over, a lint, a difference)
  4  the checks failed: no report was published
  5  the database is in use
  6  nothing was audited: no attempts or no charges, or none in the period`

// precedence is from the code that says most to the one that says least: what was asked
// for wrongly tells nothing of the data, and nothing that follows a fault can be trusted.
var precedence = []int{Usage, Failed, InUse, ChecksFailed, NothingAudited, Found, OK}

// Worst is the code to exit with when two things happened. An unknown code is a fault.
func Worst(a, b int) int {
	if rank(a) <= rank(b) {
		return known(a)
	}
	return known(b)
}

func rank(code int) int {
	for i, c := range precedence {
		if c == known(code) {
			return i
		}
	}
	return 0
}

func known(code int) int {
	if code < OK || code > NothingAudited {
		return Failed
	}
	return code
}
