package alert

import "retrytax/internal/words"

// vocabulary is the words of one language. The English ones are keys of the catalogue (internal/words).
type vocabulary struct {
	titles, lead                map[Condition]string
	verdicts, steps             map[string]string
	tax, taxOf, minute, fails   string
	without                     string
	colon, comma, more, meaning string
}

var english = vocabulary{
	titles: map[Condition]string{
		RunFails: "the run failed", ChecksFail: "checks failed", MissingInput: "input is missing", RetryTax: "retry tax",
		ErrorRate: "error rate", NewCause: "a new cause", NewProvider: "a new provider",
	},
	lead: map[Condition]string{
		RunFails:     "Could not be read",
		ChecksFail:   "The numbers contradict each other, no report was published",
		MissingInput: "Nothing new came from",
		NewCause:     "Paid for the first time and should not have been",
		NewProvider:  "Seen for the first time",
	},
	verdicts: map[string]string{
		"duplicate_line": "the same line billed twice", "not_billable": "billed, but never ran", "hedged": "a parallel copy that lost",
		"double_retry": "retries in two layers", "sdk_retry": "a hidden SDK retry", "partial_tokens": "a timeout, billed in part",
		"timeout_retry": "a timeout, billed in full", "server_error_retry": "failed, billed anyway",
	},
	steps:   map[string]string{"open": "opening the database", "ingest": "loading files", "reconcile": "reconciling", "report": "reporting"},
	tax:     "%s %s of %s %s settled since the night before should not have been paid; the limit is %s",
	taxOf:   "%s %s of %s %s settled since the night before should not have been paid (%s); the limit is %s",
	minute:  "At %s (%s) %d of %d attempts of one minute failed: %s; the limit is %s",
	fails:   "It failed while %s, with exit code %d. Its log says why; the next run goes on from the last good state",
	without: "The rest was loaded and judged; exit code %d. Its log says why; the next run tries again",
	colon:   ": ", more: " and %d more", meaning: " (%s)",
}

// vocabularyOf is the words of a language, from the catalogue of all reports.
func vocabularyOf(language string) *vocabulary {
	l, _ := words.Parse(language)
	said := func(m map[string]string) map[string]string {
		out := map[string]string{}
		for code, text := range m {
			out[code] = l.T(text)
		}
		return out
	}
	w := vocabulary{titles: map[Condition]string{}, lead: map[Condition]string{}, verdicts: said(english.verdicts), steps: said(english.steps),
		tax: l.T(english.tax), taxOf: l.T(english.taxOf), minute: l.T(english.minute), fails: l.T(english.fails), without: l.T(english.without), colon: l.T(english.colon), comma: l.Comma(), more: l.T(english.more), meaning: l.T(english.meaning)}
	for c, text := range english.titles {
		w.titles[c] = l.T(text)
	}
	for c, text := range english.lead {
		w.lead[c] = l.T(text)
	}
	return &w
}
