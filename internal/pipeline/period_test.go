package pipeline

import (
	"testing"
	"time"
)

// The days of a month cover it without a gap and without an overlap in every zone, whatever the clocks do: days of 23
// and 25 hours, clocks that change at midnight, by half an hour, or leave a whole day out.
func TestDaysTileTheirMonth(t *testing.T) {
	for _, zone := range []string{"UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "America/Havana", "Australia/Lord_Howe", "Africa/Cairo",
		"Asia/Beirut", "Asia/Shanghai", "Asia/Kolkata", "Pacific/Apia", "Pacific/Kiritimati", "Atlantic/Azores"} {
		for _, year := range []int{2011, 2025, 2026} {
			for month := time.January; month <= time.December; month++ {
				name := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
				from, to, err := ParsePeriod(name.Format("2006-01"), zone)
				if err != nil {
					t.Fatalf("%s %s: %v", zone, name.Format("2006-01"), err)
				}
				at := from
				for day := name; day.Month() == month; day = day.AddDate(0, 0, 1) {
					begins, ends, err := ParsePeriod(day.Format(time.DateOnly), zone)
					if err != nil {
						if zone == "Pacific/Apia" && day.Format(time.DateOnly) == "2011-12-30" {
							continue // Samoa crossed the date line: there was no such day
						}
						t.Fatalf("%s %s: %v", zone, day.Format(time.DateOnly), err)
					}
					if !begins.Equal(at) {
						t.Errorf("%s %s begins at %v, expected %v, where the day before ends", zone, day.Format(time.DateOnly), begins.UTC(), at.UTC())
					}
					at = ends
				}
				if !at.Equal(to) {
					t.Errorf("%s %s: the last day ends at %v, the month at %v", zone, name.Format("2006-01"), at.UTC(), to.UTC())
				}
			}
		}
	}
}
