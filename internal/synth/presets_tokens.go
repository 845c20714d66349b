package synth

import "time"

// The worlds of this file have a bill that does not know the caller's request id. They
// lay a habit of log and bill over a world of troubles.

// Strangers is which ids such a bill shows.
type Strangers int

// The bill shows the vendor's own ids, which the log has of the calls that were answered;
// or it shows none that the log knows.
const (
	ReceiptsOnly Strangers = iota
	NoSharedIDs
)

// Unnamed is a world whose bill does not show the caller's request id.
func Unnamed(c Config, ids Strangers) Config {
	c.NoRequestIDs, c.Numbers = true, false
	c.Receipts, c.VendorIDs = ids == ReceiptsOnly, ids == ReceiptsOnly
	return c
}

// Troubled is a day of about a call a minute in which the application and its SDK retry, and
// the server fails now and then.
func Troubled(seed uint64) Config {
	c := slowAnswers(seed)
	c.Requests = 1440
	c.NeverStarted, c.ConnectFails = 0.2, 0.01
	c.Refused, c.Vendor.ServerErrors, c.BilledErrors = 0.02, 0.02, 0.5
	c.Providers = []Provider{{Name: "northwind", Jitter: 120 * time.Millisecond}}
	if seed%2 == 1 {
		c.OutputMedian, c.Timeout, c.SDKRetries, c.SDKTimeout = 400, 45*time.Second, 1, 20*time.Second
	}
	return c
}

// Crowded is a day of 13 000 calls that send one of 200 prompts.
func Crowded(seed uint64) Config {
	c := Troubled(seed)
	c.Requests, c.Prompts = 13_000, 200
	return c
}

// HalfLogged is a crowded day of which half of the calls write no line.
func HalfLogged(seed uint64) Config {
	c := Crowded(seed)
	c.Log.Unlogged = 0.5
	return c
}

// ClockOff is a world whose vendors' clocks run 90 s ahead.
func ClockOff(c Config) Config {
	return eachVendor(c, func(p *Provider) { p.Offset = 90 * time.Second })
}

// StampsAtEnd is a world whose vendors stamp a charge when its execution ends.
func StampsAtEnd(c Config) Config { return eachVendor(c, func(p *Provider) { p.StampAtEnd = true }) }

// ByTheMinute is a world whose vendors stamp whole minutes.
func ByTheMinute(c Config) Config { return Coarse(c, time.Minute) }

// Coarse is a world whose vendors cut their stamps to whole steps.
func Coarse(c Config, step time.Duration) Config {
	return eachVendor(c, func(p *Provider) { p.Resolution = step })
}

func eachVendor(c Config, change func(*Provider)) Config {
	providers := append([]Provider(nil), c.Providers...)
	for i := range providers {
		change(&providers[i])
	}
	c.Providers = providers
	return c
}
