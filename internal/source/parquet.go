package source

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Parquet is the one syntax that this package does not decode: the pipeline lets the
// database read it. What its columns mean is still told here.
const Parquet Syntax = "parquet"

// TableColumn is one column of a table that something else decodes. Text tells whether its
// values are text, so that a duration can carry a unit.
type TableColumn struct {
	Name string
	Text bool
}

// RecogniseTable tells what a table with these columns is, like the header of a CSV file.
func RecogniseTable(file string, columns []TableColumn, forced Role) (Recognised, error) {
	cols := make([]column, len(columns))
	names := make([]string, len(columns))
	for i, c := range columns {
		cols[i] = column{name: c.Name, valued: true, unit: c.Text}
		names[i] = c.Name
	}
	fail := func(e *Error) (Recognised, error) {
		e.File, e.Kind = file, ErrUnrecognised
		return Recognised{}, e
	}
	if own := ownOutput(names); own != "" {
		return fail(&Error{Found: "retrytax's own " + strings.TrimSuffix(own, ".csv") + ".parquet", Expected: "an attempt log or a billing export",
			Hint: "leave it out of the files: attempts.parquet and charges.parquet can be read again"})
	}
	if rec, err := vendorTable(names, forced); err != nil {
		return fail(err)
	} else if rec.vendor != nil {
		return rec, nil
	}
	m, err := choose(forced, false, nil, func(Role) []column { return cols }, 0)
	if err == nil {
		err = m.twins(0)
	}
	if err != nil {
		return fail(err)
	}
	return m.recognised(Parquet), nil
}

// UnitOnly tells whether a column is read only where its value carries a unit.
func (r Recognised) UnitOnly(from string) bool {
	return r.names().resolve(from).needUnit
}

// Placed is a content under a path of its own, and what it is known by.
type Placed struct {
	Path, SHA256 string
	Bytes        int64
}

// Place makes the decompressed content readable in a folder under a plain name, for a
// reader that takes a path: the file's own name may hold what that reader takes for a
// pattern. A plain file is linked, anything else is copied.
func (in *Input) Place(dir, name string) (p Placed, err error) {
	c, err := openContent(in)
	if err != nil {
		return p, err
	}
	defer c.Close()
	p.Path = filepath.Join(dir, name)
	var to io.Writer = io.Discard
	if !in.link(p.Path, c.compressed) {
		f, err := os.OpenFile(p.Path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return p, fmt.Errorf("no room for a copy of %s: %w", in.Name, err)
		}
		defer func() {
			if cerr := f.Close(); err == nil && cerr != nil {
				err = fmt.Errorf("no room for a copy of %s: %w", in.Name, cerr)
			}
		}()
		to = f
	}
	if _, err := io.Copy(to, c); err != nil {
		return p, err
	}
	p.SHA256, p.Bytes = c.SHA256(), c.bytes
	return p, nil
}

// link makes path a link to a plain file; false where there is none or links are not made.
func (in *Input) link(path string, compressed bool) bool {
	if in.path == "" || compressed {
		return false
	}
	abs, err := filepath.Abs(in.path)
	return err == nil && os.Symlink(abs, path) == nil
}

// RawRecord is the text of a record as a reject carries it: cut and, unless keep, without
// prompts, answers and keys. The record is a JSON object.
func RawRecord(object string, keep bool) string {
	return rawPrinter{keep: keep, json: true}.print([]byte(object))
}

// isParquet tells Parquet by its magic bytes.
func isParquet(b []byte) bool { return bytes.HasPrefix(b, []byte("PAR1")) }

// EveryDigitCounts tells the columns that no inexact number may stand in: ids, and the name
// of a line item.
func EveryDigitCounts(col string) bool { return isID(col) || col == "line_item" }
