package pipeline

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
)

// Preview says of each file what it is taken for and why, and what its rows become, in a
// database in memory. A file that cannot be read stops none of the others.
func Preview(ctx context.Context, s *store.Store, files []File, o Options) (*report.Preview, error) {
	if err := prepare(ctx, s, o); err != nil {
		return nil, err
	}
	if err := spreadOverFiles(ctx, s, files); err != nil {
		return nil, err
	}
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Input.Name, b.Input.Name) })
	findPriceLists(files, o)
	out := &report.Preview{Schema: report.PreviewSchema}
	next := 1
	for _, f := range files {
		p, used, err := previewFile(ctx, s, next, f, o)
		var bad *source.Error
		switch {
		case errors.As(err, &bad):
			p = []report.PreviewFile{{File: f.Input.Name, Cause: bad, Error: bad.Error(), Hint: bad.Hint}}
			if bad.Guess != nil && bad.Guess.Map != nil {
				p[0].Map = bad.Guess.Map.Text()
			}
		case err != nil:
			return nil, err
		}
		out.Files = append(out.Files, p...)
		next += max(used, 1)
	}
	return out, nil
}

// previewFile lands one file under the number no and those that follow, and reads what became of it: an
// entry for each role of its rows.
func previewFile(ctx context.Context, s *store.Store, no int, f File, o Options) (out []report.PreviewFile, used int, err error) {
	told := report.PreviewFile{File: f.Input.Name}
	o.recognised = func(rec source.Recognised, settings map[string]string) {
		told.Role, told.Format, told.Syntax, told.Encoding, told.Unused = string(rec.Role), rec.Format, rec.SyntaxText(), rec.Encoding, rec.Unused
		told.Columns = nil
		for _, m := range rec.Columns {
			told.Columns = append(told.Columns, report.FromTo(m))
		}
		told.Zones = []string{settings["source_zone"]}
	}
	if told.Notes, used, err = landFile(ctx, s, no, f, o); err != nil {
		return nil, used, err
	}
	if err := lendIDs(ctx, s); err != nil {
		return nil, used, err
	}
	for i := range used {
		p := told
		if err := readPreview(ctx, s, no+i, &p); err != nil {
			return nil, used, err
		}
		out = append(out, p)
		told.Notes = nil // what holds for the file is said once
	}
	return out, used, nil
}

// readPreview reads what was landed under the number no.
func readPreview(ctx context.Context, s *store.Store, no int, p *report.PreviewFile) error {
	err := s.Query(ctx, "SELECT sha256, role, format, read, loaded, known, ignored, rejected, first_at, last_at FROM src_files WHERE file_no = ?", func(r *sql.Rows) error {
		var from, to sql.NullTime
		err := r.Scan(&p.SHA256, &p.Role, &p.Format, &p.Rows, &p.Loaded, &p.Known, &p.Ignored, &p.Rejected, &from, &to)
		p.From, p.To = timePointer(from), timePointer(to)
		return err
	}, no)
	if err != nil || p.Role == string(source.Prices) {
		return err
	}
	if p.Rejected > 0 {
		if err := firstReject(ctx, s, no, p); err != nil {
			return err
		}
	}
	if p.Role == string(source.Charges) && p.Loaded > 0 {
		if err := zonesOfBill(ctx, s, no, p); err != nil {
			return err
		}
	}
	return firstRows(ctx, s, no, p)
}

// firstReject tells of the first line that could not be read.
func firstReject(ctx context.Context, s *store.Store, no int, p *report.PreviewFile) error {
	return s.Query(ctx, "SELECT source_line, coalesce(reject_column || ': ', '') || reason FROM src_rejects WHERE file_no = ? ORDER BY source_line, reason LIMIT 1", func(r *sql.Rows) error {
		var line int64
		var why string
		err := r.Scan(&line, &why)
		p.FirstFault = fmt.Sprintf("line %d: %s", line, why)
		return err
	}, no)
}

// zonesOfBill are the zones that times without one were taken to be in: a provider's profile
// can say another than the file's settings.
func zonesOfBill(ctx context.Context, s *store.Store, no int, p *report.PreviewFile) error {
	var zones []string
	err := s.Query(ctx, `SELECT DISTINCT coalesce(nullif(getvariable('told_zone'), ''), p.zone, getvariable('source_zone'))
		FROM src_charges c LEFT JOIN src_providers p ON p.provider = c.provider WHERE c.file_no = ? ORDER BY 1`, scanText(&zones), no)
	if len(zones) > 0 {
		p.Zones = zones
	}
	return err
}

// previewRows is how many rows of a file are shown.
const previewRows = 3

// firstRows are the first rows of a file in the canonical columns, without those that it has not.
func firstRows(ctx context.Context, s *store.Store, no int, p *report.PreviewFile) error {
	table := "src_" + p.Role
	var has, names, values []string
	err := s.Query(ctx, "SELECT column_name FROM information_schema.columns WHERE table_name = ? ORDER BY ordinal_position", scanText(&has), table)
	if err != nil {
		return err
	}
	for _, c := range source.ColumnsOf(source.Role(p.Role)) {
		if !slices.Contains(has, c) {
			continue
		}
		v := "CAST(" + store.Ident(c) + " AS VARCHAR)"
		switch {
		case strings.HasSuffix(c, "_at"):
			v = "time_text(" + c + ")"
		case isMoney(c):
			v = "money_text(" + c + ")"
		}
		names, values = append(names, c), append(values, "coalesce("+v+", '')")
	}
	return s.Query(ctx, fmt.Sprintf("SELECT %s FROM %s WHERE file_no = ? ORDER BY row_id LIMIT %d", strings.Join(values, ", "), table, previewRows), func(r *sql.Rows) error {
		texts := make([]string, len(names))
		into := make([]any, len(names))
		for i := range texts {
			into[i] = &texts[i]
		}
		if err := r.Scan(into...); err != nil {
			return err
		}
		var row []report.FromTo
		for i, t := range texts {
			if t != "" {
				row = append(row, report.FromTo{From: names[i], To: t})
			}
		}
		p.First = append(p.First, row)
		return nil
	}, no)
}
