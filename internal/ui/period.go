package ui

import (
	"time"

	"retrytax/internal/report"
)

const stampFormat = "2006-01-02 15:04:05"

// period is periodText in the language of the page.
func (p *page) period(x report.Period) string {
	if x.From.IsZero() || x.To.IsZero() {
		return p.t("no period")
	}
	return periodText(x)
}

// periodText is the period with its last day included, and its zone. A period that does
// not run from midnight to midnight shows its times.
func periodText(p report.Period) string {
	if p.From.IsZero() || p.To.IsZero() {
		return "no period"
	}
	zone := short(p.Zone)
	if zone == "" {
		zone = "UTC"
	}
	if midnight(p.From) && midnight(p.To) && p.To.After(p.From) {
		first, last := p.From.Format(time.DateOnly), p.To.AddDate(0, 0, -1).Format(time.DateOnly)
		if first == last {
			return first + ", " + zone
		}
		return first + " … " + last + ", " + zone
	}
	return p.From.Format(stampFormat) + " … " + p.To.Format(stampFormat) + ", " + zone
}

func midnight(t time.Time) bool {
	return t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 && t.Nanosecond() == 0
}
