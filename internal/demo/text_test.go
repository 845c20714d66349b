package demo

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
	"retrytax/internal/synth"
	"retrytax/internal/ui"
)

// scored is a demo of which one of four lines was judged wrongly.
func scored(t *testing.T) *Result {
	t.Helper()
	labels := `source_file,source_line,again_file,again_line,amount,verdict,recovery,excess,settled
b.csv,2,,,10,delivered,none,0,true
b.csv,3,c.csv,2,1234.5,timeout_retry,own_policy,1234.5,true
b.csv,4,,,2,timeout_retry,vendor_dispute,2,true
b.csv,5,,,3,sdk_retry,own_policy,3,false
`
	verdicts := `source_file,source_line,verdict,recovery,excess,settled,match
x/b.csv,2,delivered,none,0,true,request
x\c.csv,2,timeout_retry,own_policy,1234.5,true,request
x/b.csv,4,orphan,none,0,true,lead
x/b.csv,5,sdk_retry,own_policy,3,false,request
`
	card, err := synth.Score(strings.NewReader(labels), strings.NewReader(verdicts))
	if err != nil {
		t.Fatal(err)
	}
	return &Result{Dir: "month", Options: Options{Seed: 9, Month: october}, Card: card, Now: october.AddDate(0, 1, 2),
		Audit: &report.Audit{Totals: []report.Total{{ProviderBook: "all/bill", Currency: "USD", Billed: "1249.5", Excess: "1234.5"}}}}
}

// TestTextSaysHowItFared: right and wrong, by lines and money; what is apart; and why.
func TestTextSaysHowItFared(t *testing.T) {
	var out strings.Builder
	if err := scored(t).WriteText(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"The audit: USD 1 234.50 of USD 1 249.50 billed should not have been paid\n",
		"  excess as a whole        1 236.50   1 234.50   1 234.50   100.00 %  99.83 %\n",
		"  to claim from vendors        2.00       0.00       0.00          -   0.00 %\n",
		"  timeout_retry               2          1          1   100.00 %  50.00 %\n",
		"  timeout_retry        1 236.50   1 234.50   1 234.50   100.00 %  99.83 %\n",
		"  - unsettled: the end of 1 line (3.00) is not in the files, and the audit\n    left 1 of them open; it left 1 open in all\n",
		"  - leads: 1 line (2.00) that it only suspects; they count as orphan\n",
		"neither refusals nor errors), or is not told from others: a lead at most.\n    1 timeout_retry as orphan\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("found no\n%sin\n%s", want, out.String())
		}
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if ui.Width(line) > 80 && !strings.Contains(line, "RETRYTAX_NOW") {
			t.Errorf("wider than 80 columns: %s", line)
		}
	}
}

// TestJSONSaysTheSame: money is text, shares are numbers.
func TestJSONSaysTheSame(t *testing.T) {
	b, err := scored(t).JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema string
		Scores struct {
			Lines  int
			Excess struct {
				True      string
				Precision json.Number
			}
			Mistakes []struct{ True, Called, Amount, Why string }
		}
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	s := got.Scores
	if got.Schema != Schema || s.Lines != 4 || s.Excess.True != "1236.5" || s.Excess.Precision != "1.000000" ||
		len(s.Mistakes) != 1 || s.Mistakes[0].Amount != "2" || s.Mistakes[0].Why == "" {
		t.Errorf("%s", b)
	}
}

// TestNearlyAllIsNotAll: shares are rounded down.
func TestNearlyAllIsNotAll(t *testing.T) {
	for share, want := range map[float64]string{1: "100.00 %", 0.99999: "99.99 %", 0: "0.00 %", 0.5: "50.00 %"} {
		if got := percent(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
	if got := money(decimal.RequireFromString("-1234.567")); got != "-1 234.57" {
		t.Error(got)
	}
}

// TestEveryMistakeHasAReason: whatever is taken for whatever, there is a sentence.
func TestEveryMistakeHasAReason(t *testing.T) {
	for _, truth := range verdicts {
		for _, called := range append([]string{synth.Unsettled, ""}, verdicts...) {
			if why := because(synth.Mistake{True: truth, Called: called}); why == "" || strings.HasSuffix(why, ".") {
				t.Errorf("%s as %s: %q", truth, called, why)
			}
		}
	}
}
