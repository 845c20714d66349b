package pipeline

import (
	"slices"
	"strings"
)

// standIn is where the value of a column comes from that a case leaves out: another column
// of the file, else a constant, else NULL. "#" is the number of the row, from 1.
type standIn struct {
	column   string
	constant string
}

// defaultsOf holds for every table, under "table.column" for one.
var defaultsOf = map[string]standIn{
	"row_id":               {"source_line", "#"},
	"source_line":          {"row_id", "#"},
	"record_no":            {"source_line", "#"},
	"joined":               {"", "false"},
	"day":                  {"", caseDay},
	"month":                {"", "2026-11-01"},
	"charge_no":            {"row_id", "#"},
	"exec_id":              {"row_id", "#"},
	"ord":                  {"", "#"},
	"file_no":              {"", "1"},
	"newest_file":          {"file_no", "1"},
	"source_no":            {"file_no", "1"},
	"run_no":               {"", "1"},
	"request_id":           {"request_key", ""},
	"request_key":          {"request_id", ""},
	"call_no":              {"", "1"},
	"top_row":              {"exec_id", "#"},
	"place":                {"", "#"},
	"lines":                {"", "1"},
	"n":                    {"attempt", ""},
	"app_n":                {"n", ""},
	"attempt":              {"n", ""},
	"model_key":            {"model", ""},
	"model":                {"model_key", ""},
	"layer":                {"", "app"},
	"depth":                {"", "0"},
	"kind":                 {"", "usage"},
	"book":                 {"", "bill"},
	"currency":             {"", "USD"},
	"role":                 {"", "item"},
	"match":                {"", "request"},
	"recovery":             {"", "none"},
	"stamp":                {"", "start"},
	"start_known":          {"", "true"},
	"ran":                  {"", "true"},
	"executable":           {"", "true"},
	"short":                {"", "true"},
	"orders":               {"", "true"},
	"settled":              {"", "true"},
	"ended":                {"", "true"},
	"delivered":            {"", "true"},
	"matched":              {"", "true"},
	"closed":               {"", "true"},
	"is_closed":            {"", "true"},
	"canonical":            {"provider", ""},
	"idempotency":          {"", "unknown"},
	"billed_statuses":      {"", "[]"},
	"stamp_origin":         {"", "default"},
	"skew_origin":          {"", "default"},
	"tail_ms":              {"", "600000"},
	"lateness_ms":          {"", "172800000"},
	"skew_ms":              {"", "5000"},
	"noise_ms":             {"", "1000"},
	"offset_ms":            {"", "0"},
	"resolution_ms":        {"", "0"},
	"pairs":                {"", "0"},
	"charged_at":           {"", "10:00:00"},
	"opens":                {"t0", ""},
	"closes":               {"t1", ""},
	"expected":             {"t0", ""},
	"excess":               {"", "0"},
	"floor_ms":             {"", "5000"},
	"highest":              {"", "2"},
	"shift":                {"", "0"},
	"sha256":               {"file", ""},
	"cause":                {"", "lost"},
	"file":                 {"", "file.csv"},
	"format":               {"", "retrytax-charges"},
	"src_files.role":       {"", "charges"},
	"state":                {"", "succeeded"},
	"app_ran":              {"", "1"},
	"book_provider":        {"provider", "''"},
	"src_attempts.kind":    {"", "call"},
	"int_lines.kind":       {"", "call"},
	"int_numberings.layer": {"", "''"},
}

// defaultProvider is the row that holds for every provider without one of its own.
const defaultProvider = `SELECT '', '', 'unknown', 86400000, CAST([] AS INTEGER[]), 'start', 'default', 5000, 'default', 600000, 172800000, false, false, NULL`

// standIns returns the defaults of one table's columns. Every boolean left is false.
func standIns(name string) func(column) standIn {
	return func(c column) standIn {
		if strings.HasPrefix(name, "raw_") {
			if c.name == "record_no" {
				return standIn{"source_line", "#"}
			}
			return standIn{}
		}
		if d, ok := defaultsOf[name+"."+c.name]; ok {
			return d
		}
		if d, ok := defaultsOf[c.name]; ok {
			return d
		}
		if c.kind == "BOOLEAN" && !slices.Contains([]string{"src_attempts", "src_charges", "int_charge_lines"}, name) {
			return standIn{"", "false"}
		}
		return standIn{}
	}
}
