package synth

import (
	"errors"
	"fmt"
	"io"

	"github.com/shopspring/decimal"
)

// Scorecard compares the verdicts of an audit with the truth, line by line of
// the charges file. Money is in the currency of the bill; worlds have one.
type Scorecard struct {
	Lines   int // with a label
	Judged  int // of those, with a verdict
	Right   int // with the right verdict
	Settled int // with the right verdict, among lines that label and audit call settled
	Both    int // lines that label and audit call settled

	// Called is the excess that the audit claims in settled lines, CalledTrue
	// the part of it that is excess in truth.
	Called, CalledTrue decimal.Decimal
	// Excess is the excess of lines that can be settled, Found the part of it
	// that the audit claims in settled lines.
	Excess, Found decimal.Decimal
	// Disputed is what the audit would claim back from the vendor, DisputedTrue
	// the part of it that is the vendor's fault in truth.
	Disputed, DisputedTrue decimal.Decimal

	// Confusion counts lines by true verdict, then by the audit's. A line
	// without a verdict counts under "".
	Confusion map[string]map[string]int
}

// Accuracy is the share of labelled lines with the right verdict.
func (s Scorecard) Accuracy() float64 {
	return share(decimal.NewFromInt(int64(s.Right)), decimal.NewFromInt(int64(s.Lines)))
}

// Precision is the share, by money, of the claimed excess that is excess.
func (s Scorecard) Precision() float64 { return share(s.CalledTrue, s.Called) }

// Recall is the share, by money, of the true excess that was found.
func (s Scorecard) Recall() float64 { return share(s.Found, s.Excess) }

// DisputePrecision is the share, by money, of claims against the vendor that
// are justified.
func (s Scorecard) DisputePrecision() float64 { return share(s.DisputedTrue, s.Disputed) }

// share is a ratio of two exact numbers; nothing of nothing is all of it.
func share(part, whole decimal.Decimal) float64 {
	if whole.IsZero() {
		return 1
	}
	return part.Div(whole).InexactFloat64()
}

// ErrScore is wrapped by errors for tables that cannot be compared.
var ErrScore = errors.New("cannot score")

// truth is one line of the labels.
type truth struct {
	verdict, recovery string
	excess            decimal.Decimal
	settled, judged   bool
}

// Score compares a labels CSV with an audit's verdicts CSV. Lines are joined on
// source_line, so the verdicts must stem from the one charges file that was
// labelled. Verdicts of lines without a label, and two verdicts for one line,
// are errors that wrap [ErrScore].
func Score(labels, verdicts io.Reader) (Scorecard, error) {
	card := Scorecard{Confusion: map[string]map[string]int{}}
	truths, err := readTruths(labels)
	if err != nil {
		return card, err
	}
	err = readTable(verdicts, []string{"source_line", "verdict", "recovery", "excess", "settled"}, func(row []string) error {
		t := truths[row[0]]
		if t == nil || t.judged {
			return fmt.Errorf("%w: source_line %s has no label, or two verdicts", ErrScore, row[0])
		}
		t.judged = true
		return card.add(t, row[1], row[2], row[3], row[4])
	})
	for _, t := range truths {
		card.Lines++
		if !t.judged {
			card.confuse(t.verdict, "")
		}
		if t.settled {
			card.Excess = card.Excess.Add(t.excess)
		}
	}
	return card, err
}

// add compares one line.
func (s *Scorecard) add(t *truth, verdict, recovery, excessText, settledText string) error {
	called, settled, err := parseMoneyAndFlag(excessText, settledText)
	if err != nil {
		return err
	}
	right := verdict == t.verdict
	s.Judged++
	s.Right += count(right)
	s.Both += count(settled && t.settled)
	s.Settled += count(right && settled && t.settled)
	s.confuse(t.verdict, verdict)
	if !settled {
		return nil
	}
	hit := decimal.Min(called, t.excess)
	s.Called, s.CalledTrue = s.Called.Add(called), s.CalledTrue.Add(hit)
	if t.settled {
		s.Found = s.Found.Add(hit)
	}
	if recovery == VendorDispute {
		s.Disputed = s.Disputed.Add(called)
		if t.recovery == VendorDispute {
			s.DisputedTrue = s.DisputedTrue.Add(hit)
		}
	}
	return nil
}

func (s *Scorecard) confuse(actual, called string) {
	if s.Confusion[actual] == nil {
		s.Confusion[actual] = map[string]int{}
	}
	s.Confusion[actual][called]++
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
