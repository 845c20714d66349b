package config

import (
	"slices"
	"time"
)

// ProviderRow is an effective profile as SQL reads it: one row for each name under which a
// provider may stand in a log or a bill, and one with the empty name for all others.
type ProviderRow struct {
	Provider       string // lower case, trimmed; "" holds the defaults
	Canonical      string // the name of the entry that Provider belongs to
	Idempotency    string
	KeyLifetimeMS  int64
	BilledStatuses []int // ascending, without repeats; never nil
	BillsCancelled string
	Stamp          string
	StampOrigin    Origin
	SkewMS         int64
	SkewOrigin     Origin
	TailMS         int64
	LatenessMS     int64
	UniqueIDs      bool
	CachedTokens   string
	Zone           string
}

// ProviderRows is sorted by Provider, the defaults first.
func (c *Config) ProviderRows() []ProviderRow {
	rows := []ProviderRow{c.providerRow("")}
	for _, name := range c.names() {
		rows = append(rows, c.providerRow(name))
	}
	return rows
}

func (c *Config) providerRow(name string) ProviderRow {
	p := c.Provider(name)
	return ProviderRow{
		Provider:       name,
		Canonical:      c.Canonical(name),
		Idempotency:    p.Idempotency.Value,
		KeyLifetimeMS:  ms(p.KeyLifetime),
		BilledStatuses: ascending(p.BilledStatuses.Value),
		BillsCancelled: p.BillsCancelled.Value,
		Stamp:          p.Stamp.Value,
		StampOrigin:    p.Stamp.From,
		SkewMS:         ms(p.Skew),
		SkewOrigin:     p.Skew.From,
		TailMS:         ms(p.Tail),
		LatenessMS:     ms(p.Lateness),
		UniqueIDs:      p.UniqueIDs.Value,
		CachedTokens:   p.CachedTokens.Value,
		Zone:           p.Zone.Value,
	}
}

// ModelRow is one name of a model and what it is called in the reports.
type ModelRow struct{ Alias, Canonical string }

// ModelRows is sorted by alias.
func (c *Config) ModelRows() []ModelRow {
	rows := make([]ModelRow, 0, len(c.Models))
	for _, alias := range sortedKeys(c.Models) {
		rows = append(rows, ModelRow{alias, c.Models[alias]})
	}
	return rows
}

func ms(d Setting[time.Duration]) int64 { return d.Value.Milliseconds() }

func ascending(codes []int) []int {
	out := slices.Clone(codes)
	slices.Sort(out)
	return append([]int{}, slices.Compact(out)...)
}
