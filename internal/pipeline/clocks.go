package pipeline

import (
	"slices"
	"strings"
	"time"

	"retrytax/internal/config"
)

// clockChangeDays lists the days, by local date, on which the clocks of some zone change:
// from the first time that can be true to a year after now. SQL looks for times that were
// skipped or shown twice on these days only, since looking costs time.
func clockChangeDays(zones []string, now time.Time) string {
	days := map[string]bool{}
	for _, name := range zones {
		loc, err := time.LoadLocation(name)
		if err != nil {
			continue // told elsewhere
		}
		for t := time.Date(2015, 1, 1, 0, 0, 0, 0, loc); t.Before(now.AddDate(1, 0, 0)); {
			_, end := t.ZoneBounds()
			if end.IsZero() {
				break
			}
			// The clock before the change, and the one after it.
			for _, at := range []time.Time{end.Add(-time.Second), end, end.Add(time.Hour)} {
				days[at.Format("2006-01-02")] = true
			}
			t = end
		}
	}
	var list []string
	for d := range days {
		list = append(list, d)
	}
	slices.Sort(list)
	return strings.Join(list, ",")
}

// zonesOf are the zones that a file's times without an offset can be in.
func zonesOf(c *config.Config, zone string) []string {
	zones := []string{zone}
	for _, p := range c.ProviderRows() {
		if p.Zone != "" {
			zones = append(zones, p.Zone)
		}
	}
	return zones
}
