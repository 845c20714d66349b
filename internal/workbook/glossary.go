package workbook

import "retrytax/internal/report"

// title is the name of the report, on the Summary and in every footer.
const title = report.Title

// term is a word of the report and what it means.
type term struct{ name, meaning string }

// verdictTerms are the verdicts, in the order in which the rules are tried.
var verdictTerms = []term{
	{"adjustment", "A refund, credit, tax or correction: not a usage charge."},
	{"duplicate_line", "The same charge line stands twice in one export of the vendor."},
	{"orphan", "No logged attempt explains this charge. It is not counted as excess."},
	{"not_billable", "Billed although the request was refused or never reached the vendor."},
	{"delivered", "Paid for the answer that was used."},
	{"hedged", "A parallel copy of a call whose other copy answered first."},
	{"undelivered", "The call never got an answer: paid for nothing. Kept apart from the excess."},
	{"double_retry", "A retry inside the SDK on top of the application's own retries."},
	{"sdk_retry", "A retry inside the SDK; the application asked once."},
	{"partial_tokens", "Timed out or cancelled and billed in part; another attempt delivered."},
	{"timeout_retry", "Timed out or cancelled but billed in full; another attempt delivered."},
	{"server_error_retry", "Failed in another way but billed; another attempt delivered."},
}

// ledgerTerms explain the parts of a bill; billed is the sum of all others.
var ledgerTerms = termsOf(report.LedgerTerms)

func termsOf(list []report.Term) (out []term) {
	for _, t := range list {
		out = append(out, term{t.Name, t.Meaning})
	}
	return out
}

// otherTerms are the remaining words that the sheets use.
var otherTerms = []term{
	{"bill, estimate", "Two books: what the vendor bills, and what a gateway reckons. They are never added up."},
	{"at least, ≥", "A sum in which an amount is unknown or a line could not be read: the true one may be higher."},
	{"unknown", "The input does not tell. It is not counted as zero."},
	{"not measurable", "The input has nothing to measure it by. It is not zero."},
	{"request, call, attempt", "A request id may stand for several calls; a call is tried in one or more attempts."},
	{"receipt", "The vendor's own id of one execution."},
	{"lead", "A likely finding that is not certain enough to be counted."},
	{"recovery", "Who can get the money back: the vendor, if asked; or nobody but a better retry policy."},
}

// meaningOf finds a term; one that is not listed has no meaning to show.
func meaningOf(terms []term, name string) string {
	for _, t := range terms {
		if t.name == name {
			return t.meaning
		}
	}
	return ""
}

// exceptionWords is the kind of an exception in plain words.
func exceptionWords(kind string) string {
	switch kind {
	case "orphan":
		return "charge without attempt"
	case "lead":
		return "lead, not counted"
	case "unsettled":
		return "unsettled charge"
	case "unbilled":
		return "call without charge"
	case "unapplied_refund":
		return "refund not applied"
	case "reject":
		return "line not readable"
	}
	return kind
}
