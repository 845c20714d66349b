package report

import "time"

// Audit is everything that one audit says, read from the rpt_ tables. It is the source of
// audit.json, of the terminal summary and of the workbook; none of them computes money.
//
// Money is a decimal string without trailing zeros ("12.5"), in the currency that stands
// beside it; an empty Money is unknown and becomes null. Counts and rates are numbers; a
// nil rate is not measurable and becomes null.
type Audit struct {
	Schema      string        `json:"schema"` // "retrytax.audit/v1"
	Period      Period        `json:"period"`
	Inputs      []Input       `json:"inputs"`
	Totals      []Total       `json:"totals"`
	Verdicts    []Verdict     `json:"verdicts"` // settled charges only
	Tiers       []Tier        `json:"tiers"`
	Bounds      []Bound       `json:"bounds"`
	Requests    Requests      `json:"requests"`
	Rates       Rates         `json:"rates"`
	Unbilled    Unbilled      `json:"unbilled"`
	Copies      Copies        `json:"copies"`
	Leads       []Lead        `json:"leads"`
	Calibration []Calibration `json:"calibration"`
	Claims      []Claim       `json:"claims,omitempty"`
	Coverage    []Coverage    `json:"coverage"`
	Disputes    []ClaimTotal  `json:"disputes,omitempty"` // only where the user keeps states of findings
	Warnings    []Warning     `json:"warnings"`
	Checks      []Check       `json:"checks"`
}

// Money is an exact decimal as text; "" is unknown.
type Money string

// Period is what the report covers: charges with From <= charged_at < To. Both are in
// Zone. Without --period it is the span of the charges, To exclusive.
type Period struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	Zone string    `json:"zone"`
}

// Input is one file that was read: Rows = Loaded + Known + Ignored + Rejected.
type Input struct {
	File     string `json:"file"`
	SHA256   string `json:"sha256"` // of the decompressed content
	Role     string `json:"role"`   // attempts | charges | prices
	Format   string `json:"format"`
	Rows     int64  `json:"rows"`
	Loaded   int64  `json:"loaded"`
	Known    int64  `json:"known"`
	Ignored  int64  `json:"ignored"`
	Rejected int64  `json:"rejected"`
}

// Total is the ledger of one book in one currency:
// Billed = Delivered + Excess + Undelivered + Orphan + Unsettled + Adjustments, exactly.
type Total struct {
	ProviderBook     string `json:"provider_book"` // "all/bill", "openai/bill", ...
	Currency         string `json:"currency"`
	Billed           Money  `json:"billed"`
	Delivered        Money  `json:"delivered"`
	Excess           Money  `json:"excess"`
	Undelivered      Money  `json:"undelivered"`
	Orphan           Money  `json:"orphan"`
	Unsettled        Money  `json:"unsettled"`
	Adjustments      Money  `json:"adjustments"`
	ExcessNet        Money  `json:"excess_net"` // excess less the refunds that name it
	CacheEffect      Money  `json:"cache_effect"`
	ReroutePremium   Money  `json:"reroute_premium"`
	CostPerDelivered Money  `json:"cost_per_delivered"`
	AtLeast          bool   `json:"at_least"` // an amount was unknown or a row was rejected
}

// Verdict is the money of one verdict and recovery in one book and currency.
type Verdict struct {
	Book     string `json:"book"` // bill | estimate
	Currency string `json:"currency"`
	Verdict  string `json:"verdict"`
	Recovery string `json:"recovery"`
	Charges  int64  `json:"charges"`
	Amount   Money  `json:"amount"`
	Excess   Money  `json:"excess"`
}

// Tier is how much was matched by one way of matching: receipt, attempt, request, tokens,
// lead or none. There is one entry a match, book and currency.
type Tier struct {
	Match    string `json:"match"`
	Book     string `json:"book"` // bill | estimate
	Currency string `json:"currency"`
	Charges  int64  `json:"charges"`
	Amount   Money  `json:"amount"`
	Excess   Money  `json:"excess"`
}

// Bound is the excess as what is proven, expected and possible.
type Bound struct {
	Currency string `json:"currency"`
	Lower    Money  `json:"lower"`
	Expected Money  `json:"expected"`
	Upper    Money  `json:"upper"`
}

// Requests counts calls by state; Duplicated are calls with a settled excess charge.
type Requests struct {
	Total      int64 `json:"total"`
	Succeeded  int64 `json:"succeeded"`
	Failed     int64 `json:"failed"`
	Unknown    int64 `json:"unknown"`
	Duplicated int64 `json:"duplicated"`
}

// Rates are fractions and ratios; nil is "not measurable", which is not zero.
type Rates struct {
	TimeoutRate            *float64 `json:"timeout_rate"`
	StartedFraction        *float64 `json:"started_fraction"`
	PartialFraction        *float64 `json:"partial_fraction"`
	ExecutionsPerCall      *float64 `json:"executions_per_call"`
	Amplification          *float64 `json:"amplification"`
	ExecutionsPerDelivered *float64 `json:"executions_per_delivered"`
}

// Unbilled counts settled delivered calls without a charge in a bill that covers them.
type Unbilled struct {
	Calls int64 `json:"calls"`
}

// Copies counts attempt lines that repeat another one.
type Copies struct {
	Attempts int64 `json:"attempts"`
}

// Lead is a likely finding that is not certain enough for the headline.
type Lead struct {
	Kind     string `json:"kind"` // repeated, retried_under_other_id, lost_line, ...
	Calls    int64  `json:"calls"`
	Amount   Money  `json:"amount"`
	Currency string `json:"currency"`
}

// Claim is how sure the matches by tokens are, in one tenth of their confidence, of charges whose id is known,
// had it been hidden, and how many of them are right.
type Claim struct {
	From    float64 `json:"from"` // the lower end of the tenth
	Charges int64   `json:"charges"`
	Claimed float64 `json:"claimed"` // the mean confidence
	Right   float64 `json:"right"`   // the share that is right
}

// Calibration is what was measured about a book's stamps.
type Calibration struct {
	Provider     string `json:"provider"`
	Stamp        string `json:"stamp"` // start | end
	OffsetMS     int64  `json:"offset_ms"`
	ResolutionMS int64  `json:"resolution_ms"`
	Pairs        int64  `json:"pairs"`
}

// Coverage is the share of charges that some line explains, by provider, key and day.
type Coverage struct {
	Provider  string `json:"provider"`
	APIKey    string `json:"api_key"`
	Day       string `json:"day"` // 2026-10-31, in the report's zone
	Charges   int64  `json:"charges"`
	Explained int64  `json:"explained"`
}

// Warning is something that the reader of the numbers must know.
type Warning struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Check is one query that must return no rows.
type Check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Rows int64  `json:"rows"`
}
