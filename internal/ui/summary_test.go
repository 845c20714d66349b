package ui

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrytax/internal/report"
	"retrytax/internal/words"
)

var update = flag.Bool("update", false, "rewrite the golden files; read the diff")

func render(t *testing.T, a *report.Audit, x Extra, opts Options) string {
	t.Helper()
	var b strings.Builder
	if err := WriteSummary(&b, a, x, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSummaryGolden(t *testing.T) {
	rich, richExtra := richAudit()
	clean, cleanExtra := cleanAudit()
	for _, c := range []struct {
		name string
		a    *report.Audit
		x    Extra
		opts Options
	}{
		{"rich_80", rich, richExtra, Options{}},
		{"rich_120", rich, richExtra, Options{Width: 120}},
		{"rich_60", rich, richExtra, Options{Width: 60}},
		{"rich_colour", rich, richExtra, Options{Color: true}},
		{"clean_80", clean, cleanExtra, Options{}},
		{"rich_chinese", rich, richExtra, Options{Lang: words.Chinese}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := render(t, c.a, c.x, c.opts)
			path := filepath.Join("testdata", c.name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

var reColour = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestColourChangesNothingButColour(t *testing.T) {
	a, x := richAudit()
	coloured := reColour.ReplaceAllString(render(t, a, x, Options{Color: true}), "")
	var lines []string
	for _, l := range strings.Split(coloured, "\n") {
		lines = append(lines, strings.TrimRight(l, " "))
	}
	if diff := cmp.Diff(render(t, a, x, Options{}), strings.Join(lines, "\n")); diff != "" {
		t.Errorf("(-plain +coloured):\n%s", diff)
	}
}

func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	a, x := richAudit()
	for width := 60; width <= 120; width++ {
		for _, line := range strings.Split(render(t, a, x, Options{Width: width}), "\n") {
			if Width(line) > width {
				t.Errorf("at %d columns a line has %d: %s", width, Width(line), line)
			}
		}
	}
}

// A line that holds an amount names its currency, or stands under a title that does.
func TestHeadlines(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(a *report.Audit)
		want string
		not  string
	}{
		{"excess", func(a *report.Audit) {
			a.Totals[0].Excess, a.Totals[0].ExcessNet, a.Totals[0].Delivered = "0.12", "0.12", "4"
		},
			"USD 0.12 of USD 4.12 billed should not have been paid: 2.9 % (2026-11-03, Asia/Shanghai, bill)", "nothing was"},
		{"at least", func(a *report.Audit) { a.Totals[0].Excess, a.Totals[0].AtLeast = "0.12", true },
			"at least USD 0.12 of at least USD 4.12 billed should not have been paid: 2.9 % of what is known", ""},
		{"unknown excess", func(a *report.Audit) { a.Totals[0].Excess = "" },
			"how much of USD 4.12 billed should not have been paid is unknown", "nothing was"},
		{"clean", func(*report.Audit) {}, "nothing was paid twice of USD 4.12 billed (2026-11-03, Asia/Shanghai, bill)", ""},
		{"clean but not settled", func(a *report.Audit) { a.Totals[0].Unsettled = "0.4" },
			"nothing was paid twice of USD 4.12 billed, of which USD 0.40 is not settled yet", ""},
		{"much is not explained", func(a *report.Audit) { a.Totals[0].Billed, a.Totals[0].Orphan = "19", "7.25" },
			"nothing was found to be paid twice; but USD 7.25 of USD 19.00 (38.2 %) is not explained by the log (2026-11-03, Asia/Shanghai, bill)", "nothing to do"},
		{"much is open, both ways", func(a *report.Audit) { a.Totals[0].Orphan, a.Totals[0].Unsettled = "0.3", "0.2125" },
			"twice; but USD 0.5125 of USD 4.1200 (12.4 %) is not explained by the log or not settled yet", "nothing was paid twice"},
		{"little is not explained", func(a *report.Audit) { a.Totals[0].Orphan = "0.412" }, "nothing was paid twice of USD 4.12 billed", "but USD"},
		{"same decimals", func(a *report.Audit) { a.Totals[0].Excess = "0.1234" }, "USD 0.1234 of USD 4.1200 billed", ""},
		{"no coverage", func(a *report.Audit) { a.Coverage = nil }, "this is no clean bill", "nothing was paid twice"},
		{"nothing explained", func(a *report.Audit) { a.Coverage[0].Explained = 0 }, "this is no clean bill", "nothing was paid twice"},
		{"rejected rows", func(a *report.Audit) { a.Totals[0].AtLeast = true },
			"nothing was found to be paid twice in what could be read", "nothing was paid twice"},
		{"failed check", func(a *report.Audit) { a.Checks[0].OK, a.Checks[0].Rows = false, 7 },
			"ledger_identity: 7 rows", "nothing was paid twice"},
		{"no charges", func(a *report.Audit) { a.Totals, a.Verdicts, a.Coverage = nil, nil, nil },
			"nothing was audited: there is no charge in 2026-11-03, Asia/Shanghai", "paid twice"},
		{"estimate", func(a *report.Audit) { a.Totals[0].ProviderBook, a.Totals[0].Excess = "all/estimate", "1" },
			"USD 1.00 of USD 4.12 estimated should not have been paid", "billed should"},
		{"estimate without excess", func(a *report.Audit) { a.Totals[0].ProviderBook = "all/estimate" },
			"what was paid twice of USD 4.12 estimated is not measurable", "nothing was"},
		{"unknown currency", func(a *report.Audit) { a.Totals[0].Currency = "XXX" }, "(currency unknown)", ""},
		{"unmeasured", func(a *report.Audit) { a.Rates.StartedFraction = nil }, "not measurable", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, x := cleanAudit()
			c.edit(a)
			got := strings.Join(strings.Fields(render(t, a, x, Options{Width: 120})), " ")
			if !strings.Contains(got, c.want) {
				t.Errorf("%q is not in:\n%s", c.want, got)
			}
			if c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("%q is in:\n%s", c.not, got)
			}
		})
	}
}

func TestPaidBookComesFirst(t *testing.T) {
	a, x := richAudit()
	x.PaidBook = "estimate"
	got := render(t, a, x, Options{})
	if strings.Index(got, "The estimate, USD") > strings.Index(got, "The bill, USD") {
		t.Error("the bill stands before the estimate that is paid")
	}
}

func TestEmptyAuditDoesNotPanic(t *testing.T) {
	if got := render(t, &report.Audit{}, Extra{}, Options{}); !strings.Contains(got, "nothing was audited") {
		t.Error(got)
	}
}

// Sums of nothing but unknown amounts are no zeros.
func TestNoAmountIsKnown(t *testing.T) {
	a := &report.Audit{Schema: "retrytax.audit/v1", Period: report.Period{Zone: "UTC"},
		Totals: []report.Total{{ProviderBook: "all/bill", Currency: "XXX", Billed: "0", Delivered: "0", Excess: "0", Undelivered: "0", Orphan: "0", Unsettled: "0",
			Adjustments: "0", ExcessNet: "0", CacheEffect: "0", ReroutePremium: "0", AtLeast: true}},
		Verdicts: []report.Verdict{{Book: "bill", Currency: "XXX", Verdict: "delivered", Recovery: "none", Charges: 2}, {Book: "bill", Currency: "XXX", Verdict: "timeout_retry", Recovery: "own_policy", Charges: 1}}}
	var b strings.Builder
	if err := WriteSummary(&b, a, Extra{PaidBook: "bill", Command: "report"}, Options{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if strings.Contains(text, "0.00") || !strings.Contains(text, "no amount of the bill is known") || !strings.HasPrefix(text, "retrytax report · ") {
		t.Errorf("found\n%s", text)
	}
}
