package ui

import "retrytax/internal/report"

// bill is the vendor's totals against the log.
func (p *invoicePage) bill() {
	b := p.v.Bill
	if b == nil {
		return
	}
	p.heading(p.t("The vendor's totals against the log"))
	t := table{cols: []column{{title: p.t("model"), min: 10}, {title: p.t("requests"), right: true}, {title: p.t("logged"), right: true}, {title: p.t("answered"), right: true}, {title: p.t("abandoned"), right: true}, {title: p.t("hidden"), right: true}, {title: ""}, {title: p.t("billed"), right: true}, {title: p.t("answers cost"), right: true}, {title: p.t("gap"), right: true}}}
	for _, m := range b.Models[:min(len(b.Models), invoiceLines)] {
		t.add(orDash(m.Name()), told(m.Requests), count(m.Logged), count(m.Answered), count(m.Abandoned), told(m.Hidden), m.Currency, orUntold(m.Amount), orUntold(m.AnsweredCost), orUntold(m.Gap))
	}
	t.write(p.page)
	for _, m := range b.Models[:min(len(b.Models), invoiceLines)] {
		if m.Diagnosis != "" {
			p.item(orDash(m.Name())+", "+p.t(m.Diagnosis)+": "+Clean(p.lang.Of(m.Text)), "  ", normal)
		}
		if gap, ok := value(m.Gap); ok && gap.IsPositive() && m.AbandonedCost != "" && m.Logged > 0 {
			text := p.t("%s: of the gap of %s abandoned requests explain at most %s", orDash(m.Name()), m.Currency+" "+Amount(m.Gap), Amount(m.AbandonedCost))
			if !isZero(m.Unexplained) {
				text += p.t("; %s is explained by nothing in the log", Amount(m.Unexplained))
			}
			p.item(text, "  ", normal)
		}
		if m.Logged == 0 {
			p.item(p.t("%s is on the bill and in no line of the log", orDash(m.Name())), "  ", yellow)
		}
	}
	if b.Hidden != nil {
		p.item(p.tn(*b.Hidden, "%s request was counted by the vendor that no line of the log shows: hidden retries", "%s requests were counted by the vendor that no line of the log shows: hidden retries"), "  ", normal)
	}
	if b.Started.Value != nil {
		text := p.t("started fraction of abandoned requests: %s", percentOf(*b.Started.Value))
		if b.Started.Low != nil && b.Started.High != nil {
			text += " (" + percentOf(*b.Started.Low) + " … " + percentOf(*b.Started.High) + ")"
		}
		p.item(text+p.t(", by %s", p.t(b.Basis)), "  ", bold)
	}
	for _, n := range b.Notes {
		p.item(Clean(p.lang.Of(n)), "  ", dim)
	}
}

// told is a count, or a dash where nobody tells it.
func told(n *int64) string {
	if n == nil {
		return "-"
	}
	return count(*n)
}

func orUntold(m report.Money) string {
	if m == "" {
		return "-"
	}
	return Amount(m)
}
