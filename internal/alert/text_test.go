package alert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "retrytax/internal/drawn"
)

func TestTexts(t *testing.T) {
	tax := Event{Condition: RetryTax, Night: "2026-11-03", Zone: "UTC", Taxes: []Tax{{Currency: "USD", Excess: "12.50", Billed: "83.00", Share: "15.1 %", Limit: "USD 10"}}}
	minute := Event{Condition: ErrorRate, Night: "2026-11-03", Zone: "UTC", Minute: &Minute{At: "2026-11-02 03:14", Attempts: 64, Failed: 41, Rate: "64.1 %", Limit: "30 %"}}
	for _, c := range []struct {
		e        Event
		language string
		want     []string
	}{
		{tax, English, []string{"retrytax · 2026-11-03 · retry tax",
			"USD 12.50 of USD 83.00 settled since the night before should not have been paid (15.1 %); the limit is USD 10"}},
		{tax, Chinese, []string{"retrytax · 2026-11-03 · 重试税", "自上一晚以来结清的费用中，USD 12.50 不该付，共 USD 83.00（占 15.1 %）；上限 USD 10"}},
		{minute, English, []string{"retrytax · 2026-11-03 · error rate", "At 2026-11-02 03:14 (UTC) 41 of 64 attempts of one minute failed: 64.1 %; the limit is 30 %"}},
		{minute, Chinese, []string{"retrytax · 2026-11-03 · 错误率", "2026-11-02 03:14（UTC）这一分钟，41 次失败，共 64 次尝试：64.1 %；上限 30 %"}},
		{NewEvent(NewCause, "2026-11-03", "UTC", "sdk_retry"), English, []string{"retrytax · 2026-11-03 · a new cause",
			"Paid for the first time and should not have been: sdk_retry (a hidden SDK retry)"}},
		{NewEvent(NewProvider, "2026-11-03", "UTC", "acme", "beta"), Chinese, []string{"retrytax · 2026-11-03 · 新的供应商", "首次出现：acme、beta"}},
		{NewEvent(MissingInput, "2026-11-03", "UTC", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"), English, []string{"retrytax · 2026-11-03 · input is missing",
			"Nothing new came from: a, b, c, d, e, f, g, h and 2 more"}},
		{Event{Condition: RunFails, Night: "2026-11-03", Step: "ingest", Code: 1}, English, []string{"retrytax · 2026-11-03 · the run failed",
			"It failed while loading files, with exit code 1. Its log says why; the next run goes on from the last good state"}},
	} {
		if d := cmp.Diff(strings.Join(c.want, "\n"), c.e.Text(c.language)); d != "" {
			t.Errorf("%s, %s (-want +got):\n%s", c.e.Condition, c.language, d)
		}
	}
}

// Every condition has its words in both languages.
func TestLanguagesAreWhole(t *testing.T) {
	for _, w := range []*vocabulary{vocabularyOf(English), vocabularyOf(Chinese)} {
		for _, c := range []Condition{RunFails, ChecksFail, MissingInput, RetryTax, ErrorRate, NewCause, NewProvider} {
			if w.titles[c] == "" {
				t.Errorf("%s has no title", c)
			}
		}
		for v := range english.verdicts {
			if w.verdicts[v] == "" {
				t.Errorf("%s has no meaning", v)
			}
		}
	}
}

// What the data call a provider can be anything.
func TestNamesFromTheDataAreFit(t *testing.T) {
	for text, want := range map[string]string{
		"openai":                               "openai",
		"azure-eastus2-gpt-4.1-mini":           "azure-eastus2-gpt-4.1-mini",
		"claude-opus-20260101":                 "claude-opus-20260101",
		"chatgpt-compatible-provider":          "chatgpt-compatible-provider",
		"sk-proj-abcdefghijklmnop":             "sk-p…",
		"Bearer abc.def-ghi0123":               "Bear…",
		"9f2c7a1b4d6e8f03":                     "9f2c…",
		"12345678901234567890":                 "1234…",
		"8f14e45f-ceea-467f-a0e6-8d2b7a11":     "8f14e45f-ceea-467f-a0e6-8d2b7a11",
		"8f14e45f-ceea-467f-a0e6-8d2b7a11c0de": "8f14…",
		"<!channel> @all":                      "‹!channel› ＠all",
		"<at user_id=\"all\"></at>":            "‹at user_id=\"all\"›‹/at›",
		"[pay](https://evil.example)":          "(pay)(https:evil.example)",
		"a\nb\x1b[2J\u202ec":                   "a b(2Jc",
		"password=hunter2":                     "pass…",
		"secret:abc":                           "secr…",
		"bearer abcdef":                        "bear…",
		"Authorization: Bearer abc":            "Auth…",
		"acme api_key=x1":                      "acme api_…",
		`{"token": "t0"}`:                      `{"toke…"}`,
		"key12345":                             "key1…",
		"key-1":                                "key-1",
		"monkey7 keyboard tokens passing":      "monkey7 keyboard tokens passing",
		"jane.doe@acme.example":                "jane…",
		"of <bo@x.org>, acme":                  "of ‹bo…›, acme",
		"https://jane:pw@api.acme.example/v1":  "https:…＠api.acme.example/v1",
		"bills/acme-2026-11-02.csv":            "bills/acme-2026-11-02.csv",
		"":                                     "?",
		"\xff":                                 "?",
	} {
		if got := Name(text); got != want {
			t.Errorf("Name(%q) = %q, expected %q", text, got, want)
		}
	}
}

// Whatever the data hold, no message has a line of theirs, markup, or a long run of an id in it.
func TestNamesFromTheDataAreAlwaysFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[0-9a-f]{8}[0-9][0-9a-f]{15,40}`).Draw(t, "id")
		got := Name(rapid.String().Draw(t, "before") + " " + id + " " + rapid.String().Draw(t, "after"))
		if strings.ContainsAny(got, "\n\r<>@&`[]|\x1b") || strings.Contains(got, "://") || strings.Contains(got, id) || len([]rune(got)) > longestName {
			t.Fatalf("%q", got)
		}
	})
}
