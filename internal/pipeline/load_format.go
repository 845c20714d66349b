package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"retrytax/internal/source"
	"retrytax/internal/store"
)

// landing is where the rows of one role go: the table that a format's query fills, the view that
// the typing query reads.
type landing struct {
	made, raw string
	columns   []string
}

var landings = map[source.Role]landing{
	source.Attempts: {"fmt_attempts", "raw_attempts", source.AttemptColumns},
	source.Charges:  {"fmt_charges", "raw_charges", source.ChargeColumns},
	source.Bills:    {"fmt_bills", "raw_bills", source.BillColumns},
	source.Retries:  {"fmt_retries", "raw_retries", source.RetryColumns},
}

// landFormat loads a file of a format with a query of its own: the raw records become rows of
// text in the canonical columns, then what any file's rows become. Of each role the file has an
// entry in src_files: a record is loaded there if the query has made a row of it, and ignored if not.
func landFormat(ctx context.Context, s *store.Store, no int, f File, o Options, rec source.Recognised, rows *decoded, raw rawTexts) (notes []string, err error) {
	if err := makeRows(ctx, s, rec, rows); err != nil {
		return nil, err
	}
	return landRoles(ctx, s, no, f, o, rec, rows.reader.Stats(), rows.rejects, raw)
}

// landRoles types the rows that a format's query made, role by role.
func landRoles(ctx context.Context, s *store.Store, no int, f File, o Options, rec source.Recognised, st source.Stats, bad *rejects, raw rawTexts) (notes []string, err error) {
	for i, role := range rec.Roles() {
		one := rec
		one.Role = role
		if i > 0 { // what could not be decoded is told once
			one.Notes, bad = nil, &rejects{}
		}
		n, err := landRole(ctx, s, no+i, f, o, one, st, bad, raw)
		if err != nil {
			return nil, err
		}
		notes = append(notes, n...)
		if err := noteTraces(ctx, s, i == 0); err != nil {
			return nil, err
		}
	}
	return notes, s.Exec(ctx, "DROP TABLE fmt_traces")
}

// noteTraces keeps what the rows of the role at hand say of the traces that they belong to: names once a
// file, and which rows lack one.
func noteTraces(ctx context.Context, s *store.Store, first bool) error {
	n, err := s.Int(ctx, "SELECT count(*) FROM fmt_traces")
	if err != nil || n == 0 {
		return err
	}
	if err := s.Exec(ctx, "CREATE OR REPLACE TEMP VIEW raw_traces AS SELECT record_no, known_id(trace_id) AS trace_id, known_id(name) AS name FROM fmt_traces"); err != nil {
		return err
	}
	names := []string{"47_src_nameless.sql"}
	if first {
		names = append(names, "46_src_names.sql")
	}
	if err := runSteps(ctx, s, names...); err != nil {
		return err
	}
	return s.Exec(ctx, "DROP VIEW raw_traces")
}

// makeRows decodes the file into raw_records, and runs the format's query over it.
func makeRows(ctx context.Context, s *store.Store, rec source.Recognised, rows *decoded) error {
	err := s.Land(ctx, "raw_stream", rec.RawColumns(), rows, func() error {
		return s.Exec(ctx, "CREATE OR REPLACE TEMP TABLE raw_records AS SELECT * FROM raw_stream")
	})
	if err != nil {
		return err
	}
	return runFormat(ctx, s, rec)
}

// runFormat lets the format's query make rows of raw_records, and drops them.
func runFormat(ctx context.Context, s *store.Store, rec source.Recognised) error {
	for _, role := range rec.Vendor().Roles {
		l := landings[role]
		if err := s.Exec(ctx, "CREATE OR REPLACE TEMP TABLE "+l.made+" (source_line BIGINT, record_no BIGINT, "+strings.Join(texts(l.columns), ", ")+")"); err != nil {
			return err
		}
	}
	if err := s.Exec(ctx, "CREATE OR REPLACE TEMP TABLE fmt_traces (record_no BIGINT, trace_id VARCHAR, name VARCHAR)"); err != nil {
		return err
	}
	q := rec.Vendor().Query
	if err := s.Run(ctx, q.Path, q.SQL); err != nil {
		return err
	}
	return s.Exec(ctx, "DROP TABLE raw_records")
}

// insideInput takes the cached tokens out of an input that a format says has them inside, where
// the user has said of the provider's logs that they have not: the typing query puts them back.
const insideInput = `CASE WHEN as_count(input_tokens) >= as_count(cached_input_tokens) AND lower(provider) IN (SELECT provider FROM src_providers WHERE cached_outside)
	THEN CAST(as_count(input_tokens) - as_count(cached_input_tokens) AS VARCHAR) ELSE input_tokens END`

func texts(columns []string) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = store.Ident(c) + " VARCHAR"
	}
	return out
}

// landRole types the rows of one role and accounts for them under the number no.
func landRole(ctx context.Context, s *store.Store, no int, f File, o Options, rec source.Recognised, st source.Stats, bad *rejects, raw rawTexts) ([]string, error) {
	if err := setVariables(ctx, s, o.settingsOfFile(no, f, rec)); err != nil {
		return nil, err
	}
	l := landings[rec.Role]
	made, err := s.Int(ctx, "SELECT count(*) FROM "+l.made)
	if err != nil {
		return nil, err
	}
	if rec.Vendor().Several { // each of its rows counts
		records, err := s.Int(ctx, "SELECT count(DISTINCT record_no // 16) FROM "+l.made)
		if err != nil {
			return nil, err
		}
		st.Rows += made - records
	}
	list := []string{"source_line", "record_no"}
	for _, c := range l.columns {
		text := store.Ident(c)
		if c == "input_tokens" && rec.Vendor().CachedInside {
			text = insideInput
		}
		list = append(list, source.KnownMacro(c)+"("+text+") AS "+store.Ident(c))
	}
	if err := s.Exec(ctx, "CREATE OR REPLACE TEMP VIEW "+l.raw+" AS SELECT "+strings.Join(list, ", ")+" FROM "+l.made); err != nil {
		return nil, err
	}
	_, step := typingOf(rec.Role)
	if err := s.Landing(ctx, func() error { return s.Run(ctx, step.Path, step.SQL) }); err != nil {
		return nil, err
	}
	for _, q := range []string{"DROP VIEW " + l.raw, "DROP TABLE " + l.made} {
		if err := s.Exec(ctx, q); err != nil {
			return nil, err
		}
	}
	st.Ignored = st.Rows - bad.Len() - made
	notes, err := account(ctx, s, no, f, o, rec, st, bad, raw)
	if err != nil || rec.Role != source.Retries {
		return notes, err
	}
	told, err := retriesNote(ctx, s, no, f)
	return append(notes, told...), err
}

// retriesNote says how many retries an SDK's lines tell, which no report can lay to a request.
func retriesNote(ctx context.Context, s *store.Store, no int, f File) (notes []string, err error) {
	err = s.Query(ctx, `SELECT sum(n), count(*), max(n), strftime(min_by(minute, row(-n, minute)), '%Y-%m-%d %H:%M') FROM (
		SELECT date_trunc('minute', retried_at) AS minute, count(*) AS n FROM src_retries WHERE file_no = ? GROUP BY 1) HAVING count(*) > 0`, func(r *sql.Rows) error {
		var all, minutes, most int64
		var at string
		err := r.Scan(&all, &minutes, &most, &at)
		notes = append(notes, fmt.Sprintf("%s: an SDK retried %d times by itself, in %d minutes, at most %d times in one (%s UTC): sends that no attempt log shows. The lines name no request, so they are counted and joined with nothing",
			f.Input.Name, all, minutes, most, at))
		return err
	}, no)
	return notes, err
}
