package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"unicode"

	"retrytax/internal/store"
)

func itoa(n int) string { return strconv.Itoa(n) }

// MarshalJSON writes money as a string, and unknown money as null.
func (m Money) MarshalJSON() ([]byte, error) {
	if m == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(m))
}

// JSON is audit.json: indented, keys in the order of the struct, text as it is.
func (a *Audit) JSON() ([]byte, error) { return indented(a) }

// indented is JSON for people and programs: a key a line, text as it is.
func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return EscapeUnseen(b.Bytes()), err
}

// EscapeUnseen writes the controls that JSON lets through as they are, C1 and those that turn the direction of a line, as
// \u0000: the text is the same to a program, and no terminal obeys it.
func EscapeUnseen(b []byte) []byte {
	unseen := func(r rune) bool {
		return unicode.Is(unicode.Bidi_Control, r) || r >= 0x7f && r <= 0x9f
	}
	if bytes.IndexFunc(b, unseen) < 0 {
		return b
	}
	var out bytes.Buffer
	for _, r := range string(b) {
		if unseen(r) {
			fmt.Fprintf(&out, "\\u%04x", r)
			continue
		}
		out.WriteRune(r)
	}
	return out.Bytes()
}

// The columns of verdicts.csv and rejects.csv, in order.
const (
	verdictColumns = `provider, book, charge_id, line_item, charged_at, model, request_id, attempt, verdict, recovery, rerouted,
		amount, currency, excess, settled, match, confidence, delivered_charge_id, reason, source_file, source_line`
	rejectColumns = `source_file, source_line, "column", reason, raw`
)

// verdictPlaces numbers the rows of verdicts.csv in the documented order. Nearly always the time decides alone,
// so that only the lines of one moment are compared by all the rest, which is mostly text.
const verdictPlaces = `SELECT v.sort_row, row_number() OVER (ORDER BY v.sort_at, n.nth) AS place FROM rpt_verdicts v LEFT JOIN (
		SELECT sort_row, row_number() OVER (PARTITION BY sort_at ORDER BY sort_provider, sort_charge, sort_item, source_file, source_line, sort_row) AS nth
		FROM rpt_verdicts SEMI JOIN (SELECT sort_at FROM rpt_verdicts GROUP BY sort_at HAVING count(*) > 1) USING (sort_at)) n ON n.sort_row = v.sort_row`

// WriteVerdicts writes verdicts.csv to path, in the documented order. DuckDB numbers the rows by
// their keys alone and writes them as they come, with their numbers; then they are put in order.
// To sort whole rows, of twenty columns of text, takes three times as long.
func WriteVerdicts(ctx context.Context, s *store.Store, path string) error {
	unordered := path + ".unordered"
	defer os.Remove(unordered)
	if err := copyCSV(ctx, s, `SELECT o.place, `+verdictColumns+` FROM rpt_verdicts v JOIN (`+verdictPlaces+`) o ON o.sort_row = v.sort_row`, unordered); err != nil {
		return err
	}
	return orderRows(ctx, unordered, path)
}

// WriteRejects writes rejects.csv to path.
func WriteRejects(ctx context.Context, s *store.Store, path string, bom bool) error {
	err := copyCSV(ctx, s, `SELECT `+rejectColumns+` FROM rpt_rejects ORDER BY source_file, source_line, "column", reason`, path)
	if err != nil || !bom {
		return err
	}
	return addBOM(path)
}

// ParquetFiles are the files of WriteParquet, in the order in which they are written.
var ParquetFiles = []string{"attempts.parquet", "charges.parquet", "verdicts.parquet"}

// WriteParquet writes the two canonical tables and the verdicts to dir: typed columns, money
// DECIMAL(38,12), times adjusted to UTC. The rows lie in an order that only their content and
// their place in the files decide, so the same inputs give the same bytes.
func WriteParquet(ctx context.Context, s *store.Store, dir string) error {
	for i, q := range []string{
		"SELECT * EXCLUDE (sort_row) FROM rpt_attempts ORDER BY coalesce(started_at, ended_at), request_id, attempt, sort_row",
		"SELECT * EXCLUDE (sort_row) FROM rpt_charges ORDER BY charged_at, provider, charge_id, line_item, sort_row",
		verdictRowsQuery,
	} {
		if err := copyTo(ctx, s, q, filepath.Join(dir, ParquetFiles[i]), "FORMAT parquet, COMPRESSION zstd"); err != nil {
			return err
		}
	}
	return nil
}

func copyCSV(ctx context.Context, s *store.Store, query, path string) error {
	return copyTo(ctx, s, query, path, "FORMAT csv, HEADER true")
}

// copyTo lets DuckDB write the file; the path is made absolute because DuckDB has a
// working folder and glob patterns of its own.
func copyTo(ctx context.Context, s *store.Store, query, path, format string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := s.Exec(ctx, "COPY ("+query+") TO "+store.Literal(abs)+" ("+format+")"); err != nil {
		return err
	}
	_, err = os.Stat(abs)
	return err
}
