package synth

import "strconv"

// logfmtRow writes an attempt as one line of key=value pairs: the ten fixed
// fields, always there and in one order, then what else is known. The line is
// written when the attempt ends, so its time is that end; layout says whether it
// carries a date.
func logfmtRow(layout string) func([]byte, *AttemptLine) []byte {
	return func(dst []byte, a *AttemptLine) []byte {
		result := logResult(a)
		dst = append(dst, "ts="...)
		dst = appendTime(dst, max(a.StartedAt, a.EndedAt), layout)
		dst = append(append(dst, " level="...), logLevel(result)...)
		dst = append(append(dst, " evt=llm_call rid="...), a.RequestID...)
		dst = appendNumber(append(dst, " attempt="...), a)
		dst = append(dst, " elapsed_ms="...)
		if a.ElapsedMS >= 0 {
			dst = strconv.AppendInt(dst, a.ElapsedMS, 10)
		}
		dst = append(append(dst, " stage="...), a.Stage...)
		dst = append(append(dst, " result="...), result...)
		dst = append(append(dst, " reason="...), orDash(a.Reason)...)
		dst = append(append(dst, " model="...), a.Model...)
		return appendExtras(dst, a)
	}
}

// logResult is the word for how the attempt ended: another one follows, or not.
func logResult(a *AttemptLine) string {
	switch a.Outcome {
	case "success", "cancelled", "unknown":
		return a.Outcome
	case "client_error":
		return "fatal"
	}
	if a.try+1 < a.MaxAttempts {
		return "retryable"
	}
	return "fatal"
}

func logLevel(result string) string {
	switch result {
	case "success":
		return "INFO"
	case "fatal":
		return "ERROR"
	}
	return "WARN"
}

// appendNumber writes the attempt as number/maximum.
func appendNumber(dst []byte, a *AttemptLine) []byte {
	if a.Attempt < 0 {
		return append(dst, '-')
	}
	dst = strconv.AppendInt(dst, int64(a.Attempt), 10)
	return strconv.AppendInt(append(dst, '/'), int64(a.MaxAttempts), 10)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// appendExtras writes what the fixed fields have no place for.
func appendExtras(dst []byte, a *AttemptLine) []byte {
	texts := [...][2]string{{" provider=", a.Provider}, {" vendor_request_id=", a.VendorRequestID},
		{" idempotency_key=", a.IdempotencyKey}, {" api_key=", a.APIKey}}
	if a.Layer != "app" {
		dst = append(append(dst, " layer="...), a.Layer...)
	}
	for _, t := range texts {
		if t[1] != "" {
			dst = append(append(dst, t[0]...), t[1]...)
		}
	}
	counts := [...]struct {
		name  string
		value int64
	}{{" http_status=", known(a.HTTPStatus)}, {" retry_after_ms=", int64(a.RetryAfterMS)},
		{" input_tokens=", int64(a.InputTokens)}, {" cached_input_tokens=", int64(a.CachedTokens)},
		{" output_tokens=", int64(a.OutputTokens)}}
	for _, c := range counts {
		if c.value >= 0 {
			dst = strconv.AppendInt(append(dst, c.name...), c.value, 10)
		}
	}
	return dst
}
