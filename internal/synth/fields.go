package synth

import (
	"strconv"
	"time"
)

// fieldWriter takes the fields of a row in the order of their columns. What is
// unknown, empty text or a negative count, is left out or left empty.
type fieldWriter interface {
	text(name, value string)
	count(name string, value int64)
	money(name string, value Money)
	stamp(name string, ms int64, layout string)
}

var attemptColumns = []string{"request_id", "attempt", "max_attempts", "layer", "kind", "started_at", "ended_at",
	"elapsed_ms", "stage", "outcome", "reason", "http_status", "retry_after_ms", "provider", "model", "vendor_request_id",
	"idempotency_key", "input_tokens", "cached_input_tokens", "output_tokens", "streamed", "api_key"}

func (a *AttemptLine) fields(w fieldWriter) {
	w.text("request_id", a.RequestID)
	w.count("attempt", int64(a.Attempt))
	w.count("max_attempts", int64(a.MaxAttempts))
	w.text("layer", a.Layer)
	w.text("kind", a.Kind)
	w.stamp("started_at", a.StartedAt, timeMS)
	w.stamp("ended_at", a.EndedAt, timeMS)
	w.count("elapsed_ms", a.ElapsedMS)
	w.text("stage", a.Stage)
	w.text("outcome", a.Outcome)
	w.text("reason", a.Reason)
	w.count("http_status", known(a.HTTPStatus))
	w.count("retry_after_ms", int64(a.RetryAfterMS))
	w.text("provider", a.Provider)
	w.text("model", a.Model)
	w.text("vendor_request_id", a.VendorRequestID)
	w.text("idempotency_key", a.IdempotencyKey)
	w.count("input_tokens", int64(a.InputTokens))
	w.count("cached_input_tokens", int64(a.CachedTokens))
	w.count("output_tokens", int64(a.OutputTokens))
	w.text("streamed", strconv.FormatBool(a.Streamed))
	w.text("api_key", a.APIKey)
}

// known turns a status of 0, no answer, into an unknown one.
func known(status int32) int64 {
	if status == 0 {
		return Unknown
	}
	return int64(status)
}

var chargeColumns = []string{"provider", "book", "charge_id", "line_item", "request_id", "attempt", "vendor_request_id",
	"idempotency_key", "charged_at", "model", "input_tokens", "cached_input_tokens", "output_tokens", "reasoning_tokens",
	"unit_price", "amount", "currency", "kind", "finish_reason", "cancelled", "generation_ms", "api_key"}

func (c *ChargeLine) fields(w fieldWriter) {
	w.text("provider", c.Provider)
	w.text("book", c.Book)
	w.text("charge_id", c.ChargeID)
	w.text("line_item", c.LineItem)
	w.text("request_id", c.RequestID)
	w.count("attempt", int64(c.Attempt))
	w.text("vendor_request_id", c.VendorRequestID)
	w.text("idempotency_key", c.IdempotencyKey)
	layout := timeMS
	if c.coarse {
		layout = timeS
	}
	w.stamp("charged_at", c.ChargedAt, layout)
	w.text("model", c.Model)
	w.count("input_tokens", int64(c.InputTokens))
	w.count("cached_input_tokens", int64(c.CachedTokens))
	w.count("output_tokens", int64(c.OutputTokens))
	w.count("reasoning_tokens", Unknown)
	if c.UnitPrice > 0 {
		w.money("unit_price", Money(c.UnitPrice))
	} else {
		w.text("unit_price", "")
	}
	w.money("amount", c.Amount)
	w.text("currency", c.Currency)
	w.text("kind", c.Kind)
	w.text("finish_reason", c.FinishReason)
	w.text("cancelled", c.Cancelled)
	w.count("generation_ms", c.GenerationMS)
	w.text("api_key", c.APIKey)
}

// fields are what a table of labels says of a line behind the columns that find it.
func (l *Label) fields(w fieldWriter) {
	w.text("verdict", l.Verdict)
	w.text("recovery", l.Recovery)
	w.text("excess", l.Excess)
	w.text("settled", strconv.FormatBool(l.Settled))
	w.text("reason", l.Reason)
}

var labelColumns = []string{"source_line", "charge_id", "line_item", "verdict", "recovery", "excess", "settled", "reason"}

// csvWriter separates fields by commas. No value of a world needs quotes: ids,
// names and reasons are letters, digits, '-' and '_'.
type csvWriter struct {
	dst    []byte
	fields int
	zone   *time.Location // of times that are written without one; nil: UTC, and said so
}

func (w *csvWriter) next() {
	if w.fields > 0 {
		w.dst = append(w.dst, ',')
	}
	w.fields++
}

func (w *csvWriter) text(_, value string) { w.next(); w.dst = append(w.dst, value...) }

func (w *csvWriter) count(_ string, value int64) {
	w.next()
	if value >= 0 {
		w.dst = strconv.AppendInt(w.dst, value, 10)
	}
}

func (w *csvWriter) money(_ string, value Money) { w.next(); w.dst = appendMoney(w.dst, value) }

func (w *csvWriter) stamp(_ string, ms int64, layout string) {
	w.next()
	if ms != 0 {
		w.dst = appendIn(w.dst, ms, layout, w.zone)
	}
}

func csvRow[T any](fields func(*T, fieldWriter), zone *time.Location) func([]byte, *T) []byte {
	var w csvWriter
	return func(dst []byte, row *T) []byte {
		w = csvWriter{dst: dst, zone: zone}
		fields(row, &w)
		return w.dst
	}
}

// jsonWriter makes one object; what is unknown is left out. Money is a string,
// so that no reader can make it a float.
type jsonWriter struct {
	dst  []byte
	zone *time.Location // as of csvWriter
}

func (w *jsonWriter) name(name string) {
	if len(w.dst) > 1 {
		w.dst = append(w.dst, ',')
	}
	w.dst = append(append(append(w.dst, '"'), name...), '"', ':')
}

func (w *jsonWriter) text(name, value string) {
	switch value {
	case "":
	case "true", "false":
		w.name(name)
		w.dst = append(w.dst, value...)
	default:
		w.name(name)
		w.dst = append(append(append(w.dst, '"'), value...), '"')
	}
}

func (w *jsonWriter) count(name string, value int64) {
	if value >= 0 {
		w.name(name)
		w.dst = strconv.AppendInt(w.dst, value, 10)
	}
}

func (w *jsonWriter) money(name string, value Money) {
	w.name(name)
	w.dst = append(appendMoney(append(w.dst, '"'), value), '"')
}

func (w *jsonWriter) stamp(name string, ms int64, layout string) {
	if ms != 0 {
		w.name(name)
		w.dst = append(appendIn(append(w.dst, '"'), ms, layout, w.zone), '"')
	}
}

func jsonRow[T any](fields func(*T, fieldWriter), zone *time.Location) func([]byte, *T) []byte {
	w := jsonWriter{zone: zone}
	return func(dst []byte, row *T) []byte {
		w.dst = append(dst, '{')
		fields(row, &w)
		return append(w.dst, '}')
	}
}
