package ui

import (
	"fmt"

	"retrytax/internal/report"
)

// bill is the vendor's totals against the log.
func (p *invoicePage) bill() {
	b := p.v.Bill
	if b == nil {
		return
	}
	p.heading("The vendor's totals against the log")
	t := table{cols: []column{{title: "model", min: 10}, {title: "requests", right: true}, {title: "logged", right: true}, {title: "answered", right: true}, {title: "abandoned", right: true}, {title: "hidden", right: true}, {title: ""}, {title: "billed", right: true}, {title: "answers cost", right: true}, {title: "gap", right: true}}}
	for _, m := range b.Models[:min(len(b.Models), invoiceLines)] {
		t.add(orDash(m.Model), told(m.Requests), count(m.Logged), count(m.Answered), count(m.Abandoned), told(m.Hidden), m.Currency, orUntold(m.Amount), orUntold(m.AnsweredCost), orUntold(m.Gap))
	}
	t.write(p.page)
	for _, m := range b.Models[:min(len(b.Models), invoiceLines)] {
		if m.Diagnosis != "" {
			p.item(orDash(m.Model)+", "+m.Diagnosis+": "+m.Text, "  ", normal)
		}
		if gap, ok := value(m.Gap); ok && gap.IsPositive() && m.AbandonedCost != "" && m.Logged > 0 {
			text := fmt.Sprintf("%s: of the gap of %s %s abandoned requests explain at most %s", orDash(m.Model), m.Currency, Amount(m.Gap), Amount(m.AbandonedCost))
			if !isZero(m.Unexplained) {
				text += "; " + Amount(m.Unexplained) + " is explained by nothing in the log"
			}
			p.item(text, "  ", normal)
		}
		if m.Logged == 0 {
			p.item(orDash(m.Model)+" is on the bill and in no line of the log", "  ", yellow)
		}
	}
	if b.Hidden != nil {
		p.item(counted(*b.Hidden, "request was counted", "requests were counted")+" by the vendor that no line of the log shows: hidden retries", "  ", normal)
	}
	if b.Started.Value != nil {
		text := "started fraction of abandoned requests: " + percentOf(*b.Started.Value)
		if b.Started.Low != nil && b.Started.High != nil {
			text += " (" + percentOf(*b.Started.Low) + " … " + percentOf(*b.Started.High) + ")"
		}
		p.item(text+", by "+b.Basis, "  ", bold)
	}
	for _, n := range b.Notes {
		p.item(n, "  ", dim)
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
