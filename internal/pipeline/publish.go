package pipeline

import (
	"context"
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"retrytax/internal/letter"
	"retrytax/internal/page"
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
	var names []string
	paths, err = publishAside(ctx, dir, func(aside string) (_ []string, err error) {
		names, err = a.writeAll(ctx, r, aside, o)
		return names, err
	}, func() error {
		if err := a.spareInputs(ctx, dir, names); err != nil {
			return err
		}
		return spareStates(dir, o.States, names)
	})
	if err != nil {
		return nil, err
	}
	if err := removeOldLetters(dir, names); err != nil {
		return nil, &PublishError{dir, err}
	}
	// An older one would contradict what was just written.
	for name, left := range map[string]bool{workbookName: o.NoWorkbook, pageName: o.NoPage} {
		if !left {
			continue
		}
		if err := removeOlder(dir, name); err != nil {
			return nil, err
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
	NoPage     bool
	Parquet    bool // attempts.parquet, charges.parquet and verdicts.parquet as well
	Version    string
	Lang       words.Lang       // of the workbook, the page and the letters
	States     []report.Handled // what the user has done about findings
	Formats    []string         // of the verdicts; none is CSV
	BOM        bool             // CSV files begin with a byte order mark
	Focus      bool             // focus.csv as well
}

// The files for people.
const (
	workbookName = "report.xlsx"
	pageName     = "report.html"
)

func (a *Audit) writeAll(ctx context.Context, r *report.Audit, dir string, o PublishOptions) ([]string, error) {
	names, err := a.writeTables(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	more, err := a.writeReports(ctx, r, dir, o)
	if err != nil {
		return nil, err
	}
	names = append(names, more...)
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

// writeTables writes the verdicts in the formats that were asked for, and what could not be read.
func (a *Audit) writeTables(ctx context.Context, dir string, o PublishOptions) (names []string, err error) {
	formats := o.Formats
	if len(formats) == 0 {
		formats = []string{report.FormatCSV}
	}
	for _, format := range report.Formats { // in one order, each once
		if !slices.Contains(formats, format) || o.Parquet && format == report.FormatParquet {
			continue
		}
		a.opts.progress("writing verdicts."+format, 0)
		if err := report.WriteVerdictsAs(ctx, a.Store, dir, format, o.BOM); err != nil {
			return nil, err
		}
		names = append(names, "verdicts."+format)
	}
	if err := report.WriteRejects(ctx, a.Store, filepath.Join(dir, "rejects.csv"), o.BOM); err != nil {
		return nil, err
	}
	names = append(names, "rejects.csv")
	if o.Focus {
		a.opts.progress("writing "+report.FocusName, 0)
		if err := report.WriteFocus(ctx, a.Store, dir, o.BOM); err != nil {
			return nil, err
		}
		names = append(names, report.FocusName)
	}
	return names, nil
}

// writeReports writes what people read: the workbook, the page, and the letters to vendors.
func (a *Audit) writeReports(ctx context.Context, r *report.Audit, dir string, o PublishOptions) (names []string, err error) {
	wb, err := a.readWorkbook(ctx, r, o)
	if err != nil {
		return nil, err
	}
	if !o.NoWorkbook {
		a.opts.progress("writing "+workbookName, 0)
		err := createFile(filepath.Join(dir, workbookName), func(f io.Writer) error {
			return workbook.Write(ctx, f, wb, workbook.Options{Version: o.Version, Created: a.opts.Now.UTC().Truncate(time.Second), Zone: a.Location(), Lang: o.Lang})
		})
		if err != nil {
			return nil, err
		}
		names = append(names, workbookName)
	}
	if !o.NoPage {
		a.opts.progress("writing "+pageName, 0)
		err := createFile(filepath.Join(dir, pageName), func(f io.Writer) error {
			return page.Write(f, wb, page.Options{Version: o.Version, Created: a.opts.Now.UTC().Truncate(time.Second), Zone: a.Location(), Lang: o.Lang})
		})
		if err != nil {
			return nil, err
		}
		names = append(names, pageName)
	}
	files, err := letter.Files(wb, letter.Options{Lang: o.Lang, BOM: o.BOM})
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o666); err != nil {
			return nil, err
		}
		names = append(names, f.Name)
	}
	return names, nil
}

// readWorkbook reads what the reports for people show.
func (a *Audit) readWorkbook(ctx context.Context, r *report.Audit, o PublishOptions) (*report.Workbook, error) {
	if o.NoWorkbook && o.NoPage {
		return report.ReadDisputes(ctx, a.Store, r, a.Location(), o.States)
	}
	wb, err := report.ReadWorkbook(ctx, a.Store, r, a.Location())
	if err != nil {
		return nil, err
	}
	wb.PaidBook, wb.Method = a.PaidBook(), a.Method(o.Version)
	wb.Handle(o.States)
	if o.NoWorkbook {
		return wb, nil
	}
	if wb.Before, err = a.before(ctx); err != nil {
		return nil, err
	}
	if wb.Projection, wb.NoProjection, err = a.projection(ctx); err != nil {
		return nil, err
	}
	wb.Invoice, err = a.invoice(ctx, o.Version)
	return wb, err
}

// createFile writes a new file.
func createFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	return write(f)
}
