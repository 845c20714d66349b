package synth

import "time"

// Clean is a world without any trouble: every charge is delivered.
func Clean() Config {
	return Config{
		Seed:   1,
		Client: Client{Timeout: 5 * time.Minute},
		Log:    Log{Receipts: true},
		Bill:   Bill{Numbers: true, VendorIDs: true},
	}
}

// slowAnswers makes about one attempt in ten outlast a timeout of 30 s: long
// outputs, and two slow spells a day.
func slowAnswers(seed uint64) Config {
	return Config{
		Seed:   seed,
		Vendor: Vendor{OutputMedian: 600, OutputSigma: 0.7, MaxOutput: 4096, IncidentsPerDay: 2, IncidentFactor: 4},
		Client: Client{Timeout: 30 * time.Second},
	}
}

// AppRetries is the plain trouble: read timeouts, retried by the application,
// and a vendor that runs on. One abandoned execution in five never started.
func AppRetries(seed uint64) Config {
	c := slowAnswers(seed)
	c.NeverStarted = 0.2
	c.ConnectFails = 0.01
	return c
}

// HiddenSDK has an SDK that times out before the application does, and tries
// again without a line in the log.
func HiddenSDK(seed uint64) Config {
	c := slowAnswers(seed)
	c.OutputMedian = 400
	c.Timeout, c.SDKRetries, c.SDKTimeout = 45*time.Second, 2, 18*time.Second
	return c
}

// Fallback asks the other provider's model after half of the failures.
func Fallback(seed uint64) Config {
	c := slowAnswers(seed)
	c.Providers, c.Models = twoProviders()
	c.Fallback = 0.5
	return c
}

// Hedging sends a second attempt after six seconds, and takes what comes first.
func Hedging(seed uint64) Config {
	c := slowAnswers(seed)
	c.Hedge, c.HedgeCancel = 0.6, 0.5
	return c
}

// IDReuse has agents that make all their calls under one trace id.
func IDReuse(seed uint64) Config {
	c := slowAnswers(seed)
	c.Traces = 0.5
	return c
}

// FanOut makes calls side by side under one id, some with one prompt.
func FanOut(seed uint64) Config {
	c := slowAnswers(seed)
	c.Traffic.FanOut, c.SamePrompt = 0.4, 0.3
	return c
}

// OtherCalls has an unlogged component that calls under known request ids.
func OtherCalls(seed uint64) Config {
	c := slowAnswers(seed)
	c.Traffic.OtherCalls = 0.15
	return c
}

// BilledRefusals has a faulty vendor that charges the prompt of what it refused.
func BilledRefusals(seed uint64) Config {
	c := slowAnswers(seed)
	c.Refused, c.BadRequest, c.Vendor.BilledRefusals = 0.08, 0.01, 0.5
	return c
}

// DuplicateLines has an export that shows some charges twice, and refunds.
func DuplicateLines(seed uint64) Config {
	c := slowAnswers(seed)
	c.Duplicates, c.Refunds = 0.02, 0.2
	return c
}

// Orphans has traffic that no log shows, some of it under another key.
func Orphans(seed uint64) Config {
	c := slowAnswers(seed)
	c.Traffic.Orphans, c.ForeignKey = 0.1, 0.3
	return c
}

// Dedup has a vendor that honours idempotency keys: a retry waits for the first
// execution and gets its result, and only that is billed.
func Dedup(seed uint64) Config {
	c := slowAnswers(seed)
	c.Providers = []Provider{{Name: "northwind", Dedup: true}}
	return c
}

// ServerErrors has a vendor that bills half of its own failures.
func ServerErrors(seed uint64) Config {
	c := slowAnswers(seed)
	c.Vendor.ServerErrors, c.BilledErrors = 0.08, 0.5
	return c
}

// Layers is HiddenSDK with the SDK's own lines in the log.
func Layers(seed uint64) Config {
	c := HiddenSDK(seed)
	c.Layer = "sdk"
	return c
}

// StreamTail has streams that arrive whole but whose end is not seen, and a
// vendor that stops when the client leaves.
func StreamTail(seed uint64) Config {
	c := slowAnswers(seed)
	c.Providers = []Provider{{Name: "northwind", Disconnect: StopsBlank}}
	c.Streamed, c.TailLost = 0.8, 0.05
	return c
}

// NoIDs has a bill that does not echo the caller's request id.
func NoIDs(seed uint64) Config {
	c := AppRetries(seed)
	c.NoRequestIDs = true
	return c
}

// LostLines is a mixed world of which a share of the log lines is gone.
func LostLines(seed uint64, share float64) Config {
	c := Mixed(seed)
	c.Lost = share
	return c
}

// twoProviders is a vendor that runs on and one that stops at a disconnect, with
// tokenizers that differ a little.
func twoProviders() ([]Provider, []Model) {
	providers := []Provider{{Name: "northwind"}, {Name: "contoso", Disconnect: StopsFlagged}}
	return providers, []Model{
		{Provider: "northwind", Name: "nw-large", Speed: 60, TokenRatio: 1,
			Input: PerMillion("2.5"), Cached: PerMillion("0.25"), Output: PerMillion("10")},
		{Provider: "contoso", Name: "ct-plus", Speed: 75, TokenRatio: 1.07,
			Input: PerMillion("0.8"), Cached: PerMillion("0.16"), Output: PerMillion("4.125")},
		{Provider: "northwind", Name: "nw-small", Speed: 110, TokenRatio: 1,
			Input: PerMillion("0.15"), Cached: PerMillion("0.015"), Output: PerMillion("0.6")},
	}
}
