package synth

import "strconv"

// story is what the simulator knows of a billed execution, for those who want to know why
// its label is what it is.
type story struct {
	attempt, attempts int16 // of the application, from 1; 0: nobody logged it
	try, tries        int16 // inside that attempt
	outcome           string
	answered          int16 // the attempt that answered the call, 0 if none did
	early             bool
}

// story collects it.
func (c *call) story(a *attempt, e *execution) story {
	f := story{attempt: int16(a.number + 1), attempts: int16(len(c.attempts)), tries: int16(len(a.tries)),
		outcome: a.outcome, early: e.charge.early}
	for i, try := range a.tries {
		if try == e {
			f.try = int16(i + 1)
		}
	}
	if answered := c.answered(); answered != nil {
		f.answered = int16(answered.number + 1)
	}
	return f
}

// Why tells in a few words what a charge line stands for, from what the client and the
// server did: "attempt 1 of 2 (timeout), execution 2 of 3, attempt 2 answered".
func (c *ChargeLine) Why() string { return string(c.appendWhy(nil)) }

func (c *ChargeLine) appendWhy(dst []byte) []byte {
	f := c.story
	switch {
	case c.Label.Verdict == DuplicateLine:
		return append(dst, "the line above once more"...)
	case c.Kind == "refund":
		return append(dst, "gives a charge back"...)
	case c.Kind != "usage":
		return append(dst, "no usage"...)
	case c.Label.Reason == "outside_log":
		return append(dst, "made with a key that no log knows"...)
	case f.attempt == 0:
		return append(dst, "made by a program that writes no log"...)
	}
	dst = appendOf(append(dst, "attempt "...), f.attempt, f.attempts)
	dst = append(append(append(dst, " ("...), f.outcome...), ')')
	if f.tries > 1 {
		dst = appendOf(append(dst, "; execution "...), f.try, f.tries)
	}
	if f.early {
		dst = append(dst, "; stopped when the client left"...)
	}
	if f.answered == 0 {
		return append(dst, "; nothing answered the call"...)
	}
	return append(strconv.AppendInt(append(dst, "; attempt "...), int64(f.answered), 10), " answered"...)
}

func appendOf(dst []byte, n, of int16) []byte {
	dst = strconv.AppendInt(dst, int64(n), 10)
	return strconv.AppendInt(append(dst, " of "...), int64(of), 10)
}
