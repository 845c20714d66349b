package source

import (
	"sort"
	"strings"
)

// Alias is one canonical column and the other names under which files carry it, the most
// telling first: if a file has two of them, the earlier one is read.
type Alias struct {
	Column string
	Names  []string
}

// attemptAliases is the one list of names of an attempt log's columns. Dots are levels of
// a nested JSON object.
var attemptAliases = []Alias{
	{"request_id", []string{"rid", "req_id", "client_request_id", "x_client_request_id", "call_id", "correlation_id", "x_correlation_id", "trace_id", "task_id"}},
	{"attempt", []string{"attempt_no", "attempt_number", "attempt_num", "attempt_index", "try", "try_no", "retry_count", "retries", "x_stainless_retry_count"}},
	{"max_attempts", []string{"max_tries", "attempts_max", "attempt_limit"}},
	{"layer", []string{"source_layer", "log_layer"}},
	{"kind", []string{"attempt_kind"}},
	{"started_at", []string{"start_time", "start_at", "start_ts", "started", "start", "request_time_start"}},
	{"ended_at", []string{"end_time", "end_at", "end_ts", "finished_at", "completed_at", "ended", "end"}},
	{"elapsed_ms", []string{"latency_ms", "duration_ms", "response_time_ms", "request_duration_ms", "elapsed_millis", "duration_millis", "latency_millis", "took_ms", "total_ms", "dur_ms"}},
	{"stage", []string{"phase", "failed_stage"}},
	{"outcome", []string{"result", "state"}},
	{"reason", []string{"error_type", "exc_type", "exception_type", "error_class", "exception_class", "exception", "error_code", "error", "err", "error_kind"}},
	{"http_status", []string{"status_code", "http_status_code", "http_code", "response_code", "http.response.status_code", "response_status", "code"}},
	{"retry_after_ms", []string{"retry_after_millis"}},
	{"provider", []string{"vendor", "provider_name", "llm_provider", "gen_ai.provider.name", "gen_ai.system", "custom_llm_provider"}},
	{"model", []string{"model_name", "model_id", "llm_model", "gen_ai.request.model", "deployment"}},
	{"vendor_request_id", []string{"receipt", "vendor_id", "provider_request_id", "upstream_request_id", "response_id", "generation_id", "gen_ai.response.id", xRequestID}},
	{"idempotency_key", []string{"idempotency_id", "idem_key"}},
	{"input_tokens", []string{"prompt_tokens", "tokens_in", "in_tokens", "tokens_prompt", "tokens_input", "usage.input_tokens", "usage.prompt_tokens", "usage.in", "gen_ai.usage.input_tokens"}},
	{"cached_input_tokens", []string{"cached_tokens", "cache_read_tokens", "cache_read_input_tokens", "tokens_cached", "cached_prompt_tokens", "usage.cached_tokens", "usage.cache_read_input_tokens", "usage.prompt_tokens_details.cached_tokens", "usage.input_tokens_details.cached_tokens"}},
	{"output_tokens", []string{"completion_tokens", "tokens_out", "out_tokens", "tokens_completion", "tokens_output", "usage.output_tokens", "usage.completion_tokens", "usage.out", "gen_ai.usage.output_tokens"}},
	{"streamed", []string{"stream", "is_stream", "streaming"}},
	{"api_key", []string{"api_key_name", "key_name", "api_key_alias", "api_key_id", "token_name", "key"}},
	{"ts", []string{"timestamp", "time", "datetime", "logged_at", "log_time", "asctime", "event_time"}},
	{"status", nil},
	{"elapsed_s", []string{"duration_s", "latency_s", "elapsed_sec", "duration_sec", "latency_sec", "elapsed_seconds", "duration_seconds", "latency_seconds", "dur_s", "elapsed", "duration", "latency", "dur"}},
	{"retryable", nil},
	{"counts_from", nil},
	{"unlogged", nil},
}

// chargeAliases is the same for a billing export.
var chargeAliases = []Alias{
	{"provider", []string{"vendor", "provider_name", "llm_provider", "custom_llm_provider"}},
	{"book", nil},
	{"charge_id", []string{"generation_id", "transaction_id", "billing_id", "usage_id", "line_id", "id"}},
	{"line_item", []string{"item", "token_type", "usage_type", "sku", "sku_name"}},
	{"request_id", []string{"rid", "req_id", "client_request_id", "x_client_request_id", "call_id", "correlation_id", "x_correlation_id", "trace_id", "task_id"}},
	{"attempt", []string{"attempt_no", "attempt_number", "attempt_num", "try", "try_no", "retry_count"}},
	{"vendor_request_id", []string{"receipt", "vendor_id", "provider_request_id", "upstream_request_id", "response_id", xRequestID}},
	{"idempotency_key", []string{"idempotency_id", "idem_key"}},
	{"charged_at", []string{"billed_at", "charge_time", "usage_time", "created_at", "created", "timestamp", "ts", "time", "datetime", "date"}},
	{"model", []string{"model_name", "model_id", "model_permaslug", "llm_model", "deployment"}},
	{"input_tokens", []string{"prompt_tokens", "tokens_in", "in_tokens", "tokens_prompt", "tokens_input", "usage.input_tokens", "usage.prompt_tokens"}},
	{"cached_input_tokens", []string{"cached_tokens", "cache_read_tokens", "cache_read_input_tokens", "tokens_cached", "cached_prompt_tokens", "usage.cached_tokens", "usage.cache_read_input_tokens", "usage.prompt_tokens_details.cached_tokens", "usage.input_tokens_details.cached_tokens"}},
	{"output_tokens", []string{"completion_tokens", "tokens_out", "out_tokens", "tokens_completion", "tokens_output", "usage.output_tokens", "usage.completion_tokens"}},
	{"reasoning_tokens", []string{"tokens_reasoning", "reasoning_output_tokens", "usage.reasoning_tokens", "usage.completion_tokens_details.reasoning_tokens", "usage.output_tokens_details.reasoning_tokens"}},
	{"unit_price", []string{"price_per_unit", "rate"}},
	{"amount", []string{"cost_total", "total_cost", "total_amount", "total_price", "total", "cost", "spend", "charge", "fee", "usage.cost", perhapsUnitPrice}},
	{"currency", []string{"currency_code", "ccy"}},
	{"kind", []string{"charge_type", "charge_kind", "record_type", "entry_type", "transaction_type"}},
	{"finish_reason", []string{"finish_reason_normalized", "finish_reason_raw", "stop_reason"}},
	{"cancelled", []string{"canceled", "is_cancelled", "is_canceled", "aborted"}},
	{"generation_ms", []string{"generation_time_ms", "generation_time", "generation_duration_ms"}},
	{"api_key", []string{"api_key_name", "key_name", "api_key_alias", "api_key_id", "token_name", "key"}},
	{"counts_from", nil},
	{"cache_write_tokens", []string{"cache_creation_tokens", "cache_write_input_tokens", "cache_creation_input_tokens", "usage.cache_creation_input_tokens"}},
	{"service_tier", []string{"usage.service_tier"}},
}

// billAliases is the same for totals by the day, key and model.
var billAliases = []Alias{
	{"provider", []string{"vendor", "provider_name", "service_provider_name", "llm_provider", "custom_llm_provider"}},
	{"api_key", []string{"api_key_name", "key_name", "api_key_alias", "api_key_id", "token_name", "key"}},
	{"model", []string{"model_name", "model_id", "model_version", "model_permaslug", "llm_model", "deployment"}},
	{"token_type", []string{"token_kind", "kind_of_token", "usage_type", "meter"}},
	{"period_start", []string{"period_from", "usage_start", "usage_date_utc", "usage_date", "utc_date", "billing_date", "bucket_start", "starting_at", "period", "month", "day", "date", "from"}},
	{"period_end", []string{"period_to", "usage_end", "bucket_end", "ending_at", "to", "until"}},
	{"quantity", []string{"usage_quantity", "tokens", "units", "qty"}},
	{"requests", []string{"num_model_requests", "request_count", "num_requests", "api_requests", "calls"}},
	{"amount", []string{"amount_value", "cost_total", "total_cost", "total_amount", "net_amount", "line_total", "total", "cost", "spend", "charge", "fee"}},
	{"currency", []string{"currency_code", "billing_currency", "amount_currency", "ccy"}},
	{"kind", []string{"charge_type", "charge_kind", "record_type", "entry_type", "line_type"}},
	{"line_item", []string{"item", "description", "sku", "sku_name"}},
	{"unit_price", []string{"price_per_unit", "rate", "price"}},
	{"service_tier", nil},
}

// xRequestID is a header that proxies set to the caller's id and vendors to their own: it
// is the request id where a file has no other, and the receipt elsewhere.
const xRequestID = "x_request_id"

// perhapsUnitPrice can be the price of one token as well as the amount of a charge: it is the
// amount only where no other column is.
const perhapsUnitPrice = "price"

// unitless are names of a duration that leave its unit open: only a value that carries one
// ("1.5s", "250ms") is read, since a bare 30012 can be seconds, milliseconds or nanoseconds.
var unitless = map[string]bool{"elapsed": true, "duration": true, "latency": true, "dur": true}

// Aliases lists every column of a role, in batch order, with its aliases.
func Aliases(r Role) []Alias {
	list := aliasesOf(r)
	out := make([]Alias, len(list))
	for i, a := range list {
		out[i] = Alias{a.Column, append([]string(nil), a.Names...)}
	}
	return out
}

func aliasesOf(r Role) []Alias {
	switch r {
	case Charges:
		return chargeAliases
	case Bills:
		return billAliases
	}
	return attemptAliases
}

// normalise takes from a column name what does not tell columns apart: case, underscores,
// dashes, blanks, dots and other punctuation. Request ID, requestId and request_id are one.
func normalise(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			b.WriteByte(c + 'a' - 'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c >= 0x80:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// nameTable looks up normalised names of one role.
type nameTable struct {
	byName map[string]target
	sorted []string // the names in order, to find what begins with a prefix
}

var nameTables = map[Role]nameTable{Attempts: newNameTable(Attempts), Charges: newNameTable(Charges), Bills: newNameTable(Bills)}

func newNameTable(r Role) nameTable {
	t := nameTable{byName: map[string]target{}}
	add := func(name string, tg target) {
		n := normalise(name)
		if _, taken := t.byName[n]; !taken {
			t.byName[n] = tg
			t.sorted = append(t.sorted, n)
		}
	}
	for col, a := range aliasesOf(r) {
		add(a.Column, target{col: col, rank: 1})
	}
	for col, a := range aliasesOf(r) {
		for i, n := range a.Names {
			add(n, target{col: col, rank: uint8(2 + i), needUnit: unitless[n]})
		}
	}
	sort.Strings(t.sorted)
	return t
}

// hasPrefix tells whether some longer name begins with n, so that an object under n is
// worth opening.
func (t nameTable) hasPrefix(n string) bool {
	i := sort.SearchStrings(t.sorted, n+"\x00")
	return i < len(t.sorted) && strings.HasPrefix(t.sorted[i], n)
}
