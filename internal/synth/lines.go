package synth

// Unknown stands for a number that the log or the bill does not tell.
const Unknown = -1

// World is what the simulated month left behind: the application's log in the
// order in which it was written, and the vendor's bill in the order of its
// stamps.
type World struct {
	Attempts []AttemptLine
	Charges  []ChargeLine
}

// AttemptLine is one line of the attempt log, in the canonical columns.
// Times are Unix milliseconds (0: unknown), numbers may be [Unknown], text may
// be empty.
type AttemptLine struct {
	RequestID       string
	Attempt         int32
	MaxAttempts     int32
	Layer           string
	Kind            string
	StartedAt       int64
	EndedAt         int64
	ElapsedMS       int64
	Stage           string
	Outcome         string
	Reason          string
	HTTPStatus      int32
	RetryAfterMS    int32
	Provider        string
	Model           string
	VendorRequestID string
	IdempotencyKey  string
	InputTokens     int32
	CachedTokens    int32
	OutputTokens    int32
	Streamed        bool
	APIKey          string

	call   int32 // index into the simulator's calls
	number int32 // of the application attempt, from 0, also where the log shows none
	try    int32 // the same within the line's own layer
	status int32 // the last status of an earlier attempt that was none of success, 0: there was none
	shows  bool  // whoever has this line knows how its call was answered
}

// ChargeLine is one row of the bill, in the canonical columns, and what it
// truly is.
type ChargeLine struct {
	Provider        string
	Book            string
	ChargeID        string
	LineItem        string
	RequestID       string
	Attempt         int32
	VendorRequestID string
	IdempotencyKey  string
	ChargedAt       int64
	Model           string
	InputTokens     int32
	CachedTokens    int32
	OutputTokens    int32
	UnitPrice       Price // 0: not shown
	Amount          Money
	Currency        string
	Kind            string
	FinishReason    string
	Cancelled       string // "true", "false", or empty where the vendor has no flag
	GenerationMS    int64
	APIKey          string
	Label           Label

	call   int32 // index into the simulator's calls, Unknown for unlogged traffic
	coarse bool  // the stamp is in whole seconds or coarser
	story  story // what the simulator knows of the execution
}

// Label is the true verdict of one charge line. Excess is a decimal string,
// "0" where the verdict has none. Settled is false where the data end before
// the call did. Reason is empty, or tells orphans (no_log, other_call,
// outside_log) and special deliveries (stands_in, tail_lost) apart.
type Label struct {
	Verdict  string
	Recovery string
	Excess   string
	Settled  bool
	Reason   string
}

// The verdicts, and who can get the money back.
const (
	Adjustment       = "adjustment"
	DuplicateLine    = "duplicate_line"
	Orphan           = "orphan"
	NotBillable      = "not_billable"
	Delivered        = "delivered"
	Hedged           = "hedged"
	Undelivered      = "undelivered"
	DoubleRetry      = "double_retry"
	SDKRetry         = "sdk_retry"
	PartialTokens    = "partial_tokens"
	TimeoutRetry     = "timeout_retry"
	ServerErrorRetry = "server_error_retry"

	VendorDispute = "vendor_dispute"
	OwnPolicy     = "own_policy"
	NoRecovery    = "none"
)

// newLabel gives a verdict the recovery and the excess that it stands for.
func newLabel(verdict, reason string, amount Money) Label {
	label := Label{Verdict: verdict, Recovery: OwnPolicy, Excess: "0", Settled: true, Reason: reason}
	switch verdict {
	case Adjustment, Orphan, Delivered:
		label.Recovery = NoRecovery
		return label
	case Undelivered:
		return label
	case DuplicateLine, NotBillable:
		label.Recovery = VendorDispute
	}
	label.Excess = amount.String()
	return label
}
