package report

import (
	"bytes"
	"encoding/json"
	"time"

	"retrytax/internal/words"
)

// ExplainSchemaName names the shape of what retrytax explain prints with --json.
const ExplainSchemaName = "retrytax.explain/v1"

// Explanation is all that the data say of one id. Conventions as in Audit: money is a
// decimal string, times are RFC 3339 in Zone, an empty Text is unknown and becomes null.
type Explanation struct {
	Schema string          `json:"schema"` // "retrytax.explain/v1"
	ID     string          `json:"id"`     // as it stands in the data
	Asked  string          `json:"asked"`  // as it was typed: the id or its beginning
	As     []string        `json:"as"`     // what the id is: request, charge, receipt
	Zone   string          `json:"zone"`
	Named  int64           `json:"named_calls"` // how many calls the id names
	Notes  []string        `json:"notes"`       // what to know before reading on
	Calls  []ExplainedCall `json:"calls"`       // those that are told, in the order of time

	lang words.Lang // of the sentences
}

// ExplainedCall is one call with its lines of the log and its charges. Charges that no line
// of the log is about stand in one with State "".
type ExplainedCall struct {
	Number    int64              `json:"call"` // counts the calls that the id names from 1, in time order
	RequestID Text               `json:"request_id"`
	NamedAs   []string           `json:"named_as"` // by which kind of id: request, charge, receipt
	State     Text               `json:"state"`    // submitted, running, succeeded, failed, unknown
	FirstAt   time.Time          `json:"first_at"`
	LastAt    time.Time          `json:"last_at"`
	Layers    []string           `json:"layers"`
	Unbilled  bool               `json:"unbilled"` // delivered, and a bill that covers it shows no charge
	Totals    []CallTotal        `json:"totals"`
	Attempts  []ExplainedAttempt `json:"attempts"` // an inner layer's lines under their attempt
	Charges   []ExplainedCharge  `json:"charges"`  // in the order of their stamps

	lang words.Lang
}

// CallTotal is what a call cost in one book and currency:
// Paid = Due + Excess + Undelivered + Unsettled, exactly.
type CallTotal struct {
	Book        string `json:"book"`
	Currency    string `json:"currency"`
	Paid        Money  `json:"paid"`
	Due         Money  `json:"due"` // paid once, for the answer
	Excess      Money  `json:"excess"`
	Undelivered Money  `json:"undelivered"`
	Unsettled   Money  `json:"unsettled"`
	Orphan      Money  `json:"orphan"` // told here, but no attempt explains it
	Adjustments Money  `json:"adjustments"`
	Refunded    Money  `json:"refunded"` // of the excess
	AtLeast     bool   `json:"at_least"` // an amount is unknown
}

// The roles of a line of the log.
const (
	RoleAttempt = "attempt"
	RoleInner   = "inner" // written by an SDK or a gateway inside an outer attempt
	RoleCopy    = "copy"  // repeats another line
	RoleQuery   = "query" // asked for an attempt's state; no execution
	RoleLost    = "lost"  // its number is missing between others
)

// ExplainedAttempt is one line of the log, or one that is missing from it.
type ExplainedAttempt struct {
	Role         string     `json:"role"`
	Number       *int64     `json:"attempt"` // as the log counts
	Layer        string     `json:"layer"`
	StartedAt    *time.Time `json:"started_at"` // by the log's clock
	EndedAt      *time.Time `json:"ended_at"`   // null: its end was never written
	Outcome      string     `json:"outcome"`
	Stage        Text       `json:"stage"`
	Reason       Text       `json:"reason"`
	Status       *int64     `json:"http_status"`
	Provider     Text       `json:"provider"`
	Model        Text       `json:"model"`
	Receipt      Text       `json:"vendor_request_id"`
	InputTokens  *int64     `json:"input_tokens"`
	OutputTokens *int64     `json:"output_tokens"`
	Ran          bool       `json:"ran"`
	Delivers     bool       `json:"delivers"`     // the call's answer came from it
	Cached       bool       `json:"cached"`       // its receipt is another request's: a cached answer
	RecoveredAt  *time.Time `json:"recovered_at"` // when a query fetched its answer
	SourceFile   Text       `json:"source_file"`
	SourceLine   *int64     `json:"source_line"`

	row, top, parent, copyOf int64
	refusedLate, connected   bool
}

// ExplainedCharge is one charge with its verdict and the reasons for it.
type ExplainedCharge struct {
	ChargeID     Text       `json:"charge_id"`
	RequestID    Text       `json:"request_id"` // as billed
	Receipt      Text       `json:"vendor_request_id"`
	Provider     Text       `json:"provider"`
	Book         string     `json:"book"`
	ChargedAt    time.Time  `json:"charged_at"` // as billed
	DrawnAt      time.Time  `json:"drawn_at"`   // by the log's clock, where the stamps were measured
	ResolutionMS int64      `json:"resolution_ms"`
	Model        Text       `json:"model"`
	InputTokens  *int64     `json:"input_tokens"`
	CachedTokens *int64     `json:"cached_input_tokens"`
	OutputTokens *int64     `json:"output_tokens"`
	FinishReason Text       `json:"finish_reason"`
	Kind         string     `json:"kind"`
	Amount       Money      `json:"amount"`
	Currency     string     `json:"currency"`
	Excess       Money      `json:"excess"`
	Verdict      Text       `json:"verdict"` // null: outside the period or scope of the kept audit
	Reason       Text       `json:"reason"`
	Recovery     Text       `json:"recovery"`
	Rerouted     bool       `json:"rerouted"`
	Match        Text       `json:"match"`
	Confidence   Text       `json:"confidence"`
	Settled      bool       `json:"settled"`
	Unsettled    []string   `json:"why_unsettled"`
	Attempt      *int64     `json:"attempt"` // number of the attempt that it is laid to
	Leads        []string   `json:"leads"`
	Why          string     `json:"why"`
	Changes      []Change   `json:"would_have_changed_it"`
	Lines        []BillLine `json:"lines"`
	Stamp        StampFacts `json:"stamp"`

	no, exec int64
	facts    chargeFacts
}

// Change is one thing that, had it been otherwise, would have changed a verdict.
type Change struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// BillLine is one line of the bill on which a charge stands.
type BillLine struct {
	SourceFile string `json:"source_file"`
	SourceLine int64  `json:"source_line"`
	LineItem   Text   `json:"line_item"`
	Amount     Money  `json:"amount"`

	row int64
}

// StampFacts is what is known of a book's stamps.
type StampFacts struct {
	At       string `json:"at"`        // start | end of the execution
	OffsetMS int64  `json:"offset_ms"` // the bill's clock less the log's
	Measured bool   `json:"measured"`
	Pairs    int64  `json:"pairs"`
}

// Text is text from the data; "" is unknown.
type Text string

// MarshalJSON writes unknown text as null.
func (t Text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(string(t))
	return bytes.TrimSpace(b.Bytes()), err
}

// JSON is what --json prints: indented, keys in the order of the struct.
func (x *Explanation) JSON() ([]byte, error) { return indented(x) }

// OwnedBy reports whether a charge is laid to this line of the log, as its own or as a run
// that it hides.
func (c *ExplainedCharge) OwnedBy(a *ExplainedAttempt) bool {
	return c.exec != 0 && c.exec == a.row && a.Role != RoleCopy
}
