package source

// Role says which of the canonical tables a file feeds.
type Role string

const (
	Attempts Role = "attempts"
	Charges  Role = "charges"
	Bills    Role = "bills"  // totals by the day, key and model, and lines of an invoice
	Prices   Role = "prices" // a price list, which feeds none: package prices reads it
)

// AttemptColumns are the text columns of a batch of attempts, in order: the canonical
// ones, then three that carry a meaning which only SQL may decide. ts is the time of the
// line (the attempt's end), status is a number or a word, elapsed_s is in seconds and may
// carry a unit. Three more say what a log implies: retryable is its own word for whether
// another try follows, counts_from is 0 or 1, and unlogged is there where the source writes
// no line for a refused attempt: the last status that one got, "no" if none was refused so
// far, "unknown" if the line does not tell.
var AttemptColumns = []string{
	"request_id", "attempt", "max_attempts", "layer", "kind", "started_at", "ended_at",
	"elapsed_ms", "stage", "outcome", "reason", "http_status", "retry_after_ms", "provider",
	"model", "vendor_request_id", "idempotency_key", "input_tokens", "cached_input_tokens",
	"output_tokens", "streamed", "api_key",
	"ts", "status", "elapsed_s",
	"retryable", "counts_from", "unlogged",
}

// ChargeColumns are the text columns of a batch of charges, in order: the canonical ones, then
// counts_from as above, and two that only a price list needs: the part of the input that was
// written to the provider's cache, and the tier of service.
var ChargeColumns = []string{
	"provider", "book", "charge_id", "line_item", "request_id", "attempt",
	"vendor_request_id", "idempotency_key", "charged_at", "model", "input_tokens",
	"cached_input_tokens", "output_tokens", "reasoning_tokens", "unit_price", "amount",
	"currency", "kind", "finish_reason", "cancelled", "generation_ms", "api_key",
	"counts_from", "cache_write_tokens", "service_tier",
}

// BillColumns are the text columns of a batch of totals, in order: what was billed or counted for
// a provider, key, model and kind of token in a period. A period without an end is a month or a
// day; quantity counts tokens of token_type, requests executions as the vendor counts them.
var BillColumns = []string{
	"provider", "api_key", "model", "token_type", "period_start", "period_end", "quantity", "requests",
	"amount", "currency", "kind", "line_item", "unit_price", "service_tier",
}

// RetryColumns are the text columns of a batch of an SDK's lines about its retries, in order.
var RetryColumns = []string{"retried_at", "path", "wait_s"}

// ColumnsOf returns the text columns of a role's batches.
func ColumnsOf(r Role) []string {
	switch r {
	case Charges:
		return ChargeColumns
	case Bills:
		return BillColumns
	case Retries:
		return RetryColumns
	}
	return AttemptColumns
}

// Column is one text column of a batch in Arrow's own layout, so that the store hands it
// to DuckDB without a copy: value i is Data[Offsets[i]:Offsets[i+1]], and is missing
// unless bit i of Valid is set.
type Column struct {
	Data    []byte
	Offsets []int32 // one more than there are values
	Valid   []byte  // bitmap, least significant bit first
	Nulls   int
}

// Append adds one value.
func (c *Column) Append(v []byte) {
	n := c.next()
	c.Valid[n>>3] |= 1 << (n & 7)
	c.Data = append(c.Data, v...)
	c.Offsets = append(c.Offsets, int32(len(c.Data)))
}

// AppendNull adds one missing value.
func (c *Column) AppendNull() {
	c.next()
	c.Nulls++
	c.Offsets = append(c.Offsets, int32(len(c.Data)))
}

// next makes room for one more value and returns its index.
func (c *Column) next() int {
	if len(c.Offsets) == 0 {
		c.Offsets = append(c.Offsets, 0)
	}
	n := len(c.Offsets) - 1
	if n>>3 >= len(c.Valid) {
		c.Valid = append(c.Valid, 0)
	}
	return n
}

// Len is the number of values.
func (c *Column) Len() int {
	if len(c.Offsets) == 0 {
		return 0
	}
	return len(c.Offsets) - 1
}

// Value returns value i as text; ok is false where it is missing.
func (c *Column) Value(i int) (v string, ok bool) {
	if c.Valid[i>>3]&(1<<(i&7)) == 0 {
		return "", false
	}
	return string(c.Data[c.Offsets[i]:c.Offsets[i+1]]), true
}

// Reject is one record that could not be read, with the text that it came from (cut and
// redacted unless the user asked to keep it).
type Reject struct {
	Line   int64
	Column string // canonical name, "" where the whole line is at fault
	Reason string // what was found, and what was expected
	Raw    string
}

// Batch is a run of records of one file: one entry of Lines and one value in each Column
// a record. Rejects and Ignored count lines of the file that became no record;
// Headers are those of Ignored that are the header of a table met again.
type Batch struct {
	Lines   []int64
	Cols    []Column // in the order of ColumnsOf(role)
	Rejects []Reject
	Ignored int64
	Headers int64
}

// Len is the number of records.
func (b *Batch) Len() int { return len(b.Lines) }
