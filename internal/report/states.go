package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// State is how far a finding has come that the vendor should give back.
type State string

// The states of a finding. Only open ones raise an alarm.
const (
	StateOpen      State = "open"
	StateFiled     State = "filed"     // the vendor was asked
	StateRecovered State = "recovered" // the money is back
	StateWaived    State = "waived"    // nobody will ask for it
)

// States are the states in the order of a finding's life.
var States = []State{StateOpen, StateFiled, StateRecovered, StateWaived}

// Handled is one line of the user's file of states: what was done about a finding.
type Handled struct {
	Finding   string
	State     State
	Recovered Money // what came back; "" is all of the claim, where State is recovered
	Currency  string
	Note      string
	Line      int
}

// StatesError says which line of a file of states cannot be read.
type StatesError struct {
	Line                        int
	Found, Expected, HintToUser string
}

func (e *StatesError) Error() string {
	return fmt.Sprintf("line %d: found %s, expected %s", e.Line, e.Found, e.Expected)
}

// Hint says what to do about it.
func (e *StatesError) Hint() string { return e.HintToUser }

const statesHint = "a dispute-PROVIDER.csv of an earlier report is such a file: change its column state"

// ReadStates reads a file of states: CSV with a header, of which the columns finding and state are needed,
// and recovered, currency and note are read; all others are passed over, so a dispute-PROVIDER.csv is such a file.
// A finding that stands in it twice has the state of its last line. Errors are *StatesError.
func ReadStates(in io.Reader) ([]Handled, error) {
	text, err := io.ReadAll(io.LimitReader(in, 64<<20))
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff")))
	r.FieldsPerRecord = -1
	header, err := r.Read()
	if err != nil {
		return nil, &StatesError{1, "no header", "a CSV file with the columns finding and state", statesHint}
	}
	at := map[string]int{}
	for i, name := range header {
		at[strings.ToLower(strings.TrimSpace(name))] = i
	}
	for _, needed := range []string{"finding", "state"} {
		if _, ok := at[needed]; !ok {
			return nil, &StatesError{1, fmt.Sprintf("the columns %.200q", header), "finding and state among them", statesHint}
		}
	}
	var out []Handled
	index := map[string]int{}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return nil, &StatesError{bad.Line, bad.Err.Error(), "a line of CSV", statesHint}
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		h, err := handledOf(record, at, line)
		if err != nil {
			return nil, err
		}
		if h.Finding == "" {
			continue
		}
		if i, ok := index[h.Finding]; ok {
			out[i] = h
			continue
		}
		index[h.Finding] = len(out)
		out = append(out, h)
	}
}

// handledOf reads one line.
func handledOf(record []string, at map[string]int, line int) (Handled, error) {
	field := func(name string) string {
		if i, ok := at[name]; ok && i < len(record) {
			return strings.TrimSpace(record[i])
		}
		return ""
	}
	h := Handled{Finding: strings.TrimPrefix(field("finding"), "'"), State: State(strings.ToLower(field("state"))),
		Recovered: Money(field("recovered")), Currency: field("currency"), Note: field("note"), Line: line}
	if h.State == "" {
		h.State = StateOpen
	}
	if !slices.Contains(States, h.State) {
		return h, &StatesError{line, fmt.Sprintf("the state %.60q", string(h.State)), "open, filed, recovered or waived", statesHint}
	}
	if h.Recovered != "" {
		d, err := decimal.NewFromString(string(h.Recovered))
		if err != nil || d.IsNegative() || len(h.Recovered) > 40 || strings.ContainsAny(string(h.Recovered), "eE") {
			return h, &StatesError{line, fmt.Sprintf("%.60q in the column recovered", string(h.Recovered)), "an amount such as 12.50, or nothing for the whole claim", statesHint}
		}
		h.Recovered = Money(d.String())
	}
	return h, nil
}

// Handle puts the states of the user's file to the findings of the report. Those that it does not have, of
// other periods, are kept in Handled.
func (wb *Workbook) Handle(states []Handled) {
	byFinding := map[string]Handled{}
	for _, h := range states {
		byFinding[h.Finding] = h
	}
	here := map[string]bool{}
	for i := range wb.Disputes {
		d := &wb.Disputes[i]
		h, ok := byFinding[d.Finding]
		if !ok {
			continue
		}
		here[d.Finding] = true
		d.State, d.Note = h.State, h.Note
		if h.State == StateRecovered {
			if d.Recovered = h.Recovered; d.Recovered == "" {
				d.Recovered = d.Claim
			}
		}
	}
	for _, h := range states {
		if !here[h.Finding] {
			wb.Handled = append(wb.Handled, h)
		}
	}
}

// Claims sums the findings of a report by vendor, currency and state, in that order. The states are the user's,
// so no query can.
func (wb *Workbook) Claims() []ClaimTotal {
	var out []ClaimTotal
	for _, d := range wb.Disputes {
		i := slices.IndexFunc(out, func(t ClaimTotal) bool { return t.Vendor == d.Vendor && t.Currency == d.Currency && t.State == d.State })
		if i < 0 {
			i = len(out)
			out = append(out, ClaimTotal{Vendor: d.Vendor, Currency: d.Currency, State: d.State, Claim: "0", Recovered: "0"})
		}
		out[i].Findings++
		out[i].Claim = sumOf(out[i].Claim, d.Claim)
		out[i].Recovered = sumOf(out[i].Recovered, d.Recovered)
	}
	slices.SortStableFunc(out, func(a, b ClaimTotal) int {
		if c := strings.Compare(a.Vendor+"\x00"+a.Currency, b.Vendor+"\x00"+b.Currency); c != 0 {
			return c
		}
		return slices.Index(States, a.State) - slices.Index(States, b.State)
	})
	return out
}

// ClaimTotal is the money of the findings of one vendor in one currency and state.
type ClaimTotal struct {
	Vendor    string `json:"provider"`
	Currency  string `json:"currency"`
	State     State  `json:"state"`
	Findings  int64  `json:"findings"`
	Claim     Money  `json:"claim"`
	Recovered Money  `json:"recovered"`
}

func sumOf(a, b Money) Money {
	x, errX := decimal.NewFromString(string(a))
	y, errY := decimal.NewFromString(string(b))
	if errX != nil || errY != nil {
		return a
	}
	return Money(x.Add(y).String())
}
