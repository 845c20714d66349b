package demo

import (
	"fmt"
	"io"
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
	"retrytax/internal/synth"
	"retrytax/internal/ui"
)

// WriteText prints what was made, how the audit fared, and how to repeat it.
func (r *Result) WriteText(out io.Writer) error {
	var b strings.Builder
	r.head(&b)
	if !r.Options.FilesOnly {
		r.headline(&b)
		r.byVerdict(&b)
		r.unknown(&b)
	}
	fmt.Fprintf(&b, "\nThe same audit by hand:\n\n  %s\n", ui.Clean(r.Command()))
	_, err := io.WriteString(out, b.String())
	return err
}

func (r *Result) head(b *strings.Builder) {
	fmt.Fprintf(b, "retrytax demo · a made-up %s, seed %d\n", r.Options.Month.Format("January 2006"), r.Options.Seed)
	fmt.Fprintf(b, "%s attempts logged, %s lines billed by %s\n", ui.Count(r.Attempts), ui.Count(r.Charges), plural(r.Vendors, "vendor"))
	rows := [][2]string{{"logs", plural(len(r.Logs), "file")}, {"bills", plural(len(r.Bills), "file") + r.repeated()},
		{labelsName, "the truth: what each line of the bills is, and why"}, {ConfigName, "what the files do not say themselves"}}
	if !r.Options.FilesOnly {
		rows = append(rows, [2]string{reportName, "what the audit made of it"})
	}
	for _, row := range rows {
		fmt.Fprintf(b, "  %-14s %s\n", row[0], row[1])
	}
	fmt.Fprintf(b, "in %s\n", ui.Clean(r.Dir))
}

func (r *Result) repeated() string {
	if r.RepeatedCharges == 0 {
		return ""
	}
	return fmt.Sprintf("; %s lines stand in two exports that overlap", ui.Count(r.RepeatedCharges))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return ui.Count(int64(n)) + " " + what + "s"
}

// headline is the excess as a whole: what the audit claims, and what is true.
func (r *Result) headline(b *strings.Builder) {
	c := r.Card
	for _, t := range r.Audit.Totals {
		if t.ProviderBook == "all/bill" {
			fmt.Fprintf(b, "\nThe audit: %s %s of %s %s billed should not have been paid\n", t.Currency, ui.Amount(t.Excess), t.Currency, ui.Amount(t.Billed))
		}
	}
	const row = "  %-22s %10s %10s %10s %10s %8s\n"
	fmt.Fprintf(b, row, "by money", "true", "called", "right", "precision", "recall")
	for _, e := range []struct {
		name                 string
		whole, called, right decimal.Decimal
		precision, recall    float64
	}{
		{"excess as a whole", c.Excess, c.Called, c.CalledTrue, c.Precision(), c.Recall()},
		{"to claim from vendors", c.Disputable, c.Disputed, c.DisputedTrue, c.DisputePrecision(), c.DisputeRecall()},
	} {
		fmt.Fprintf(b, row, e.name, money(e.whole), money(e.called), money(e.right),
			of(e.called.IsZero(), e.precision), of(e.whole.IsZero(), e.recall))
	}
}

// byVerdict is two tables: lines and money, of what can be settled.
func (r *Result) byVerdict(b *strings.Builder) {
	const row = "  %-18s %10s %10s %10s %10s %8s\n"
	for _, t := range []struct {
		title string
		cells func(*synth.Tally) [5]string
	}{
		{"by lines", func(t *synth.Tally) [5]string {
			return [5]string{lines(t.True), lines(t.Called), lines(t.Right), of(t.Called.Lines == 0, t.Precision()), of(t.True.Lines == 0, t.Recall())}
		}},
		{"by money", func(t *synth.Tally) [5]string {
			return [5]string{money(t.True.Amount), money(t.Called.Amount), money(t.Right.Amount), of(t.Called.Lines == 0, t.MoneyPrecision()), of(t.True.Lines == 0, t.MoneyRecall())}
		}},
	} {
		b.WriteString("\n")
		fmt.Fprintf(b, row, t.title, "true", "called", "right", "precision", "recall")
		for _, v := range verdicts {
			if tally := r.Card.Verdicts[v]; tally != nil {
				c := t.cells(tally)
				fmt.Fprintf(b, row, v, c[0], c[1], c[2], c[3], c[4])
			}
		}
	}
}

// unknown says what is apart, and why not everything is right.
func (r *Result) unknown(b *strings.Builder) {
	c := r.Card
	b.WriteString("\nApart from these\n")
	b.WriteString(fold(fmt.Sprintf("unsettled: the end of %s (%s) is not in the files, and the audit left %s of them open; it left %s open in all",
		plural(c.OpenTrue.Lines, "line"), money(c.OpenTrue.Amount), ui.Count(int64(c.OpenRight.Lines)), ui.Count(int64(c.OpenCalled.Lines))), 78))
	b.WriteString(fold(fmt.Sprintf("leads: %s (%s) that it only suspects; they count as orphan", plural(c.Leads.Lines, "line"), money(c.Leads.Amount)), 78))
	list := r.notes()
	if len(list) == 0 {
		return
	}
	b.WriteString("\nWhat it did not know, and why:\n")
	for _, n := range list {
		b.WriteString(fold(n.text(), 78))
	}
}

// fold breaks a sentence into lines, the first marked.
func fold(text string, width int) string {
	var b strings.Builder
	line := "  -"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = "   "
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}

func lines(s synth.Sum) string { return ui.Count(int64(s.Lines)) }

// of is a share, or nothing where there is nothing to share.
func of(nothing bool, share float64) string {
	if nothing {
		return "-"
	}
	return percent(share)
}

// percent has two decimals, rounded down: nearly all is not all.
func percent(share float64) string {
	d := decimal.NewFromFloat(share).Shift(2).RoundFloor(2)
	return d.StringFixed(2) + " %"
}

func money(d decimal.Decimal) string { return ui.Amount(report.Money(d.Round(2).String())) }
