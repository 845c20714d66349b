package report

import "time"

// Workbook is what the sheets show beyond Audit. Rows are ordered as they shall appear.
type Workbook struct {
	Audit      *Audit
	Models     []ModelRow
	Duplicated []DuplicatedRow
	Evidence   []EvidenceRow
	Exceptions []ExceptionRow
	Method     []MethodRow
	// Projection is the cost model on measured parameters; nil where NoProjection tells why there is none.
	Projection   *Projection
	NoProjection string
}

// ModelRow is the money of one model in one book and currency. Billed holds every line, so
// that it ties to the ledger; the other sums are of settled charges.
type ModelRow struct {
	Provider, Book, Model, Currency         string
	Charges                                 int64
	InputTokens, CachedTokens, OutputTokens *int64
	Billed, Delivered, Excess, Undelivered  Money
	ExcessShare                             *float64 // of billed; nil where billed is 0 or unknown
}

// DuplicatedRow is one call with a settled excess charge; a row per call and currency.
type DuplicatedRow struct {
	RequestID         string
	Call              int64
	Provider, Book    string
	Model             string
	FirstAt, LastAt   time.Time // report zone
	Attempts          int64     // the highest number seen
	Charges           int64
	Verdicts          string // "timeout_retry ×2, sdk_retry"
	Currency          string
	Paid, Due, Excess Money
}

// EvidenceRow is one charge line of a duplicated call: the excess, nothing else.
type EvidenceRow struct {
	ChargedAt             time.Time
	Provider, Book        string
	ChargeID, LineItem    string
	RequestID             string
	Attempt               *int64
	Model                 string
	Verdict, Recovery     string
	Rerouted              bool
	InputTokens           *int64
	CachedTokens          *int64
	OutputTokens          *int64
	FinishReason          string
	Amount                Money
	Currency              string
	Excess                Money
	Match                 string
	Confidence            string
	DeliveredChargeID     string
	IdempotencyKey        string
	VendorRequestID       string
	Reason                string // the rule that gave the verdict
	AttemptStarted        *time.Time
	AttemptEnded          *time.Time
	AttemptOutcome, Stage string
	SourceFile            string
	SourceLine            int64
}

// ExceptionRow is something that was kept out of the headline: an orphan, a lead, an
// unsettled charge, an unbilled call, an unapplied refund, a rejected line.
type ExceptionRow struct {
	Kind, Reason               string
	At                         *time.Time
	Provider, Book             string
	ChargeID, RequestID, Model string
	Amount                     Money
	Currency                   string
	SourceFile                 string
	SourceLine                 *int64
}

// MethodRow is one line of the Method sheet: how the numbers were made.
type MethodRow struct {
	Section, Name, Value string // "Inputs", "app.log", "sha256 …"
}
