package synth

import "time"

// Config describes a world. The zero value is a quiet day of 2000 requests:
// every zero knob means "this trouble does not happen", and zero times and
// sizes mean the default that their comment names. Rates are probabilities.
type Config struct {
	Seed     uint64
	Start    time.Time     // default 2026-10-01 00:00 UTC
	Period   time.Duration // arrivals fall into it; default a day
	Requests int           // expected number of request ids; default 2000
	IDs      IDStyle
	APIKey   string // default "app"
	Currency string // default "USD"

	// Continues: the data go on after the period, so its end hides nothing. CutAtEnd: log and
	// bill were exported at the end of the period, and what ends later is in neither.
	Continues, CutAtEnd bool

	Vendor
	Client
	Traffic
	Log
	Bill
}

// Vendor is the server's side: who answers, how fast, and what goes wrong.
type Vendor struct {
	Providers []Provider // default one, which runs on after a disconnect
	Models    []Model    // default two models of the first provider

	InputMedian, OutputMedian int           // tokens; default 900 and 220
	InputSigma, OutputSigma   float64       // of the lognormal; default 0.6 and 0.5
	MaxOutput                 int           // tokens; default 2048
	QueueMean                 time.Duration // before the first token; default 600 ms

	IncidentsPerDay float64       // slow spells of one provider
	IncidentLength  time.Duration // mean; default 20 min
	IncidentFactor  float64       // latency in a spell is so many times longer; default 5
	Incidents       []Incident    // spells that are given, beside those that are drawn
	IncidentErrors  float64       // share of executions that fail with a 5xx in a given spell
	Load            float64       // at the busiest hour, latency is longer by this share

	Refused         float64 // 429 after about 100 ms; the application tries again
	BadRequest      float64 // 400; final
	ManyRefusals    bool    // not only 400, but 401, 403, 404 and 422 as well
	BilledRefusals  float64 // share of refusals that a faulty vendor bills, without output
	ServerErrors    float64 // 500, 502, 503, and one in five 504 with a backend that runs on
	BilledErrors    float64 // share of server errors that are billed
	NeverStarted    float64 // share of abandoned executions that never ran and cost nothing
	CachedPrompts   float64 // share of prompts of which a part is read from the cache
	WarmedByRetries float64 // share of retries that find their prompt cached by the first try
	ReplayReceipts  bool    // a deduplicated answer carries the receipt of the first execution
}

// Client is the application and the SDK inside it.
type Client struct {
	Timeout        time.Duration // of one application attempt; default 60 s
	ConnectTimeout time.Duration // default 5 s
	MaxAttempts    int           // first try included; default 3
	BackoffBase    time.Duration // doubles with each retry, jittered; default 1 s
	BackoffCap     time.Duration // default 8 s
	ConnectFails   float64       // attempts that never reach the server

	SDKRetries int           // tries beyond the first inside one application attempt
	SDKTimeout time.Duration // of one try; default a third of Timeout

	Streamed  float64       // share of streamed calls
	TailLost  float64       // streams that arrive whole, but whose end is not seen
	Cancelled float64       // attempts that the user gives up; final
	Crashes   float64       // attempts without an end in the log; half are taken up again a minute later
	Fallback  float64       // failures after which the next model is asked
	Hedge     float64       // share of calls that may be hedged
	HedgeWait time.Duration // before the second attempt is sent; default 6 s
	// HedgeCancel is the share of lost races in which the loser is cancelled;
	// the others run to their end. HedgeOther is the share of hedges that ask
	// the next model instead of the same.
	HedgeCancel, HedgeOther float64

	// AsksFirst is the share of timeouts after which the application asks for the state of
	// what it has sent, for at most AskWait (default 30 s), before it sends it again.
	AsksFirst float64
	AskWait   time.Duration

	IdempotencyKeys bool // also sent to vendors that ignore them
}

// Traffic is who asks, and under which ids.
type Traffic struct {
	Traces     float64 // share of requests that are a trace: one id over several calls in turn
	TraceCalls int     // most calls of a trace; default 5
	FanOut     float64 // share of requests with several calls side by side, each numbered from the start
	FanWidth   int     // most calls of a fan-out; default 5
	SamePrompt float64 // share of fan-outs that sample one prompt several times
	Daily      bool    // arrivals follow the hours of a working day
	Prompts    int     // calls send one of so many prompts, each of its own size; 0: every call its own

	OtherCalls float64 // share of requests under whose id an unlogged component calls as well
	Orphans    float64 // charges of unlogged traffic, per request
	ForeignKey float64 // share of those under an API key that the log does not know
}

// Log is what the application writes.
type Log struct {
	NoNumbers bool   // no attempt numbers
	FromZero  bool   // numbers count from 0
	Layer     string // "sdk" or "gateway": the tries inside an attempt are logged as well
	Tokens    TokenLog
	Receipts  bool    // answered attempts show the vendor's id
	Copies    float64 // lines written twice, up to 40 ms apart
	Lost      float64 // lines deleted at random
	Unlogged  float64 // share of calls of which no line is written

	OnlyTimeouts bool // answers and timeouts are logged, refusals and errors leave no line
	Begins       bool // an attempt is logged when it begins, so that one under way at the end is there, without its own
}

// Bill is what the vendor exports.
type Bill struct {
	NoRequestIDs bool // the vendor does not echo the caller's id
	Numbers      bool // shows the application's attempt number; never together with Log.Layer
	NumbersZero  bool // and counts it from 0
	VendorIDs    bool // shows its own id of each execution, the receipt
	NoFinish     bool // no finish reasons
	SplitItems   bool // input and output are two lines of one charge id
	GenerationMS bool // shows how long the execution took
	Duplicates   float64
	Refunds      float64       // share of charges that were no delivery, and a tenth of it of the others
	NamesRequest float64       // share of refunds that name the request, under an id of their own
	Tax          float64       // share of the amounts, billed at the end of the period
	Credit       float64       // the same of what is given back as a credit note
	MissingAtEnd time.Duration // the last stretch of the period has not been billed yet
}

// Provider is one vendor's habits.
type Provider struct {
	Name       string
	Disconnect Disconnect
	Dedup      bool          // honours idempotency keys: runs and bills the first execution only
	Promised   bool          // says that it does, and runs and bills every one
	StampAtEnd bool          // charges are stamped when the execution ends, not when it starts
	Offset     time.Duration // the vendor's clock against the log's
	Jitter     time.Duration // standard deviation of the same
	Resolution time.Duration // of the stamps; default a millisecond
	Export     *Bill         // which columns its export has; default those of the world
}

// Incident is a spell in which a provider is slow.
type Incident struct {
	Provider string
	From, To time.Time
}

// Model is one model and its prices.
type Model struct {
	Provider              string
	Name                  string
	Input, Cached, Output Price
	Speed                 float64 // tokens a second
	TokenRatio            float64 // its tokenizer against the first model's; default 1
}

// Disconnect is what a vendor does when the client hangs up.
type Disconnect int

// A vendor runs on and bills in full, or stops and bills what it had made, with
// a cancelled flag or only with a blank finish reason.
const (
	RunsOn Disconnect = iota
	StopsFlagged
	StopsBlank
)

// TokenLog is which token counts the log shows.
type TokenLog int

// The usage is logged when it came with an answer, never, or with the input of
// failed attempts too.
const (
	TokensOfAnswers TokenLog = iota
	NoTokens
	InputAlways
)

// IDStyle is the shape of request ids.
type IDStyle int

// Ids are 32 hex digits, 16 hex digits, or 20 decimal digits.
const (
	UUIDHex IDStyle = iota
	Hex16
	Decimal20
)
