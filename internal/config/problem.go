package config

import (
	"fmt"
	"sort"
	"strings"
)

// Problem is one thing that is wrong with a configuration file.
type Problem struct {
	File     string
	Line     int    // from 1
	Key      string // dotted path of the key; empty for the file as a whole
	Found    string // what stands there, quoted where it is the user's text
	Expected string
	Advice   string // what to do; may be empty
}

// Error is the problem on one line: `retrytax.yaml:7: found "1.5" in thresholds.confidence,
// expected a ratio from 0 to 1`.
func (p *Problem) Error() string {
	at := ""
	if p.Key != "" {
		at = " in " + p.Key
	}
	return fmt.Sprintf("%s:%d: found %s%s, expected %s", p.File, p.Line, p.Found, at, p.Expected)
}

// Hint says what to do about it.
func (p *Problem) Hint() string { return p.Advice }

// Problems are all problems of one file, by line. It is the error that Parse returns.
type Problems []*Problem

// Error is one problem a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.As reach a single problem, and a printer walk over all of them.
func (ps Problems) Unwrap() []error {
	errs := make([]error, len(ps))
	for i, p := range ps {
		errs[i] = p
	}
	return errs
}

// sorted orders by line; problems of one line stay in the order in which they were found.
func (ps Problems) sorted() Problems {
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].Line < ps[j].Line })
	return ps
}

// nearest is the candidate that looks most like a mistyped word: at most two edits away
// and fewer than half of the word, so that unrelated words draw no suggestion.
func nearest(word string, candidates []string) (string, bool) {
	best, bestAt := "", 3
	for _, c := range candidates {
		if d := editDistance(strings.ToLower(word), c); d < bestAt && 2*d < len(c) {
			best, bestAt = c, d
		}
	}
	return best, best != ""
}

// editDistance is Levenshtein's, over bytes: keys are ASCII. Long words cannot be near.
func editDistance(a, b string) int {
	if len(a) > 40 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
