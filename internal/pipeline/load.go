package pipeline

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/queries"
)

// landFiles loads every file, then settles what several files say of the same rows. The
// caller wraps it in a transaction. The notes are sentences for the user.
func landFiles(ctx context.Context, s *store.Store, files []File, o Options) (notes []string, err error) {
	// By name, so that of two files with one content it is always the same that counts.
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Input.Name, b.Input.Name) })
	findPriceLists(files, o)
	for i, f := range files {
		n, err := landFile(ctx, s, i+1, f, o)
		if err != nil {
			return nil, err
		}
		notes = append(notes, n...)
	}
	// Only several files can know each other's rows; the comparison costs time.
	if len(files) > 2 || oneRole(ctx, s) {
		for _, name := range []string{"50_src_charges_superseded.sql", "60_src_known.sql"} {
			f := queries.Get(queries.Formats + "/" + name)
			if err := s.Run(ctx, f.Path, f.SQL); err != nil {
				return nil, err
			}
		}
		err = s.Exec(ctx, `UPDATE src_files SET known = known + k.n, loaded = loaded - k.n
			FROM (SELECT file_no, count(*) AS n FROM src_known GROUP BY file_no) k WHERE src_files.file_no = k.file_no`)
	}
	if err != nil {
		return nil, err
	}
	return notes, priceCharges(ctx, s)
}

// oneRole reports whether some role has more than one file, or one that is several.
func oneRole(ctx context.Context, s *store.Store) bool {
	n, err := s.Int(ctx, "SELECT coalesce(max(n), 0) FROM (SELECT count(*) + 2 * count(*) FILTER (WHERE joined) AS n FROM src_files WHERE role <> 'prices' GROUP BY role)")
	return err != nil || n > 1
}

// landFile loads one file under the number no.
func landFile(ctx context.Context, s *store.Store, no int, f File, o Options) (notes []string, err error) {
	if f.roleBy(o) == source.Prices {
		return nil, landPrices(ctx, s, no, f)
	}
	rec, err := source.Recognise(f.Input, f.roleBy(o))
	if errors.Is(err, source.ErrParquet) {
		return landParquet(ctx, s, no, f, o)
	}
	if err != nil {
		return nil, err
	}
	reader, err := source.Open(ctx, f.Input, rec, source.Options{Threads: o.Threads, KeepRaw: o.KeepRaw})
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	if err := setVariables(ctx, s, fileSettings(no, f, o)); err != nil {
		return nil, err
	}
	bad := &rejects{}
	defer func() { err = errors.Join(err, bad.close()) }()
	rows := &decoded{reader: reader, rejects: bad, progress: func(n int64) { o.progress("reading "+f.Input.Name, n) }}
	raw, step := typingOf(rec.Role)
	err = s.Land(ctx, raw, source.ColumnsOf(rec.Role), rows, func() error { return s.Run(ctx, step.Path, step.SQL) })
	if err != nil {
		return nil, err
	}
	return account(ctx, s, no, f, o, rec, reader.Stats(), bad, func(_ context.Context, lines []int64, each func(int64, string) error) error {
		return source.EachRawLine(f.Input, lines, o.KeepRaw, each)
	})
}

// roleBy is the role forced by a flag, else by the configuration.
func (f File) roleBy(o Options) source.Role {
	if f.Role != "" {
		return f.Role
	}
	src, _ := o.Config.SourceFor(f.Input.Name)
	return source.Role(src.Role)
}

var dateInName = regexp.MustCompile(`(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])`)

// fileSettings are the variables that hold for one file: what the configuration says of
// its rows where they do not say it themselves.
func fileSettings(no int, f File, o Options) map[string]string {
	src, _ := o.Config.SourceFor(f.Input.Name)
	// A time without a zone is in the report's, unless something says otherwise.
	zone, currency, told := o.zone(), o.Config.Currency.Value, ""
	if o.Config.SourceZone.Explicit() {
		zone = o.Config.SourceZone.Value
	}
	if o.SourceZone != "" {
		zone, told = o.SourceZone, o.SourceZone
	}
	if src.Zone != "" {
		zone, told = src.Zone, src.Zone
	}
	if src.Currency != "" {
		currency = src.Currency
	}
	date := src.Date
	if m := dateInName.FindStringSubmatch(filepath.Base(f.Input.Name)); date == "" && m != nil {
		date = strings.Join(m[1:], "-")
	}
	if o.Date != "" {
		date = o.Date
	}
	return map[string]string{
		"file_no": fmt.Sprint(no), "source_zone": zone, "told_zone": told, "source_provider": src.Provider,
		"source_api_key": src.APIKey, "source_book": src.Book, "source_currency": currency, "file_date": date,
		"clock_change_days": clockChangeDays(zonesOf(o.Config, zone), o.Now),
	}
}

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
	loaded := st.Rows - st.Ignored - bad
	known := int64(0)
	again, err := s.Int(ctx, "SELECT count(*) FROM src_files WHERE sha256 = ?", st.SHA256)
	if err != nil {
		return nil, err
	}
	notes := append(append([]string(nil), rec.Notes...), endNotes(f, rec, st)...)
	if again > 0 {
		if err := forget(ctx, s, no); err != nil {
			return nil, err
		}
		known, loaded = loaded, 0
		notes = append(notes, fmt.Sprintf("%s holds the same content as another file and was not counted again", f.Input.Name))
	}
	err = s.Exec(ctx, "INSERT INTO src_files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		no, f.Input.Name, st.SHA256, string(rec.Role), rec.Format, st.Rows, loaded, known, st.Ignored, bad, st.Headers > 0)
	if err != nil {
		return nil, err
	}
	if bad > 0 && loaded+known == 0 {
		return nil, allRejected(ctx, s, no, f, rec, bad)
	}
	return notes, nil
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
	for _, t := range []string{"src_attempts", "src_charges"} {
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
	step := queries.Get(queries.Formats + "/30_src_attempts_dated.sql")
	return s.Run(ctx, step.Path, step.SQL)
}

// allRejected says that a file gave nothing, with its first reject as the example.
func allRejected(ctx context.Context, s *store.Store, no int, f File, rec source.Recognised, bad int64) error {
	e := &source.Error{File: f.Input.Name, Hint: rec.RejectHint()}
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

// inputs reads src_files as the report shows it.
func inputs(ctx context.Context, s *store.Store) ([]report.Input, error) {
	var out []report.Input
	err := s.Query(ctx, `SELECT file, sha256, role, format, read, loaded, known, ignored, rejected
		FROM src_files ORDER BY role, file, sha256, file_no`, func(r *sql.Rows) error {
		var in report.Input
		err := r.Scan(&in.File, &in.SHA256, &in.Role, &in.Format, &in.Rows, &in.Loaded, &in.Known, &in.Ignored, &in.Rejected)
		out = append(out, in)
		return err
	})
	return out, err
}
