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

	"retrytax/internal/config"
	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/queries"
)

// landAndCompare loads the files of an audit, then settles what several of them say of the
// same rows. The caller wraps it in a transaction. The notes are sentences for the user.
func landAndCompare(ctx context.Context, s *store.Store, files []File, o Options) (notes []string, err error) {
	files = slices.Clone(files)
	findPriceLists(files, o)
	notes, err = landFiles(ctx, s, 1, files, o)
	// Only several files can know each other's rows; the comparison costs time.
	if err == nil && (len(files) > 2 || oneRole(ctx, s)) {
		err = compareFiles(ctx, s)
	}
	if err == nil {
		err = lendIDs(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	if n, err := s.Int(ctx, "SELECT count(*) FROM src_prices"); err != nil || n == 0 {
		return notes, err
	}
	more, err := priceCharges(ctx, s, 1)
	return append(notes, more...), err
}

// landFiles loads every file, numbered from first on. Price lists are told before (findPriceLists).
func landFiles(ctx context.Context, s *store.Store, first int, files []File, o Options) (notes []string, err error) {
	// By name, so that of two files with one content it is always the same that counts.
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Input.Name, b.Input.Name) })
	no := first
	for _, f := range files {
		n, used, err := landFile(ctx, s, no, f, o)
		if err != nil {
			return nil, err
		}
		notes, no = append(notes, n...), no+used
	}
	return notes, nil
}

// compareFiles settles what the new files, and older ones of the database, say of the same rows.
func compareFiles(ctx context.Context, s *store.Store) error {
	return runSteps(ctx, s, "50_src_contents.sql", "51_src_known.sql", "52_src_files_counted.sql", "53_src_charges_claimed.sql", "54_src_superseded.sql", "57_src_bills_replaced.sql", "58_src_retries_known.sql", "59_src_rejects_known.sql")
}

// runSteps executes files of queries/20_formats, by their names, in this order.
func runSteps(ctx context.Context, s *store.Store, names ...string) error {
	for _, name := range names {
		f := queries.Get(queries.Formats + "/" + name)
		if err := s.Run(ctx, f.Path, f.SQL); err != nil {
			return err
		}
	}
	return nil
}

// lendIDs gives rows without the caller's own id the one that the other rows of their trace have.
func lendIDs(ctx context.Context, s *store.Store) error {
	return runSteps(ctx, s, "54_src_lent.sql")
}

// oneRole reports whether some role has more than one file, or one that is several.
func oneRole(ctx context.Context, s *store.Store) bool {
	n, err := s.Int(ctx, "SELECT coalesce(max(n), 0) FROM (SELECT count(*) + 2 * count(*) FILTER (WHERE joined) AS n FROM src_files WHERE role <> 'prices' GROUP BY role)")
	return err != nil || n > 1
}

// landFile loads one file under the number no, and under those that follow where its rows have
// several roles; used says how many numbers that took.
func landFile(ctx context.Context, s *store.Store, no int, f File, o Options) (notes []string, used int, err error) {
	if f.roleBy(o) == source.Prices {
		return nil, 1, landPrices(ctx, s, no, f)
	}
	rec, err := source.Recognise(f.Input, f.roleBy(o))
	if errors.Is(err, source.ErrParquet) {
		return landParquet(ctx, s, no, f, o)
	}
	if err != nil {
		return nil, 0, err
	}
	settings := o.settingsOfFile(no, f, rec)
	reader, err := source.Open(ctx, f.Input, rec, source.Options{Threads: o.Threads, KeepRaw: o.KeepRaw, Currency: settings["source_currency"]})
	if err != nil {
		return nil, 0, err
	}
	defer reader.Close()
	if err := setVariables(ctx, s, settings); err != nil {
		return nil, 0, err
	}
	bad := &rejects{}
	defer func() { err = errors.Join(err, bad.close()) }()
	rows := &decoded{reader: reader, rejects: bad, progress: func(n int64) { o.progress("reading "+f.Input.Name, n) }}
	raw := func(_ context.Context, lines []int64, each func(int64, string) error) error {
		return source.EachRawLine(f.Input, lines, o.KeepRaw, each)
	}
	if rec.Vendor() != nil {
		notes, err = landFormat(ctx, s, no, f, o, rec, rows, raw)
		return notes, len(rec.Roles()), err
	}
	relation, step := typingOf(rec.Role)
	err = s.Land(ctx, relation, source.ColumnsOf(rec.Role), rows, func() error { return s.Run(ctx, step.Path, step.SQL) })
	if err != nil {
		return nil, 0, err
	}
	notes, err = account(ctx, s, no, f, o, rec, reader.Stats(), bad, raw)
	return notes, 1, err
}

// roleBy is the role forced by a flag, else by the configuration.
func (f File) roleBy(o Options) source.Role {
	if f.Role != "" {
		return f.Role
	}
	return source.Role(f.source(o).Role)
}

// source is what the configuration says of the file, or of the archive that it lies in.
func (f File) source(o Options) config.Source {
	src, _ := o.Config.SourceOf(f.Input.Name, f.Input.Container())
	return src
}

var dateInName = regexp.MustCompile(`(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])`)

// fileSettings are the variables that hold for one file: what the configuration says of
// its rows where they do not say it themselves.
func fileSettings(no int, f File, o Options, rec source.Recognised) map[string]string {
	src := f.source(o)
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
	if z := rec.Zone(); z != "" {
		zone, told = z, z
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

// inputs reads rpt_inputs as the report shows it.
func inputs(ctx context.Context, s *store.Store) ([]report.Input, error) {
	var out []report.Input
	err := s.Query(ctx, `SELECT file, sha256, role, format, read, loaded, known, ignored, rejected
		FROM rpt_inputs ORDER BY role, file, sha256, file_no`, func(r *sql.Rows) error {
		var in report.Input
		err := r.Scan(&in.File, &in.SHA256, &in.Role, &in.Format, &in.Rows, &in.Loaded, &in.Known, &in.Ignored, &in.Rejected)
		out = append(out, in)
		return err
	})
	return out, err
}
