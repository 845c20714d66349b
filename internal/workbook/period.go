package workbook

import "time"

// periodText is the period in words. Whole days are shown with the last day that is inside,
// as people read dates; anything else by its two ends.
func (b *builder) periodText() string {
	from, to := b.audit.Period.From.In(b.zone), b.audit.Period.To.In(b.zone)
	if from.IsZero() || to.IsZero() {
		return "period unknown"
	}
	if isMidnight(from) && isMidnight(to) && to.After(from) {
		first, last := from.Format(time.DateOnly), to.AddDate(0, 0, -1).Format(time.DateOnly)
		if first == last {
			return first
		}
		return first + " to " + last
	}
	const minute = "2006-01-02 15:04:05"
	return from.Format(minute) + " to " + to.Format(minute)
}

func isMidnight(t time.Time) bool {
	h, m, s := t.Clock()
	return h == 0 && m == 0 && s == 0 && t.Nanosecond() == 0
}
