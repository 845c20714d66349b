package ui

import "strings"

// Word is a code of the reports in plain words: a name that fits a table, and one sentence.
type Word struct{ Code, Name, Meaning string }

// Verdicts are the words for what a charge turned out to be, in the order in which a
// reader wants them: what was due, what was not, what is open.
var Verdicts = []Word{
	{"delivered", "delivered", "the charge of the attempt that delivered the call, or one that stands in for it"},
	{"timeout_retry", "timeout, billed in full", "its attempt timed out or was cancelled, the vendor ran it to the end, and another attempt delivered the call"},
	{"partial_tokens", "timeout, billed in part", "its attempt timed out or was cancelled, the vendor stopped early and billed what it had, and another attempt delivered the call"},
	{"server_error_retry", "failed, billed anyway", "its attempt failed in another way, such as a 5xx, and another attempt delivered the call"},
	{"sdk_retry", "hidden SDK retry", "the SDK tried again within one attempt of the application, and each of its tries was billed"},
	{"double_retry", "retries in two layers", "the SDK and the application both retried, so the tries multiplied"},
	{"hedged", "parallel copy that lost", "its attempt ran beside another of the same call, which finished first"},
	{"duplicate_line", "same line billed twice", "the bill holds this line more than once within one file, equal in every field"},
	{"not_billable", "billed, but never ran", "its attempt was refused or never connected, and nothing else can explain the charge"},
	{"undelivered", "paid for nothing", "no attempt delivered the call; what it cost has a total of its own, and is no excess"},
	{"orphan", "not in the log", "no logged attempt explains the charge for certain; nothing is claimed about it"},
	{"adjustment", "refund, credit or tax", "no usage: a line that corrects or adds to the bill, counted in the month of its date"},
}

// Recoveries are who can get an excess back.
var Recoveries = []Word{
	{"vendor_dispute", "ask vendor", "the vendor billed what its own terms do not allow: send it the evidence"},
	{"own_policy", "fix retries", "the vendor did the work that it was asked for: only other timeouts and retries save it"},
	{"none", "–", "nothing to get back"},
}

// Warnings are what a reader must know before using the numbers.
var Warnings = []Word{
	{"rejected_rows", "rows that cannot be read", "rows were rejected, so every total is at least what it says; they stand in rejects.csv"},
	{"listed_amounts", "amounts from a price list", "some charges name no amount and are priced by a list; the vendor may ask for another"},
	{"unknown_amounts", "amounts unknown", "some charges have no amount, so every total is at least what it says"},
	{"unknown_currency", "currency unknown", "some amounts have no currency; --currency states it"},
	{"skipped_times", "times that do not exist", "the clocks skipped these local times, so they were read as an hour later; check the zone"},
	{"repeated_times", "times that happened twice", "the clocks went back, so these local times can be an hour off; write them with their offset"},
	{"totals_of_bills", "totals are left out", "rows that are totals name no request, so they are in no number of an audit; retrytax invoice compares them"},
	{"id_reuse", "request ids are reused", "several calls were delivered under one id; that is no duplication, and nothing was counted twice for it"},
	{"id_collision", "charge ids are reused", "one charge id stands for different charges; each of them is counted"},
	{"overlapping_files", "files overlap", "rows came in more than one file and were counted once"},
	{"joined_exports", "exports joined in one file", "the header stands in a file again, so exports were put one behind the other; rows that repeat were counted once"},
	{"repeated_file", "most lines stand twice", "half of a bill's lines or more are repeated: make sure that nobody joined exports by hand before the vendor is asked"},
	{"superseded_rows", "rows were replaced", "a later file holds other content for the same charge; the later one counts, both are kept"},
	{"estimate_only", "no bill, only an estimate", "a gateway prices failed calls at 0, so what retries cost is not measurable over it"},
	{"no_overlap", "log and bill do not overlap", "no charge lies in the time that the log covers, so nothing can be matched"},
	{"low_coverage", "much is not explained", "many charges have no line in the log: a service or a key may be missing from it"},
	{"attempts_without_ids", "log lines without an id", "they carry neither a request id nor a receipt, so a charge can be laid to them by tokens and time only"},
	{"gateway_apart", "a gateway stands by itself", "its lines name no request of the other logs, so they are calls of their own; --charges reads the file as a bill only"},
	{"tokens_not_used", "not matched by tokens", "over a database, charges of a bill that knows your request ids are matched by ids and receipts only; an audit of the files matches by tokens and time as well"},
	{"pruned", "a time of which rows were taken out", "of the time before, only the rows are left that later calls need; the report of such a month was kept"},
	{"weak_calibration", "time does not order the charges", "the bill's stamps stray more than a minute, so time does not tell which charge came first"},
	{"few_pairs", "too few plain calls", "too few calls with one attempt and one charge to measure the bill's stamps; the defaults were used"},
	{"ambiguous", "charges too much alike", "so many have the same model and prompt at the same time that they cannot be told apart; what is in doubt is a lead"},
	{"few_clusters", "few incidents", "the timeouts come from few hours, so the interval of the rates is too narrow"},
	{"lost_lines", "lines are missing from the log", "attempt numbers have gaps; what such an attempt was charged is a lead at most"},
	{"unlogged_refusals", "refusals without a line", "this client writes no line for an attempt answered with an error, so most charges of such attempts are leads at most"},
	{"copied_lines", "the log counts twice", "lines of the log repeat others and were counted once"},
	{"unapplied_refunds", "refunds without a charge", "refunds name no charge of this bill, so they lower no excess"},
	{"refund_currency", "refunds in another currency", "such refunds are listed, not subtracted"},
	{"open_edge", "the edge is open", "charges or calls near the end of the data are unsettled: later lines may change them"},
}

// Leads are likely findings that are not certain enough for the headline.
var Leads = []Word{
	{"lead", "matched, but not for certain", "tokens and time point to a call, with less confidence than the threshold asks for"},
	{"repeated", "same call made again", "a delivered call was made again with the same prompt and size"},
	{"retried_under_other_id", "retried under another id", "an undelivered call was soon followed by a delivered one of the same key, model and input"},
	{"lost_line", "attempt missing from the log", "the charge of an attempt whose number no line has"},
}

// Matches are how a charge found its attempt.
var Matches = []Word{
	{"receipt", "by receipt", "the vendor's own id of the execution stands on both sides"},
	{"attempt", "by request and attempt", "request id and attempt number stand on both sides"},
	{"request", "by request", "the request id stands on both sides; model, tokens and time did the rest"},
	{"tokens", "by tokens and time", "no shared id: provider, model, key, tokens and time leave one candidate"},
	{"lead", "likely", "not certain enough: out of the headline"},
	{"none", "not matched", "no attempt explains the charge"},
}

// OrphanReasons are why a charge has no attempt.
var OrphanReasons = []Word{
	{"no_log", "no line in the log", "the log covers its time and key, and no line explains it"},
	{"other_call", "another call's", "its request id is in the log, but model or tokens fit no attempt of it"},
	{"outside_log", "outside the log", "the log does not cover its time or its key"},
	{"lead", "likely, not certain", "an attempt may explain it, with less confidence than the threshold asks for"},
}

// Lookup finds a code in one of the lists. A code that is not in it is its own name, with
// spaces for underscores.
func Lookup(words []Word, code string) Word {
	for _, w := range words {
		if w.Code == code {
			return w
		}
	}
	return Word{Code: code, Name: short(strings.ReplaceAll(code, "_", " "))}
}
