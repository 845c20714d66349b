package main

import (
	"os"
	"path/filepath"

	"retrytax/internal/pipeline"
	"retrytax/internal/ui"
)

// finishKept answers from a report that prune has kept: the same bytes as when its rows were
// there. Its verdicts and its workbook are not written again.
func finishKept(e env, o ReportOptions, text []byte, limit *failLimit, opts pipeline.Options, err error) error {
	if err != nil {
		return err
	}
	r, err := pipeline.DecodeKept(text)
	if err != nil {
		return err
	}
	var written []string
	if o.Out != "" {
		path := filepath.Join(o.Out, "audit.json")
		if err := writeAside(o.Out, path, text); err != nil {
			return &pipeline.PublishError{Dir: o.Out, Err: err}
		}
		written = []string{path}
	}
	if o.JSON {
		_, err = e.out.Write(text)
	} else {
		err = ui.WriteSummary(e.out, r, ui.Extra{Written: written, Command: "report", PaidBook: opts.Config.PaidBook.Value,
			Next: "the rows of this period were pruned; its findings are in the table pub_findings of the database"}, terminal(e.out))
	}
	if err != nil {
		return unprinted(err, written)
	}
	return limit.check(r, opts.Config.PaidBook.Value)
}

// writeAside writes a file beside its place and renames it.
func writeAside(dir, path string, text []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".retrytax-")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o666)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
