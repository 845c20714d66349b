package demo

import (
	"fmt"
	"strings"

	"retrytax/internal/synth"
	"retrytax/internal/ui"
)

// because says how lines came to be judged so: what the files do not tell, or what was taken
// for what.
func because(m synth.Mistake) string {
	for _, r := range reasons {
		if r.holds(m) {
			return r.why
		}
	}
	return "judged otherwise than it was, without a reason that the files would give"
}

type reason struct {
	truth, called []string // verdicts; empty is any
	why           string
}

func (r reason) holds(m synth.Mistake) bool {
	return among(m.True, r.truth) && among(m.Called, r.called)
}

func among(word string, words []string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return len(words) == 0
}

// siblings are the verdicts of executions of one call that were paid for nothing.
var siblings = []string{synth.DoubleRetry, synth.SDKRetry, synth.TimeoutRetry, synth.PartialTokens, synth.Hedged}

// reasons are looked through in order.
var reasons = []reason{
	{nil, []string{synth.Unsettled},
		"calls ran side by side under one id and were tried again at once: which retry is whose is left open rather than guessed"},
	{nil, []string{synth.Orphan},
		"its attempt is not in the log (lost, or a client that logs neither refusals nor errors), or is not told from others: a lead at most"},
	{[]string{synth.Orphan}, []string{synth.Undelivered},
		"another program's call, under the id of a call that was never answered: no log line tells the length of that one's prompt"},
	{[]string{synth.NotBillable}, nil,
		"a refusal that was billed, a second before an attempt that ran, taken for that attempt's"},
	{[]string{synth.TimeoutRetry}, []string{synth.PartialTokens},
		"the bill has no finish reason: a whole answer that is much shorter than the delivered one looks as if it had been cut off"},
	{[]string{synth.DoubleRetry}, []string{synth.ServerErrorRetry},
		"a try that ran inside an attempt that was refused or failed in the end; excess under either name"},
	{[]string{synth.TimeoutRetry}, []string{synth.ServerErrorRetry},
		"an attempt that has no end in the log, taken for one that failed; excess under either name"},
	{siblings, siblings,
		"several executions of one call, seconds apart, taken for one another; excess under either name"},
	{[]string{synth.Orphan}, siblings, "another program's call, taken for a retry of the call whose id it carries: money that is not excess"},
	{nil, siblings, "taken for another execution of the same call"},
}

// note is mistakes that have one reason.
type note struct {
	synth.Sum
	why   string
	kinds []string
}

// notes groups the mistakes by their reasons, the dearest first.
func (r *Result) notes() []*note {
	var list []*note
	byWhy := map[string]*note{}
	for _, m := range r.mistakes() {
		why := because(m.Mistake)
		n := byWhy[why]
		if n == nil {
			n = &note{why: why}
			byWhy[why] = n
			list = append(list, n)
		}
		n.Lines, n.Amount = n.Lines+m.Lines, n.Amount.Add(m.Amount)
		n.kinds = append(n.kinds, fmt.Sprintf("%s %s as %s", ui.Count(int64(m.Lines)), m.True, m.Called))
	}
	return list
}

func (n *note) text() string {
	return fmt.Sprintf("%s (%s): %s. %s", plural(n.Lines, "line"), money(n.Amount), n.why, strings.Join(n.kinds, ", "))
}
