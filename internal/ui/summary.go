package ui

import (
	"io"
	"slices"
	"strings"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/words"
)

// Extra is what the summary shows beyond the audit.
type Extra struct {
	Dearest  []DearCall // the calls with the largest excess, dearest first; five are shown
	Written  []string   // files that were written
	Next     string     // what to do next; a suggestion is derived if it is empty
	See      bool       // name the dearest call to look at before what Next says
	Kept     string     // the database that the audit was kept in, for the suggestion
	PaidBook string     // bill | estimate; its section comes first. Empty is bill
	Command  string     // that makes the summary, for its head; empty is audit
}

// DearCall is a call with a settled excess charge.
type DearCall struct {
	RequestID string
	Model     string
	Attempts  int64 // the highest number seen
	Charges   int64
	Excess    report.Money
	Currency  string
	Verdicts  string    // "timeout_retry ×2, sdk_retry"
	FirstAt   time.Time // in the report's zone
}

// Options are what the terminal can do.
type Options struct {
	Width int  // columns; 0 is 80; kept within 60 and 120
	Color bool // the caller looks at the terminal and at NO_COLOR
	Lang  words.Lang
}

// summary is one run of WriteSummary.
type summary struct {
	*page
	a *report.Audit
	x Extra
}

// WriteSummary prints an audit for a person: the sentence that matters first, then the
// ledger that adds up, what is behind it, what was left out of it and why, and what to do
// next. Each book and each currency has a section of its own. It prints no amount that
// the audit does not hold; the error is that of w.
func WriteSummary(w io.Writer, a *report.Audit, x Extra, opts Options) error {
	if x.PaidBook == "" {
		x.PaidBook = "bill"
	}
	width := opts.Width
	if width == 0 {
		width = 80
	}
	s := &summary{page: &page{width: min(max(width, 60), 120), colour: opts.Color, lang: opts.Lang, composed: true}, a: a, x: x}
	s.title()
	s.headlines()
	for _, t := range s.books() {
		s.ledger(t)
		s.verdicts(t)
	}
	s.dearest()
	s.rates()
	s.leads()
	s.quality()
	s.warnings()
	s.checks()
	s.end()
	_, err := io.WriteString(w, s.b.String())
	return err
}

// books are the totals over all providers: the paid book first, then by book and currency.
func (s *summary) books() []report.Total {
	var out []report.Total
	for _, t := range s.a.Totals {
		if provider, _ := splitBook(t.ProviderBook); provider == "all" {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b report.Total) int {
		return strings.Compare(s.bookOrder(a), s.bookOrder(b))
	})
	return out
}

func (s *summary) bookOrder(t report.Total) string {
	_, book := splitBook(t.ProviderBook)
	first := "1"
	if book == s.x.PaidBook {
		first = "0"
	}
	return first + book + "\x00" + t.Currency
}

// splitBook takes "openai/bill" apart; a provider's name may hold a slash itself.
func splitBook(providerBook string) (provider, book string) {
	if i := strings.LastIndexByte(providerBook, '/'); i >= 0 {
		return providerBook[:i], providerBook[i+1:]
	}
	return "all", providerBook
}

// failing are the checks that found rows.
func (s *summary) failing() []report.Check {
	var out []report.Check
	for _, c := range s.a.Checks {
		if !c.OK {
			out = append(out, c)
		}
	}
	return out
}

// explained counts the charges of the coverage, and those that some line explains.
func (s *summary) explained() (charges, explained int64) {
	for _, c := range s.a.Coverage {
		charges += c.Charges
		explained += c.Explained
	}
	return charges, explained
}
