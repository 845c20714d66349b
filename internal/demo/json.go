package demo

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/synth"
)

// Schema names the shape of the machine-readable result.
const Schema = "retrytax.demo/v1"

// ratio is a share with six decimals: a count, not money.
type ratio float64

// MarshalJSON writes at most six decimals.
func (r ratio) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(r), 'f', 6, 64), nil
}

type sumJSON struct {
	Lines  int    `json:"lines"`
	Amount string `json:"amount"`
}

func sumOf(s synth.Sum) sumJSON { return sumJSON{s.Lines, s.Amount.String()} }

type verdictJSON struct {
	Verdict         string  `json:"verdict"`
	True            sumJSON `json:"true"`
	Called          sumJSON `json:"called"`
	Right           sumJSON `json:"right"`
	Precision       ratio   `json:"precision"`
	Recall          ratio   `json:"recall"`
	AmountPrecision ratio   `json:"amount_precision"`
	AmountRecall    ratio   `json:"amount_recall"`
}

type shareJSON struct {
	True      string `json:"true"`
	Called    string `json:"called"`
	Right     string `json:"right"`
	Precision ratio  `json:"precision"`
	Recall    ratio  `json:"recall"`
}

type mistakeJSON struct {
	True   string `json:"true"`
	Called string `json:"called"`
	sumJSON
	Why string `json:"why"`
}

type scoresJSON struct {
	Lines    int           `json:"lines"`
	Judged   int           `json:"judged"`
	Accuracy ratio         `json:"accuracy"`
	Excess   shareJSON     `json:"excess"`
	Disputes shareJSON     `json:"disputes"`
	Verdicts []verdictJSON `json:"verdicts"`
	Open     struct {
		True   sumJSON `json:"true"`
		Called sumJSON `json:"called"`
		Right  sumJSON `json:"right"`
	} `json:"unsettled"`
	Leads    sumJSON       `json:"leads"`
	Mistakes []mistakeJSON `json:"mistakes"`
}

type resultJSON struct {
	Schema     string      `json:"schema"`
	Dir        string      `json:"dir"`
	Seed       uint64      `json:"seed"`
	Requests   int         `json:"requests"`
	Month      string      `json:"month"`
	Plain      bool        `json:"plain"`
	Logs       []string    `json:"logs"`
	Bills      []string    `json:"bills"`
	Attempts   int64       `json:"attempts"`
	OtherLines int64       `json:"other_lines"`
	Charges    int64       `json:"charges"`
	Repeated   int64       `json:"repeated_charges"`
	Now        string      `json:"now"`
	Command    string      `json:"command"`
	Scores     *scoresJSON `json:"scores"` // null for files only
}

// JSON is the result for programs; money is decimal strings.
func (r *Result) JSON() ([]byte, error) {
	out := resultJSON{Schema: Schema, Dir: r.Dir, Seed: r.Options.Seed, Requests: r.Options.Requests,
		Month: r.Options.Month.Format("2006-01"), Plain: r.Options.Plain, Logs: r.Logs, Bills: r.Bills, Attempts: r.Attempts,
		OtherLines: r.OtherLines, Charges: r.Charges, Repeated: r.RepeatedCharges, Now: r.Now.UTC().Format(time.RFC3339), Command: r.Command()}
	if !r.Options.FilesOnly {
		out.Scores = r.scores()
	}
	b, err := json.MarshalIndent(out, "", "  ")
	return append(b, '\n'), err
}

func (r *Result) scores() *scoresJSON {
	c := r.Card
	s := &scoresJSON{Lines: c.Lines, Judged: c.Judged, Accuracy: ratio(c.Accuracy()), Leads: sumOf(c.Leads),
		Excess:   shareOf(c.Excess, c.Called, c.CalledTrue, c.Precision(), c.Recall()),
		Disputes: shareOf(c.Disputable, c.Disputed, c.DisputedTrue, c.DisputePrecision(), c.DisputeRecall()),
		Mistakes: []mistakeJSON{}}
	s.Open.True, s.Open.Called, s.Open.Right = sumOf(c.OpenTrue), sumOf(c.OpenCalled), sumOf(c.OpenRight)
	for _, v := range verdicts {
		t := c.Verdicts[v]
		if t == nil {
			t = &synth.Tally{}
		}
		s.Verdicts = append(s.Verdicts, verdictJSON{v, sumOf(t.True), sumOf(t.Called), sumOf(t.Right),
			ratio(t.Precision()), ratio(t.Recall()), ratio(t.MoneyPrecision()), ratio(t.MoneyRecall())})
	}
	for _, m := range r.mistakes() {
		s.Mistakes = append(s.Mistakes, mistakeJSON{m.True, m.Called, sumOf(m.Sum), because(m.Mistake)})
	}
	return s
}

func shareOf(whole, called, right decimal.Decimal, precision, recall float64) shareJSON {
	return shareJSON{whole.String(), called.String(), right.String(), ratio(precision), ratio(recall)}
}
