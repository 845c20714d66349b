package ui

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"retrytax/internal/report"
)

func TestAmount(t *testing.T) {
	for in, want := range map[report.Money]string{
		"":                     "unknown",
		"abc":                  "unknown",
		"0":                    "0.00",
		"12.5":                 "12.50",
		"9310.22":              "9 310.22",
		"1234567.1":            "1 234 567.10",
		"-1234.5":              "-1 234.50",
		"0.0041":               "0.0041",
		"0.123456789":          "0.123457",
		"0.0000005":            "0.000001",
		"0.000000000001":       "<0.000001",
		"-0.000000000001":      ">-0.000001",
		"999.9999999":          "1 000.00",
		"12345678901234567890": "12 345 678 901 234 567 890.00",
		"1e-7":                 "<0.000001",
	} {
		if got := Amount(in); got != want {
			t.Errorf("Amount(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct{ part, whole, want string }{
		{"412.3", "9310.22", "4.4 %"}, {"1", "100000", "<0.1 %"}, {"99999", "100000", "99.9 %"},
		{"5", "5", "100.0 %"}, {"0", "5", ""}, {"5", "0", ""}, {"5", "", ""}, {"", "5", ""}, {"-1", "10", "-10.0 %"}, {"1", "-10", ""},
	} {
		if got := plain(share(report.Money(c.part), report.Money(c.whole))); got != c.want {
			t.Errorf("%s of %s: got %q, want %q", c.part, c.whole, got, c.want)
		}
	}
}

// What stands in the ledger adds up as it stands, whatever the amounts are.
func TestLedgerAddsUpAsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := make([]report.Money, 6)
		sum, shown := decimal.Zero, decimal.Zero
		for i := range parts {
			d := decimal.New(rapid.Int64Range(-1e15, 1e15).Draw(t, "units"), -rapid.Int32Range(0, 12).Draw(t, "places"))
			parts[i] = report.Money(d.String())
			sum = sum.Add(d)
		}
		n := ledgerPlaces(parts, report.Money(sum.String()))
		for _, m := range parts {
			d, _ := value(m)
			shown = shown.Add(d.Round(n))
		}
		if !shown.Equal(sum.Round(n)) {
			t.Fatalf("at %d places %v add up to %s, not %s", n, parts, shown, sum)
		}
	})
}

func TestBarIsToScale(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		width       int
		want        string
	}{
		{8, 8, 4, "████"}, {4, 8, 4, "██"}, {1, 8, 1, "▏"}, {1, 1_000_000, 4, "▏"}, {3, 4, 1, "▊"},
		{0, 8, 4, ""}, {-1, 8, 4, ""}, {1, 0, 4, ""}, {9, 8, 4, "████"}, {1, 1, 0, ""},
	} {
		if got := bar(decimal.NewFromInt(c.part), decimal.NewFromInt(c.whole), c.width); got != c.want {
			t.Errorf("%d of %d in %d: got %q, want %q", c.part, c.whole, c.width, got, c.want)
		}
	}
}

func TestWideCharactersAlign(t *testing.T) {
	tab := table{cols: []column{{title: "provider", min: 8}, {title: "n", right: true}}}
	tab.add("云计算供应商名字很长", "1")
	tab.add("acme", "20")
	tab.add("e\u0301migre\u0301", "3")
	p := &page{width: 20}
	tab.write(p)
	for _, line := range strings.Split(strings.TrimSpace(p.b.String()), "\n")[1:] {
		if Width(line) != 20 {
			t.Errorf("%q is %d columns wide, want 20", line, Width(line))
		}
	}
}

func TestCutAndWrapKeepTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Clean(rapid.StringOf(rapid.RuneFrom([]rune("ab 中文é👩‍💻…"))).Draw(t, "s"))
		width := rapid.IntRange(2, 30).Draw(t, "width")
		if got := Cut(s, width); Width(got) > width {
			t.Errorf("Cut(%q, %d) = %q has %d columns", s, width, got, Width(got))
		}
		lines := wrap(s, width)
		for _, line := range lines {
			if Width(line) > width {
				t.Errorf("wrap(%q, %d): %q has %d columns", s, width, line, Width(line))
			}
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(strings.Join(lines, "")) != squeeze(s) {
			t.Errorf("wrap(%q, %d) lost text: %q", s, width, lines)
		}
	})
}

func TestEveryVerdictHasItsWords(t *testing.T) {
	for _, code := range strings.Fields(`delivered hedged undelivered double_retry sdk_retry partial_tokens timeout_retry
		server_error_retry duplicate_line not_billable orphan adjustment`) {
		w := Lookup(Verdicts, code)
		if w.Meaning == "" || w.Name == "" || Width(w.Name) > 24 || strings.HasSuffix(w.Meaning, ".") {
			t.Errorf("%s: %+v", code, w)
		}
	}
	for _, words := range [][]Word{Verdicts, Recoveries, Warnings, Leads, Matches, OrphanReasons} {
		seen := map[string]bool{}
		for _, w := range words {
			if seen[w.Code] || w.Name == "" || w.Meaning == "" {
				t.Errorf("%+v stands twice or is not whole", w)
			}
			seen[w.Code] = true
		}
	}
	if got := Lookup(Verdicts, "new\x1b_code"); got.Name != `new\x1b code` {
		t.Errorf("an unknown code is named %q", got.Name)
	}
}

// TestEveryWarningHasItsWords: a code that the warnings' query gives has a name for people, in every language (which internal/words checks).
func TestEveryWarningHasItsWords(t *testing.T) {
	query, err := os.ReadFile("../../queries/50_reports/50_rpt_warnings.sql")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`SELECT \d+(?: AS place)?, '([a-z_]+)'`).FindAllSubmatch(query, -1)
	if len(codes) < 20 {
		t.Fatalf("found %d codes in the query", len(codes))
	}
	for _, code := range codes {
		if w := Lookup(Warnings, string(code[1])); w.Meaning == "" {
			t.Errorf("the warning %s has no words", code[1])
		}
	}
}

func TestProgressIsSilentWhereThereIsNoTerminal(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range []Progress{NewProgress(f), NewProgress(nil)} {
		p.Stage("reading", 10)
		p.Add(3)
		p.Done()
	}
	if info, err := f.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("%d bytes were written to a file: %v", info.Size(), err)
	}
}

// The bar itself, over a file: stages replace each other, and the end clears the line.
func TestBarClearsItsLine(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "tty")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := &barProgress{out: f}
	p.Add(1) // before any stage
	p.Stage("reading", 10)
	p.Add(20) // more than was announced
	p.Stage("matching", 0)
	p.Add(1)
	p.Done()
	p.Done()
	text, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "matching") || !strings.HasSuffix(string(text), "\r") || strings.Contains(string(text), "\n") {
		t.Errorf("got %q", text)
	}
}
