package synth

import "time"

// withDefaults fills what the zero value leaves open, and takes back what would
// make a world in which the truth itself is ambiguous: the bill of a layered
// log shows no numbers (whose would they be), and a lost tail cannot be known
// without tokens.
func (c Config) withDefaults() Config {
	if c.Start.IsZero() {
		c.Start = time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	}
	fill(&c.Period, 24*time.Hour)
	fill(&c.Requests, 2000)
	fill(&c.APIKey, "app")
	fill(&c.Currency, "USD")
	c.Vendor.fill()
	c.Client.fill()
	fill(&c.TraceCalls, 5)
	fill(&c.FanWidth, 5)
	if c.Layer != "" {
		c.Numbers = false
	}
	if c.Tokens == NoTokens {
		c.TailLost = 0
	}
	return c
}

func (v *Vendor) fill() {
	if len(v.Providers) == 0 {
		v.Providers = []Provider{{Name: "northwind"}}
	}
	if len(v.Models) == 0 {
		v.Models = []Model{
			{Provider: v.Providers[0].Name, Name: "nw-large", Input: PerMillion("2.5"), Cached: PerMillion("0.25"),
				Output: PerMillion("10"), Speed: 60},
			{Provider: v.Providers[0].Name, Name: "nw-small", Input: PerMillion("0.15"), Cached: PerMillion("0.015"),
				Output: PerMillion("0.6"), Speed: 110},
		}
	}
	fill(&v.InputMedian, 900)
	fill(&v.InputSigma, 0.6)
	fill(&v.OutputMedian, 220)
	fill(&v.OutputSigma, 0.5)
	fill(&v.MaxOutput, 2048)
	fill(&v.QueueMean, 600*time.Millisecond)
	fill(&v.IncidentLength, 20*time.Minute)
	fill(&v.IncidentFactor, 5)
}

func (c *Client) fill() {
	fill(&c.Timeout, 60*time.Second)
	fill(&c.ConnectTimeout, 5*time.Second)
	fill(&c.MaxAttempts, 3)
	fill(&c.BackoffBase, time.Second)
	fill(&c.BackoffCap, 8*time.Second)
	fill(&c.SDKTimeout, c.Timeout/3)
	fill(&c.HedgeWait, 6*time.Second)
	fill(&c.AskWait, 30*time.Second)
}

// fill sets a field that was left at its zero value.
func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
