package alert

import (
	"fmt"
	"strings"
)

// Languages of messages.
const (
	English = "en"
	Chinese = "zh"
)

// Title is the first line of a message.
func (e Event) Title(language string) string {
	return "retrytax · " + e.Night + " · " + vocabularyOf(language).titles[e.Condition]
}

// Text is the whole message.
func (e Event) Text(language string) string {
	w := vocabularyOf(language)
	lines := []string{e.Title(language)}
	switch e.Condition {
	case RetryTax:
		for _, t := range e.Taxes {
			if t.Share != "" {
				lines = append(lines, fmt.Sprintf(w.taxOf, t.Currency, t.Excess, t.Currency, t.Billed, t.Share, t.Limit))
				continue
			}
			lines = append(lines, fmt.Sprintf(w.tax, t.Currency, t.Excess, t.Currency, t.Billed, t.Limit))
		}
	case ErrorRate:
		if m := e.Minute; m != nil {
			lines = append(lines, fmt.Sprintf(w.minute, m.At, e.Zone, m.Failed, m.Attempts, m.Rate, m.Limit))
		}
	case RunFails:
		if len(e.Names) > 0 {
			lines = append(lines, w.lead[RunFails]+w.colon+e.list(w))
		}
		if e.Step != "" {
			lines = append(lines, fmt.Sprintf(w.fails, w.step(e.Step), e.Code))
		} else {
			lines = append(lines, fmt.Sprintf(w.without, e.Code))
		}
	default:
		lines = append(lines, w.lead[e.Condition]+w.colon+e.list(w))
	}
	return strings.Join(lines, "\n")
}

// list is the names of an event, those of verdicts with what they mean.
func (e Event) list(w *vocabulary) string {
	names := make([]string, len(e.Names))
	for i, n := range e.Names {
		names[i] = n
		if meaning, ok := w.verdicts[n]; ok && e.Condition == NewCause {
			names[i] += fmt.Sprintf(w.meaning, meaning)
		}
	}
	text := strings.Join(names, w.comma)
	if e.More > 0 {
		text += fmt.Sprintf(w.more, e.More)
	}
	return text
}

func (w *vocabulary) step(s string) string {
	if t, ok := w.steps[s]; ok {
		return t
	}
	return s
}
