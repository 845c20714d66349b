package config

import (
	"slices"
	"time"
)

// What a vendor does with an idempotency key that is sent to it.
const (
	Honoured = "honoured" // a repeated key is answered once and billed once
	Ignored  = "ignored"
	Unknown  = "unknown"
)

// Whether a vendor bills a call that the client has left.
const (
	BillsYes    = "yes" // in full
	BillsPartly = "partly"
	BillsNo     = "no"
)

// Where a bill's time stamp lies on the execution.
const (
	StampStart = "start"
	StampEnd   = "end"
)

// Whether the cached tokens of a bill are part of its input tokens or beside them.
const (
	CachedInside  = "inside"
	CachedOutside = "outside"
)

// Profile is how one provider bills. As a layer, only what the layer says is set; as the
// answer of Config.Provider, all but AsOf and Source is.
type Profile struct {
	Idempotency    Setting[string]        // honoured | ignored | unknown
	KeyLifetime    Setting[time.Duration] // how long an idempotency key is remembered
	BilledStatuses Setting[[]int]         // failures that are billed although refused
	BillsCancelled Setting[string]        // yes | no | partly | unknown
	Stamp          Setting[string]        // start | end
	Zone           Setting[string]        // of the bill's times that are written without one
	Skew           Setting[time.Duration] // how far the bill's clock may be off, either way
	Tail           Setting[time.Duration] // how long a server computes after the client has left
	Lateness       Setting[time.Duration] // how late a line may still come to the bill
	UniqueIDs      Setting[bool]          // a charge id never comes again for another execution
	CachedTokens   Setting[string]        // inside | outside
	Aliases        Setting[[]string]      // other names of the provider, lower case
	AsOf           Setting[string]        // YYYY-MM-DD: when the source said so
	Source         Setting[string]        // who says so
}

// or fills what p leaves unset from a weaker layer.
func (p Profile) or(weaker Profile) Profile {
	return Profile{
		Idempotency:    p.Idempotency.or(weaker.Idempotency),
		KeyLifetime:    p.KeyLifetime.or(weaker.KeyLifetime),
		BilledStatuses: p.BilledStatuses.or(weaker.BilledStatuses),
		BillsCancelled: p.BillsCancelled.or(weaker.BillsCancelled),
		Stamp:          p.Stamp.or(weaker.Stamp),
		Zone:           p.Zone.or(weaker.Zone),
		Skew:           p.Skew.or(weaker.Skew),
		Tail:           p.Tail.or(weaker.Tail),
		Lateness:       p.Lateness.or(weaker.Lateness),
		UniqueIDs:      p.UniqueIDs.or(weaker.UniqueIDs),
		CachedTokens:   p.CachedTokens.or(weaker.CachedTokens),
		Aliases:        bothAliases(p.Aliases, weaker.Aliases),
		AsOf:           p.AsOf.or(weaker.AsOf),
		Source:         p.Source.or(weaker.Source),
	}
}

// bothAliases joins the lists: a name that the user adds does not take the known ones away.
func bothAliases(strong, weak Setting[[]string]) Setting[[]string] {
	both := strong.or(weak)
	if strong.IsSet() && weak.IsSet() {
		both.Value = slices.Concat(strong.Value, weak.Value)
		slices.Sort(both.Value)
		both.Value = slices.Compact(both.Value)
	}
	return both
}

// presets is what is taken of a provider that nobody says anything about. Stamp, skew and
// tail are where calibration starts from and falls back to.
func presets(sourceZone Setting[string]) Profile {
	return Profile{
		Idempotency:    preset(Unknown),
		KeyLifetime:    preset(24 * time.Hour),
		BilledStatuses: preset([]int{}),
		BillsCancelled: preset(Unknown),
		Stamp:          preset(StampStart),
		Zone:           sourceZone,
		Skew:           preset(5 * time.Second),
		Tail:           preset(10 * time.Minute),
		Lateness:       preset(48 * time.Hour),
		UniqueIDs:      preset(false),
		CachedTokens:   preset(CachedInside),
	}
}
