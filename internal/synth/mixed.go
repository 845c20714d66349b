package synth

import (
	"math/rand/v2"
	"time"
)

// Mixed has a bit of everything. The seed draws the knobs as well: another seed
// is another world, with other clocks, other columns and other habits.
func Mixed(seed uint64) Config {
	k := knobs{rand.New(rand.NewPCG(seed, 0x6d69786564))}
	c := slowAnswers(seed)
	c.Providers, c.Models = twoProviders()
	k.vendors(&c)
	k.troubles(&c)
	k.habits(&c)
	k.columns(&c)
	return c
}

// knobs draws the knobs of a mixed world.
type knobs struct{ *rand.Rand }

func (k knobs) coin(p float64) bool         { return k.Float64() < p }
func (k knobs) upTo(most float64) float64   { return most * k.Float64() }
func (k knobs) sometimes(m float64) float64 { return k.upTo(m) * float64(k.IntN(2)) }
func (k knobs) ms(low, high int) time.Duration {
	return time.Duration(low+k.IntN(high-low+1)) * time.Millisecond
}

// vendors draws clocks, stamps and what happens at a disconnect.
func (k knobs) vendors(c *Config) {
	for i := range c.Providers {
		p := &c.Providers[i]
		p.Disconnect = Disconnect(k.IntN(3))
		p.Dedup = k.coin(0.1)
		p.StampAtEnd = k.coin(0.4)
		p.Offset = k.ms(-2500, 2500)
		p.Jitter = k.ms(0, 150)
		p.Resolution = []time.Duration{time.Millisecond, time.Second}[k.IntN(2)]
	}
	c.OutputMedian = 250 + k.IntN(300)
	c.InputMedian = 500 + k.IntN(2000)
	c.IncidentsPerDay, c.IncidentFactor = k.upTo(4), 2+k.upTo(4)
	c.NeverStarted = k.upTo(0.4)
	c.CachedPrompts, c.WarmedByRetries = k.sometimes(0.6), k.upTo(1)
	c.ReplayReceipts = k.coin(0.3)
}

// troubles draws what goes wrong on the server and on the bill.
func (k knobs) troubles(c *Config) {
	c.Refused, c.BadRequest, c.Vendor.BilledRefusals = k.upTo(0.04), k.upTo(0.005), k.sometimes(0.6)
	c.Vendor.ServerErrors, c.BilledErrors = k.upTo(0.03), k.upTo(0.8)
	c.ConnectFails = k.upTo(0.01)
	c.Duplicates, c.Refunds = k.sometimes(0.01), k.sometimes(0.2)
	c.Traffic.Orphans, c.ForeignKey = k.upTo(0.03), k.upTo(0.5)
	c.Traffic.OtherCalls = k.sometimes(0.04)
	if k.coin(0.3) {
		c.MissingAtEnd = k.ms(60_000, 3_600_000)
	}
	c.Copies = k.sometimes(0.03)
}

// habits draws how the application works.
func (k knobs) habits(c *Config) {
	c.Timeout = k.ms(20_000, 45_000)
	c.MaxAttempts = 2 + k.IntN(2)
	if k.coin(0.6) {
		c.SDKRetries, c.SDKTimeout = 1+k.IntN(2), c.Timeout*time.Duration(45+k.IntN(25))/100
	}
	c.Streamed, c.TailLost = k.sometimes(0.8), k.upTo(0.02)
	c.Cancelled, c.Crashes = k.upTo(0.01), k.upTo(0.03)
	c.Client.Fallback = k.sometimes(0.6)
	c.Hedge, c.HedgeCancel, c.HedgeOther = k.sometimes(0.3), k.upTo(1), k.sometimes(0.2)
	c.HedgeWait = k.ms(4000, 10_000)
	c.Traces, c.Traffic.FanOut, c.SamePrompt = k.sometimes(0.2), k.sometimes(0.1), k.sometimes(0.5)
	c.Client.IdempotencyKeys = k.coin(0.3)
}

// columns draws what the log and the bill show.
func (k knobs) columns(c *Config) {
	c.IDs = IDStyle(k.IntN(3))
	c.FromZero, c.NoNumbers = k.coin(0.4), k.coin(0.1)
	c.Layer = []string{"", "", "", "sdk", "gateway"}[k.IntN(5)]
	c.Tokens = []TokenLog{TokensOfAnswers, TokensOfAnswers, InputAlways, NoTokens}[k.IntN(4)]
	c.Receipts, c.VendorIDs = k.coin(0.5), k.coin(0.5)
	c.Numbers, c.NumbersZero = k.coin(0.3), k.coin(0.4)
	c.NoFinish = k.coin(0.2)
	c.SplitItems = k.coin(0.3)
	c.Bill.GenerationMS = k.coin(0.2)
}
