package workbook

import (
	"strings"

	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// t is a sentence in the language of the report.
func (b *builder) t(english string, args ...any) string { return b.opts.Lang.T(english, args...) }

// The codes of the reports in plain words; one that is not known stays as it is.

func (b *builder) verdictName(code string) string { return b.name(ui.Verdicts, code) }

func (b *builder) matchName(code string) string { return b.name(ui.Matches, code) }

func (b *builder) recoveryName(code string) string {
	if code == "none" {
		return ""
	}
	return b.t(report.RecoveryWords(code))
}

func (b *builder) name(list []ui.Word, code string) string {
	for _, w := range list {
		if w.Code == code {
			return b.t(w.Name)
		}
	}
	return code
}

// causes are the verdicts of a call in words: "timeout, billed in full ×2; hidden SDK retry".
func (b *builder) causes(verdicts string) string {
	var out []string
	for v := range strings.SplitSeq(verdicts, ", ") {
		code, times, more := strings.Cut(v, " ×")
		text := b.verdictName(code)
		if more {
			text += " ×" + times
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// reasonName is the rule that gave a verdict, as a sentence.
func (b *builder) reasonName(code string) string {
	if text, ok := report.RuleWords[code]; ok {
		return b.t(text)
	}
	return code
}

// exceptionReason says why something was kept out of the headline.
func (b *builder) exceptionReason(r *exceptionRow) string {
	switch r.Kind {
	case "unsettled":
		return b.t("looks like: %s", b.verdictName(r.Reason))
	case "lead":
		if r.Reason == "lead" {
			return b.name(ui.OrphanReasons, r.Reason)
		}
		return b.name(ui.Leads, r.Reason)
	case "orphan":
		return b.name(ui.OrphanReasons, r.Reason)
	}
	return b.opts.Lang.Of(r.Reason)
}
