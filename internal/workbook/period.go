package workbook

import (
	"time"

	"retrytax/internal/report"
)

// periodText is the report's period in words.
func (b *builder) periodText() string { return b.textOfPeriod(b.audit.Period) }

// textOfPeriod is a period in words. Whole days are shown with the last day that is inside,
// as people read dates; anything else by its two ends.
func (b *builder) textOfPeriod(p report.Period) string {
	from, to := p.From.In(b.zone), p.To.In(b.zone)
	if from.IsZero() || to.IsZero() {
		return b.t("period unknown")
	}
	if isMidnight(from) && isMidnight(to) && to.After(from) {
		first, last := from.Format(time.DateOnly), to.AddDate(0, 0, -1).Format(time.DateOnly)
		if first == last {
			return first
		}
		return b.t("%s to %s", first, last)
	}
	const second = "2006-01-02 15:04:05"
	return b.t("%s to %s", from.Format(second), to.Format(second))
}

func isMidnight(t time.Time) bool {
	h, m, s := t.Clock()
	return h == 0 && m == 0 && s == 0 && t.Nanosecond() == 0
}
