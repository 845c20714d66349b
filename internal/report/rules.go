package report

// RuleWords are the reasons of verdicts, the last word of a rule, as sentences that a colleague
// or a vendor understands. Their codes are those of queries/40_verdicts.
var RuleWords = map[string]string{
	"answered":           "Its attempt delivered the answer.",
	"recovered":          "Its attempt timed out, and a later query fetched the answer.",
	"stands_in":          "The attempt that delivered has no charge, so this one stands for it.",
	"tail_lost":          "The answer was streamed to its end; only the last line of the log is missing.",
	"lost_race":          "A parallel copy of the same call answered first.",
	"no_delivery":        "No attempt delivered an answer to this call.",
	"hidden_retry":       "It ran within an attempt that already has a charge: a retry that the log does not show.",
	"inner_layer":        "A layer below the application tried again, as its log shows.",
	"cancelled":          "Its attempt was given up, another one delivered, and the bill says that it was cancelled.",
	"fewer_tokens":       "Its attempt was given up, another one delivered, and the bill has fewer output tokens than the answer.",
	"cut_off":            "Its attempt was given up, another one delivered, and the bill stops when the client left.",
	"billed_in_full":     "Its attempt was given up, another one delivered, and it was billed in full.",
	"failed_and_retried": "Its attempt failed, another one delivered, and it was billed all the same.",
	"refused":            "The vendor refused its attempt and billed it all the same.",
	"never_connected":    "Its attempt never reached the vendor.",
	"same_line":          "The same line stands in the export more than once, equal in every field.",
	"no_log":             "The log covers its time and key, and no line explains it.",
	"other_call":         "Its request id is in the log, but model or tokens fit no attempt of it.",
	"outside_log":        "The log does not cover its time or its key.",
	"lead":               "An attempt may explain it, but not surely enough.",
}

// DisputeReason is why the vendor should give a charge back, as a sentence for the vendor.
func DisputeReason(d *DisputeRow) string {
	switch {
	case d.Verdict == "duplicate_line":
		return "This line is billed more than once: another line is equal in every field."
	case d.Reason == "refused":
		return "Billed although the request was refused with an error status."
	case d.Reason == "never_connected":
		return "Billed although no connection to the service was made."
	}
	return "The request repeated an idempotency key within its lifetime, so it should not have run again."
}
