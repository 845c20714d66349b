package pipeline

import (
	"testing"
	"time"
)

func TestPeriodBefore(t *testing.T) {
	zurich, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	for period, want := range map[string]string{
		"2026-10": "2026-09-01 00:00 2026-10-01 00:00", "2026-01": "2025-12-01 00:00 2026-01-01 00:00", "2026": "2025-01-01 00:00 2026-01-01 00:00",
		"2026-10-26":             "2026-10-25 00:00 2026-10-26 00:00", // the day before has 25 hours
		"2026-03-29":             "2026-03-28 00:00 2026-03-29 00:00", // it has 23 itself
		"2026-10-03..2026-10-06": "2026-09-30 00:00 2026-10-03 00:00",
	} {
		from, to, err := ParsePeriod(period, "Europe/Zurich")
		if err != nil {
			t.Fatal(err)
		}
		first, last := periodBefore(from, to, zurich)
		if got := first.Format("2006-01-02 15:04 ") + last.Format("2006-01-02 15:04"); got != want {
			t.Errorf("before %s is %s, want %s", period, got, want)
		}
	}
}
