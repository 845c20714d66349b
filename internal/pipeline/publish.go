package pipeline

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/words"
	"retrytax/internal/workbook"
)

// Publish writes audit.json, verdicts.csv, rejects.csv and, unless told otherwise,
// report.xlsx and, if asked for, Parquet to dir. Everything is written aside first and
// renamed at the end, so a failed run leaves what was there; a folder that it has made
// itself is removed again. It returns the paths written. Errors of the folder are *PublishError.
func (a *Audit) Publish(ctx context.Context, r *report.Audit, dir string, o PublishOptions) (paths []string, err error) {
	made, err := makeFolders(dir)
	defer func() {
		if err == nil {
			return
		}
		for _, d := range made {
			_ = os.Remove(d) // what holds something stays
		}
	}()
	if err != nil {
		return nil, &PublishError{dir, err}
	}
	aside, err := os.MkdirTemp(dir, ".retrytax-")
	if err != nil {
		return nil, &PublishError{dir, err}
	}
	defer os.RemoveAll(aside)
	names, err := a.writeAll(ctx, r, aside, o)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, &PublishError{dir, err}
	}
	if err := a.spareInputs(ctx, dir, names); err != nil {
		return nil, err
	}
	// What cannot be replaced is found out before anything is.
	for _, n := range names {
		if st, err := os.Stat(filepath.Join(dir, n)); err == nil && st.IsDir() {
			return nil, &NoFolderError{Path: filepath.Join(dir, n)}
		}
	}
	for _, n := range names {
		if err := os.Rename(filepath.Join(aside, n), filepath.Join(dir, n)); err != nil {
			return nil, &PublishError{dir, err}
		}
		paths = append(paths, filepath.Join(dir, n))
	}
	if o.NoWorkbook { // an older one would contradict what was just written
		if err := os.Remove(filepath.Join(dir, workbookName)); err != nil && !os.IsNotExist(err) {
			return nil, &PublishError{dir, err}
		}
	}
	return paths, nil
}

// spareInputs fails if a file to be written would replace one that was read: the tables that
// an audit writes have the names under which they are read again.
func (a *Audit) spareInputs(ctx context.Context, dir string, names []string) error {
	return a.Store.Query(ctx, "SELECT file FROM src_files ORDER BY file_no", func(r *sql.Rows) error {
		var file string
		if err := r.Scan(&file); err != nil {
			return err
		}
		read, err := os.Stat(file)
		if err != nil {
			return nil // standard input, or gone since: nothing to spare
		}
		for _, n := range names {
			if old, err := os.Stat(filepath.Join(dir, n)); err == nil && os.SameFile(read, old) {
				return &source.Error{File: filepath.Join(dir, n), Found: "one of the files that were read", Expected: "a file that may be replaced",
					Hint: "name another folder with --out", Kind: source.ErrUnreadable}
			}
		}
		return nil
	})
}

// PublishOptions say what Publish writes beside the machine-readable files.
type PublishOptions struct {
	NoWorkbook bool
	Parquet    bool // attempts.parquet, charges.parquet and verdicts.parquet as well
	Version    string
	Lang       words.Lang       // of the workbook, the page and the letters
	States     []report.Handled // what the user has done about findings
}

const workbookName = "report.xlsx"

func (a *Audit) writeAll(ctx context.Context, r *report.Audit, dir string, o PublishOptions) ([]string, error) {
	a.opts.progress("writing verdicts.csv", 0)
	if err := report.WriteVerdicts(ctx, a.Store, filepath.Join(dir, "verdicts.csv")); err != nil {
		return nil, err
	}
	if err := report.WriteRejects(ctx, a.Store, filepath.Join(dir, "rejects.csv")); err != nil {
		return nil, err
	}
	names := []string{"verdicts.csv", "rejects.csv"}
	if !o.NoWorkbook {
		a.opts.progress("writing "+workbookName, 0)
		if err := a.writeWorkbook(ctx, r, filepath.Join(dir, workbookName), o); err != nil {
			return nil, err
		}
		names = append(names, workbookName)
	}
	if o.Parquet {
		a.opts.progress("writing Parquet", 0)
		if err := report.WriteParquet(ctx, a.Store, dir); err != nil {
			return nil, err
		}
		names = append(names, report.ParquetFiles...)
	}
	b, err := r.JSON()
	if err != nil {
		return nil, err
	}
	// Last, since scripts wait for it.
	return append(names, "audit.json"), os.WriteFile(filepath.Join(dir, "audit.json"), b, 0o666)
}

func (a *Audit) writeWorkbook(ctx context.Context, r *report.Audit, path string, o PublishOptions) (err error) {
	wb, err := report.ReadWorkbook(ctx, a.Store, r, a.Location())
	if err != nil {
		return err
	}
	wb.PaidBook, wb.Method = a.PaidBook(), a.Method(o.Version)
	wb.Handle(o.States)
	if wb.Projection, wb.NoProjection, err = a.projection(ctx); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	return workbook.Write(ctx, f, wb, workbook.Options{Version: o.Version, Created: a.opts.Now.UTC().Truncate(time.Second), Zone: a.Location(), Lang: o.Lang})
}
