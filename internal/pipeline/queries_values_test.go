package pipeline

import (
	"database/sql"
	"encoding/csv"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"retrytax/internal/store"
)

// How a value stands in a case's CSV file: an empty field is NULL and two single quotes are
// the empty text; true, false and lists are in DuckDB's spelling; a time of day is one of
// the third of November 2026, and amounts lose their trailing zeros.
const caseDay = "2026-11-03"

var timeOfDay = regexp.MustCompile(`^\d\d:\d\d:\d\d(\.\d+)?$`)

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
	"charge_no":            {"row_id", "#"},
	"exec_id":              {"row_id", "#"},
	"file_no":              {"", "1"},
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
	"orders":               {"", "true"},
	"settled":              {"", "true"},
	"is_settled":           {"", "true"},
	"ended":                {"", "true"},
	"delivered":            {"", "true"},
	"matched":              {"", "true"},
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
	"file":                 {"", "file.csv"},
	"format":               {"", "retrytax-charges"},
	"src_files.role":       {"", "charges"},
	"state":                {"", "succeeded"},
	"app_ran":              {"", "1"},
	"book_provider":        {"provider", "''"},
	"src_attempts.kind":    {"", "call"},
	"int_lines.kind":       {"", "call"},
	"int_numberings.layer": {"", "''"},
	"int_lines.top_row":    {"", ""},
}

// defaultProvider is the row that holds for every provider without one of its own.
const defaultProvider = `SELECT '', '', 'unknown', 86400000, CAST([] AS INTEGER[]), 'start', 'default', 5000, 'default', 600000, 172800000, false, false, NULL`

// standIns returns the defaults of one table's columns. Every boolean left is false.
func standIns(name string) func(column) standIn {
	return func(c column) standIn {
		if strings.HasPrefix(name, "raw_") {
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

// readTable reads a CSV file of a case.
func readTable(path string) (table, error) {
	f, err := os.Open(path)
	if err != nil {
		return table{}, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		return table{}, fmt.Errorf("%s: no head, or %w", path, err)
	}
	return table{rows[0], rows[1:]}, nil
}

// fill inserts the rows of a file into a table of the columns cols.
func (b *bench) fill(name string, cols []column, t table, defaults func(column) standIn) error {
	for _, n := range t.cols {
		if !slices.ContainsFunc(cols, func(c column) bool { return c.name == n }) {
			return fmt.Errorf("table %s has no column %s", name, n)
		}
	}
	rows := make([]string, len(t.rows))
	for i, r := range t.rows {
		vals := make([]string, len(cols))
		for j, c := range cols {
			vals[j] = valueOf(c, t.cols, r, i, defaults)
		}
		rows[i] = "(" + strings.Join(vals, ", ") + ")"
	}
	if len(rows) == 0 {
		return nil
	}
	return b.s.Run(b.ctx, name, "INSERT INTO "+store.Ident(name)+" VALUES "+strings.Join(rows, ", "))
}

// valueOf is the SQL of one value: the file's, else its column's default.
func valueOf(c column, names, row []string, i int, defaults func(column) standIn) string {
	if at := slices.Index(names, c.name); at >= 0 {
		return literal(row[at], c.kind)
	}
	if defaults == nil {
		return "NULL"
	}
	d := defaults(c)
	if at := slices.Index(names, d.column); at >= 0 {
		return literal(row[at], c.kind)
	}
	if d.constant == "#" {
		return fmt.Sprint(i + 1)
	}
	return literal(d.constant, c.kind)
}

// literal is a value of a CSV file as SQL.
func literal(v, kind string) string {
	switch {
	case v == "":
		return "NULL"
	case v == "''":
		return "''"
	case kind == "VARCHAR":
		return store.Literal(v)
	case strings.HasPrefix(kind, "TIMESTAMP") && timeOfDay.MatchString(v):
		v = caseDay + " " + v
	}
	return "CAST(" + store.Literal(v) + " AS " + kind + ")"
}

// shortened is literal the other way round.
func shortened(v sql.NullString, kind string) string {
	switch {
	case !v.Valid:
		return ""
	case v.String == "":
		return "''"
	case strings.HasPrefix(kind, "DECIMAL"):
		return trimmed(v.String)
	case strings.HasPrefix(kind, "TIMESTAMP"):
		return strings.TrimPrefix(v.String, caseDay+" ")
	}
	return v.String
}

func identList(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = store.Ident(n)
	}
	return strings.Join(list, ", ")
}
