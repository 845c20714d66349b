package report

import "time"

// Workbook is what the sheets show beyond Audit. Rows are ordered as they shall appear.
type Workbook struct {
	Audit      *Audit
	PaidBook   string // bill | estimate; "" is bill
	Days       []DayRow
	Models     []ModelRow
	Keys       []KeyRow
	Duplicated []DuplicatedRow
	Evidence   Rows[EvidenceRow]
	Disputes   []DisputeRow
	Dear       []DearCall // the dearest calls with their time lines, for the page
	Exceptions Rows[ExceptionRow]
	Method     []MethodRow
	// Before is the ledger of the period before, per book and currency; nil where it was not asked for
	// or the data do not reach back.
	Before *Before
	// Handled are the findings of the user's file of states that this report does not have.
	Handled []Handled
	// Projection is the cost model on measured parameters; nil where NoProjection tells why there is none.
	Projection   *Projection
	NoProjection string
	// Invoice is the invoice that the charges were held against; nil where there is none.
	Invoice *InvoiceBook
}

// Rows are rows that are read when they are needed, as often as they are: each is called for one
// after the other, in the same order every time. A row is valid until the next one comes. nil has none.
type Rows[R any] func(each func(*R) error) error

// RowsOf are rows that are in memory.
func RowsOf[R any](rows []R) Rows[R] {
	return func(each func(*R) error) error {
		for i := range rows {
			if err := each(&rows[i]); err != nil {
				return err
			}
		}
		return nil
	}
}

// Each calls for the rows; a nil Rows has none.
func (r Rows[R]) Each(each func(*R) error) error {
	if r == nil {
		return nil
	}
	return r(each)
}

// Parts are the parts of a ledger: Billed is the sum of the others, exactly.
type Parts struct {
	Billed, Delivered, Excess, Undelivered, Orphan, Unsettled, Adjustments Money
}

// DayRow is the money of one day of the report's zone in one book and currency. Between the
// first and the last day of a book no day is missing.
type DayRow struct {
	Book, Currency string
	Day            string // 2026-10-31
	Charges        int64
	Parts
	ExcessShare *float64
	ByVerdict   map[string]Money // the excess by verdict; its sum is Excess
}

// ModelRow is the money of one model in one book and currency.
type ModelRow struct {
	Provider, Book, Model, Currency         string
	Charges                                 int64
	InputTokens, CachedTokens, OutputTokens *int64
	Parts
	ExcessShare *float64 // of billed; nil where billed is 0 or unknown
}

// KeyRow is the money of one API key in one book and currency; the key "" is of lines that name none.
type KeyRow struct {
	Provider, APIKey, Book, Currency string
	Charges                          int64
	Parts
	ExcessShare *float64
}

// Before is the ledger of the period before the report's, of the same length.
type Before struct {
	Period Period
	Totals []Total // of all providers
}

// DuplicatedRow is one call with a settled excess charge; a row per call and currency.
type DuplicatedRow struct {
	Place             int64 // from 1, in the order of the rows; EvidenceRow.Place names it
	RequestID         string
	Call              int64
	Provider, Book    string
	Model             string
	FirstAt, LastAt   time.Time // report zone
	Attempts          int64     // the highest number seen
	Charges           int64
	Layers            string // of the lines of its log, "app, sdk"
	Verdicts          string // "timeout_retry ×2, sdk_retry"
	Currency          string
	Paid, Due, Excess Money
	// Amounts of its lines are unknown, so that these are what they are at least, and what was paid if either is.
	DueAtLeast, ExcessAtLeast bool
}

// EvidenceRow is one charge line of a duplicated call, the delivered one included, or an excess
// line of no or an unknown amount, whose Place is nil.
type EvidenceRow struct {
	Place                 *int64
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

// DisputeRow is one line of the bill that the vendor should give back.
type DisputeRow struct {
	Finding                         string // names the line in every report, for the file of states
	Vendor                          string
	ChargeID, LineItem              string
	ChargedAt                       time.Time
	Model, RequestID, APIKey        string
	InputTokens, OutputTokens       *int64
	Currency                        string
	Amount, Excess, Refunded, Claim Money // Claim = Excess - Refunded
	Verdict, Reason, Match          string
	DeliveredChargeID               string
	IdempotencyKey, VendorRequestID string
	AttemptOutcome                  string
	AttemptStarted, AttemptEnded    *time.Time
	SourceFile                      string
	SourceLine                      int64
	State                           State // open unless the user's file says otherwise
	Note                            string
	Recovered                       Money // what came back, by the user's file
}

// DearCall is one of the dearest calls with its attempts and charges.
type DearCall struct {
	DuplicatedRow
	Attempts []DearAttempt
	Lines    []EvidenceRow
}

// DearAttempt is an attempt of such a call. End is nil where it was never written.
type DearAttempt struct {
	Number  *int64
	Layer   string
	Outcome string
	Start   time.Time
	End     *time.Time
	Success bool
}
