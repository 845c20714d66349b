package pipeline

import (
	"context"
	"database/sql"
	"fmt"

	"retrytax/internal/source"
	"retrytax/internal/store"
)

// rawTexts calls each with the text of rows of a file, given by their lines in rising order.
type rawTexts func(ctx context.Context, lines []int64, each func(line int64, raw string) error) error

// account dates what has no date, moves rejects aside and writes the file's line in
// src_files. The same content under another name is no news: its rows are taken out again.
func account(ctx context.Context, s *store.Store, no int, f File, o Options, rec source.Recognised, st source.Stats, decoded *rejects, raw rawTexts) ([]string, error) {
	if err := dateLines(ctx, s, no, f); err != nil {
		return nil, err
	}
	if err := landRejects(ctx, s, no, decoded, raw); err != nil {
		return nil, err
	}
	bad, err := s.Int(ctx, "SELECT count(*) FROM src_rejects WHERE file_no = ?", no)
	if err != nil {
		return nil, err
	}
	if err := runSteps(ctx, s, "45_src_numbers.sql"); err != nil {
		return nil, err
	}
	line := fileLine{no: no, loaded: st.Rows - st.Ignored - bad, rejected: bad}
	if line.first, line.last, err = timesOf(ctx, s, no); err != nil {
		return nil, err
	}
	again, err := s.Int(ctx, "SELECT count(*) FROM src_files WHERE sha256 = ? AND role = ?", st.SHA256, string(rec.Role))
	if err != nil {
		return nil, err
	}
	notes := append(append([]string(nil), rec.Notes...), endNotes(f, rec, st)...)
	if again > 0 && !o.again {
		if err := forget(ctx, s, no); err != nil {
			return nil, err
		}
		line.known, line.loaded = line.loaded, 0
		notes = append(notes, fmt.Sprintf("%s holds the same content as another file and was not counted again", f.Input.Name))
	}
	if err := line.note(ctx, s, f, rec, st); err != nil {
		return nil, err
	}
	if bad > 0 && line.loaded+line.known == 0 && (rec.Vendor() == nil || st.Ignored == 0) {
		return nil, allRejected(ctx, s, no, f, rec, bad, st)
	}
	return notes, nil
}

// fileLine is what becomes of a file: its line in src_files.
type fileLine struct {
	no                      int
	loaded, known, rejected int64
	first, last             sql.NullTime // of its rows
}

// timesOf is from when to when the rows of a file reach.
func timesOf(ctx context.Context, s *store.Store, no int) (first, last sql.NullTime, err error) {
	err = s.Query(ctx, `SELECT min(row_at), max(row_at) FROM (
		SELECT coalesce(ended_at, started_at) AS row_at FROM src_attempts WHERE file_no = $1
		UNION ALL SELECT charged_at FROM src_charges WHERE file_no = $1
		UNION ALL SELECT unnest([period_start, period_end]) FROM src_bills WHERE file_no = $1
		UNION ALL SELECT retried_at FROM src_retries WHERE file_no = $1)`, func(r *sql.Rows) error { return r.Scan(&first, &last) }, no)
	return first, last, err
}

// note writes the line.
func (l fileLine) note(ctx context.Context, s *store.Store, f File, rec source.Recognised, st source.Stats) error {
	var path any
	if p := f.Input.Path(); p != "" {
		path = p
	}
	return s.Exec(ctx, `INSERT INTO src_files (file_no, file, sha256, role, format, read, loaded, known, ignored, rejected, joined,
		run_no, path, size, open_end, first_at, last_at, source_no, gone)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, setting('run_no'), ?, ?, ?, ?, ?, ?, 0)`,
		l.no, f.Input.Name, st.SHA256, string(rec.Role), rec.Format, st.Rows, l.loaded, l.known, st.Ignored, l.rejected, st.Headers > 0,
		path, st.Bytes, st.OpenEnd, l.first, l.last, l.no)
}

// endNotes says where a file may hold less than it should.
func endNotes(f File, rec source.Recognised, st source.Stats) (notes []string) {
	if size, grew := f.Input.Grew(); grew {
		notes = append(notes, fmt.Sprintf("%s grew while it was read: its first %d bytes count, run again for the rest", f.Input.Name, size))
	}
	if rec.Syntax == source.Logfmt && st.OpenEnd {
		notes = append(notes, f.Input.Name+" ends without a line end: if it was cut short there, the last value of its last line is incomplete")
	}
	return notes
}

// forget takes a file's rows out again, but not its rejects.
func forget(ctx context.Context, s *store.Store, no int) error {
	for _, t := range []string{"src_attempts", "src_charges", "src_bills", "src_retries"} {
		if err := s.Exec(ctx, "DELETE FROM "+t+" WHERE file_no = ?", no); err != nil {
			return err
		}
	}
	return nil
}

// dateLines gives lines without a date the file's.
func dateLines(ctx context.Context, s *store.Store, no int, f File) error {
	n, err := s.Int(ctx, "SELECT count(*) FROM src_attempts WHERE file_no = ? AND clock_at IS NOT NULL AND reject_reason IS NULL", no)
	if err != nil || n == 0 {
		return err
	}
	dated, err := s.Int(ctx, "SELECT CASE WHEN TRY_CAST(getvariable('file_date') AS DATE) IS NULL THEN 0 ELSE 1 END")
	if err != nil {
		return err
	}
	if dated == 0 {
		line, err := s.Int(ctx, "SELECT min(source_line) FROM src_attempts WHERE file_no = ? AND clock_at IS NOT NULL", no)
		if err != nil {
			return err
		}
		return &source.Error{File: f.Input.Name, Line: line, Column: "ts", Found: "a time of day without a date",
			Expected: "a date in the line, in the file's name or from --date",
			Hint:     "give the day of the first line with --date 2026-11-03"}
	}
	return runSteps(ctx, s, "30_src_attempts_dated.sql")
}

// allRejected says that a file gave nothing, with its first reject as the example.
func allRejected(ctx context.Context, s *store.Store, no int, f File, rec source.Recognised, bad int64, st source.Stats) error {
	e := &source.Error{File: f.Input.Name, Hint: rec.RejectHint()}
	if bad == 1 && st.Rows == 1 {
		e.Kind = errOneRow
	}
	err := s.Query(ctx, `SELECT source_line, coalesce(reject_column, ''), reason FROM src_rejects
		WHERE file_no = ? ORDER BY source_line LIMIT 1`, func(r *sql.Rows) error {
		var reason string
		if err := r.Scan(&e.Line, &e.Column, &reason); err != nil {
			return err
		}
		e.Found = fmt.Sprintf("no row that can be read, of %d; this one was rejected because: %s", bad, reason)
		return nil
	}, no)
	if err != nil {
		return err
	}
	return e
}
