package demo

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/synth"
)

// Result is a demo that was made.
type Result struct {
	Dir     string
	Options Options
	Written
	Now   time.Time // the clock of the audit
	Audit *report.Audit
	Card  synth.Scorecard
}

// Written counts what a month left behind.
type Written struct {
	Logs, Bills     []string // names of files, in byte order
	Attempts        int64    // log lines about attempts
	Charges         int64    // lines billed, each once
	Vendors         int
	OtherLines      int64 // log lines about something else
	RepeatedCharges int64 // lines that stand in another export again
}

// verdicts is the order in which the verdicts are shown: that of the README.
var verdicts = []string{synth.Adjustment, synth.DuplicateLine, synth.Orphan, synth.NotBillable, synth.Delivered, synth.Hedged,
	synth.Undelivered, synth.DoubleRetry, synth.SDKRetry, synth.PartialTokens, synth.TimeoutRetry, synth.ServerErrorRetry}

// mistake is lines that were judged wrongly in one way.
type mistake struct {
	synth.Mistake
	synth.Sum
}

// mistakes is what was judged wrongly, the dearest first.
func (r *Result) mistakes() []mistake {
	var list []mistake
	for m, sum := range r.Card.Mistakes {
		list = append(list, mistake{m, sum})
	}
	slices.SortFunc(list, func(a, b mistake) int {
		return cmp.Or(b.Amount.Cmp(a.Amount), cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.True, b.True), cmp.Compare(a.Called, b.Called))
	})
	return list
}

// Command is the audit of the demo as one would type it.
func (r *Result) Command() string {
	words := []string{"RETRYTAX_NOW=" + r.Now.UTC().Format(time.RFC3339), "retrytax", "audit",
		r.glob("logs"), r.glob("bills"), "--config", quote(r.dir() + "/" + ConfigName), "--out", quote(r.dir() + "/" + reportName)}
	if r.Options.NoWorkbook {
		words = append(words, "--no-workbook")
	}
	return strings.Join(words, " ")
}

// dir is the folder with slashes, and not like a flag.
func (r *Result) dir() string {
	dir := filepath.ToSlash(filepath.Clean(r.Dir))
	if strings.HasPrefix(dir, "-") {
		dir = "./" + dir
	}
	return dir
}

// glob is all files of a folder of the demo. The shell expands it, or retrytax does where
// it has to be quoted.
func (r *Result) glob(folder string) string {
	dir := r.dir()
	if plainWord(dir) {
		return dir + "/" + folder + "/*"
	}
	for _, special := range []string{`\`, "*", "?", "["} {
		dir = strings.ReplaceAll(dir, special, `\`+special)
	}
	return quote(dir + "/" + folder + "/*")
}

// quote makes one word for a POSIX shell of any text.
func quote(text string) string {
	if plainWord(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// plainWord tells whether a shell reads text as it is.
func plainWord(text string) bool {
	for _, c := range text {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-", c) {
			return false
		}
	}
	return text != ""
}
