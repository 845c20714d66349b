package synth

import (
	"errors"
	"fmt"
	"io"

	"github.com/shopspring/decimal"
)

// Scorecard compares the verdicts of an audit with the truth, line by line of
// the charges files. Money is in the currency of the bill; worlds have one.
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
	// the part of it that is the vendor's fault in truth, Disputable all that is.
	Disputed, DisputedTrue, Disputable decimal.Decimal

	// Verdicts tells by verdict how lines that can be settled were judged.
	Verdicts map[string]*Tally
	// OpenTrue are lines that nobody can settle, OpenCalled lines that the audit left
	// unsettled, OpenRight those that are both. Leads are what it only suspects.
	OpenTrue, OpenCalled, OpenRight, Leads Sum

	// Confusion counts lines by true verdict, then by the audit's. A line
	// without a verdict counts under "".
	Confusion map[string]map[string]int
	// Mistakes are the lines that can be settled and were judged wrongly, by verdicts.
	Mistakes map[Mistake]Sum
}

// Sum is a number of lines and their amounts.
type Sum struct {
	Lines  int
	Amount decimal.Decimal
}

func (s *Sum) add(amount decimal.Decimal) { s.Lines, s.Amount = s.Lines+1, s.Amount.Add(amount) }

// Tally is how the lines of a verdict were judged: those that truly have it, those that
// the audit gives it and calls settled, and those that are both.
type Tally struct{ True, Called, Right Sum }

// Precision is the share, by lines, of what was called so that is so.
func (t Tally) Precision() float64 { return ratio(t.Right.Lines, t.Called.Lines) }

// Recall is the share, by lines, of what is so that was called so.
func (t Tally) Recall() float64 { return ratio(t.Right.Lines, t.True.Lines) }

// MoneyPrecision is Precision by amounts.
func (t Tally) MoneyPrecision() float64 { return share(t.Right.Amount, t.Called.Amount) }

// MoneyRecall is Recall by amounts.
func (t Tally) MoneyRecall() float64 { return share(t.Right.Amount, t.True.Amount) }

// Mistake is what a line is and what it was called. An audit that leaves a line open calls
// it "unsettled".
type Mistake struct{ True, Called string }

// Accuracy is the share of labelled lines with the right verdict.
func (s Scorecard) Accuracy() float64 { return ratio(s.Right, s.Lines) }

// Precision is the share, by money, of the claimed excess that is excess.
func (s Scorecard) Precision() float64 { return share(s.CalledTrue, s.Called) }

// Recall is the share, by money, of the true excess that was found.
func (s Scorecard) Recall() float64 { return share(s.Found, s.Excess) }

// DisputePrecision is the share, by money, of claims against the vendor that
// are justified.
func (s Scorecard) DisputePrecision() float64 { return share(s.DisputedTrue, s.Disputed) }

// DisputeRecall is the share, by money, of what the vendor owes that was claimed.
func (s Scorecard) DisputeRecall() float64 { return share(s.DisputedTrue, s.Disputable) }

// share is a ratio of two exact numbers; nothing of nothing is all of it.
func share(part, whole decimal.Decimal) float64 {
	if whole.IsZero() {
		return 1
	}
	return part.Div(whole).InexactFloat64()
}

func ratio(part, whole int) float64 {
	return share(decimal.NewFromInt(int64(part)), decimal.NewFromInt(int64(whole)))
}

// ErrScore is wrapped by errors for tables that cannot be compared.
var ErrScore = errors.New("cannot score")

// Unsettled is what a [Mistake] calls a line that the audit leaves open.
const Unsettled = "unsettled"

// Score compares a labels CSV with an audit's verdicts CSV. Lines are joined on
// source_line and, where the labels have it, the name of source_file without its folder.
// Verdicts of lines without a label, and two verdicts for one line, are errors that wrap
// [ErrScore].
func Score(labels, verdicts io.Reader) (Scorecard, error) {
	card := Scorecard{Confusion: map[string]map[string]int{}, Verdicts: map[string]*Tally{}, Mistakes: map[Mistake]Sum{}}
	truths, err := readTruths(labels)
	if err != nil {
		return card, err
	}
	columns := []string{"source_file", "source_line", "verdict", "recovery", "excess", "settled", "match"}
	err = readTable(verdicts, columns, 1, func(row []string) error {
		t, err := truths.take(row[0], row[1])
		if err != nil {
			return err
		}
		return card.add(t, judgement{verdict: row[2], recovery: row[3], lead: row[6] == "lead"}, row[4], row[5])
	})
	for i := range truths.list {
		card.close(&truths.list[i])
	}
	return card, err
}

// errorf is an error that wraps [ErrScore].
func errorf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrScore, fmt.Sprintf(format, args...))
}
