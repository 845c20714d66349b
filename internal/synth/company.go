package synth

import "time"

// Company is the month of a company whose five services have everything that retrytax
// looks for: retries of the application and of the SDK, hedging, fan-out, ids that are
// used again, fallback, streams, queries, a gateway; vendors that run on after a
// disconnect, that stop, that honour idempotency keys and that only say so; refusals and
// failures that are billed; and on the bills lines that stand there twice, refunds,
// credits, taxes, and traffic that no log shows.
func Company(seed uint64, from time.Time, requests int) *Month {
	return &Month{Seed: seed, From: from, Requests: requests, Services: []Service{
		{"assistant", 42, assistant()}, {"search", 20, search()}, {"documents", 14, documents()},
		{"summaries", 12, summaries()}, {"reports", 12, reports()},
	}}
}

// The vendors of the company.
var (
	// northwind runs on after a disconnect, and shows its receipts.
	northwind = Provider{Name: "northwind", Offset: 1200 * time.Millisecond, Jitter: 80 * time.Millisecond,
		Export: &Bill{VendorIDs: true}}
	// contoso stops when the client leaves, stamps the end, and shows whole seconds.
	contoso = Provider{Name: "contoso", Disconnect: StopsFlagged, StampAtEnd: true, Offset: -800 * time.Millisecond,
		Resolution: time.Second, Export: &Bill{GenerationMS: true}}
	// fabrikam says that it honours idempotency keys, and bills input and output apart.
	fabrikam = Provider{Name: "fabrikam", Promised: true, Offset: 300 * time.Millisecond, Jitter: 50 * time.Millisecond,
		Export: &Bill{SplitItems: true, NoFinish: true}}
	// tailspin honours them, and shows the attempt that the caller numbers.
	tailspin = Provider{Name: "tailspin", Dedup: true, Jitter: 20 * time.Millisecond, Export: &Bill{Numbers: true}}
)

// Their models.
var (
	nwLarge = Model{Provider: "northwind", Name: "nw-large", Speed: 60, TokenRatio: 1,
		Input: PerMillion("2.5"), Cached: PerMillion("0.25"), Output: PerMillion("10")}
	nwSmall = Model{Provider: "northwind", Name: "nw-small", Speed: 110, TokenRatio: 1,
		Input: PerMillion("0.15"), Cached: PerMillion("0.015"), Output: PerMillion("0.6")}
	ctPlus = Model{Provider: "contoso", Name: "ct-plus", Speed: 75, TokenRatio: 1.07,
		Input: PerMillion("0.8"), Cached: PerMillion("0.16"), Output: PerMillion("4.125")}
	fbWriter = Model{Provider: "fabrikam", Name: "fb-writer", Speed: 70, TokenRatio: 1.02,
		Input: PerMillion("1.1"), Cached: PerMillion("0.275"), Output: PerMillion("4.4")}
	tsMini = Model{Provider: "tailspin", Name: "ts-mini", Speed: 120, TokenRatio: 0.97,
		Input: PerMillion("0.25"), Cached: PerMillion("0.025"), Output: PerMillion("2")}
)

// usual is what all services have in common.
func usual(key string) Config {
	return Config{
		APIKey: key,
		Vendor: Vendor{InputMedian: 1400, InputSigma: 0.7, OutputMedian: 420, OutputSigma: 0.7, MaxOutput: 4096,
			IncidentFactor: 4, IncidentErrors: 0.12, Load: 0.5, NeverStarted: 0.15, CachedPrompts: 0.3, WarmedByRetries: 0.4,
			Refused: 0.012, BadRequest: 0.002, ManyRefusals: true, BilledRefusals: 0.2, ServerErrors: 0.01, BilledErrors: 0.5},
		Client:  Client{Timeout: 45 * time.Second, ConnectFails: 0.002},
		Traffic: Traffic{Daily: true},
		Bill:    Bill{Duplicates: 0.002, Refunds: 0.08, NamesRequest: 0.4},
	}
}

// assistant is a chat: streams, an SDK that retries by itself, hedging, a fallback.
func assistant() Config {
	c := usual("assistant")
	c.IDs = Hex16
	c.Providers, c.Models = []Provider{northwind, contoso}, []Model{nwLarge, ctPlus, nwSmall}
	c.SDKRetries, c.SDKTimeout = 1, 25*time.Second
	c.Streamed, c.TailLost = 0.3, 0.004
	c.Cancelled = 0.003
	c.Fallback, c.Hedge, c.HedgeWait, c.HedgeCancel, c.HedgeOther = 0.4, 0.06, 8*time.Second, 0.5, 0.1
	c.Receipts, c.Copies, c.Lost = true, 0.004, 0.001
	c.Credit = 0.01
	return c
}

// search asks several questions at once and in turn under one id, with idempotency keys,
// and logs what its SDK does. Another team uses its key.
func search() Config {
	c := usual("search")
	c.Providers, c.Models = []Provider{fabrikam}, []Model{fbWriter}
	c.IdempotencyKeys = true
	c.Traffic.FanOut, c.SamePrompt, c.Traces = 0.05, 0.3, 0.1
	c.Traffic.Orphans, c.Traffic.OtherCalls, c.ForeignKey = 0.03, 0.01, 0.2
	c.SDKRetries, c.SDKTimeout, c.Layer = 1, 25*time.Second, "sdk"
	c.Crashes, c.Begins = 0.03, true
	c.OutputMedian = 300
	c.Tax = 0.06
	return c
}

// documents writes long texts through a gateway, which retries and logs as well.
func documents() Config {
	c := usual("documents")
	c.IDs = Decimal20
	c.Providers, c.Models = []Provider{northwind, contoso}, []Model{nwLarge, ctPlus}
	c.OutputMedian, c.InputMedian = 900, 3000
	c.Timeout, c.MaxAttempts = 90*time.Second, 2
	c.SDKRetries, c.SDKTimeout = 1, 40*time.Second
	c.Layer, c.Receipts = "gateway", true
	return c
}

// summaries asks for the state of what timed out before it tries again.
func summaries() Config {
	c := usual("summaries")
	c.Providers, c.Models = []Provider{northwind, tailspin}, []Model{nwLarge, tsMini}
	c.OutputMedian, c.Timeout = 700, 30*time.Second
	c.AsksFirst = 0.8
	c.Crashes, c.Begins = 0.02, true
	c.Tokens = InputAlways
	return c
}

// reports has the client of the first article: two log lines, neither tokens nor models in
// them, none for what was refused.
func reports() Config {
	c := usual("reports")
	c.Providers, c.Models = []Provider{contoso}, []Model{ctPlus}
	c.OutputMedian, c.OutputSigma, c.Timeout = 1100, 0.8, 60*time.Second
	c.FromZero, c.OnlyTimeouts, c.Tokens = true, true, NoTokens
	return c
}

// Plain is a month of a single service and two vendors, for measurements: most calls are
// one attempt and one charge, and the usual troubles are there.
func Plain(seed uint64, from time.Time, requests int) *Month {
	c := usual("app")
	c.Providers, c.Models = twoProviders()
	c.SDKRetries, c.SDKTimeout = 1, 25*time.Second
	c.Fallback, c.Hedge, c.Traces, c.FanOut = 0.3, 0.03, 0.02, 0.02
	c.Orphans, c.OtherCalls = 0.01, 0.005
	c.Receipts, c.VendorIDs = true, true
	c.Crashes, c.Begins = 0.01, true
	m := &Month{Seed: seed, From: from, Requests: requests}
	for range plainShards { // alike, so that they can be simulated side by side
		m.Services = append(m.Services, Service{"app", 100 / plainShards, c})
	}
	return m
}

const plainShards = 4

// Totals is a month of a single service whose vendors bill by the day, key and model only: its timeouts, hidden
// retries and slow spells are those of Plain, and all that runs under its key is logged.
func Totals(seed uint64, from time.Time, requests int) *Month {
	m := Plain(seed, from, requests)
	for i := range m.Services {
		c := &m.Services[i].Config
		c.Orphans, c.OtherCalls = 0, 0
		c.BilledErrors, c.BilledRefusals = 0, 0
		c.Duplicates, c.Refunds = 0, 0
	}
	return m
}
