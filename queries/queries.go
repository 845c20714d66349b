// Package queries holds the logic that is SQL: the tables, their types, the matching, the
// verdicts, the reports and the checks, one table a file, in the order in which they run.
//
// Folders and files are numbered. Each file opens with a head that says what it is for,
// what it reads and writes, its grain, its units, its parameters and the rule that it
// carries out; a test reads the heads, so they stay true.
package queries

import (
	"embed"
	"io/fs"
	"sort"
	"strings"
)

//go:embed */*.sql
var files embed.FS

// The folders, in the order in which they run.
const (
	Schema     = "10_schema"
	Migrations = "15_migrations" // only for a database of an older version
	Formats    = "20_formats"
	Scope      = "22_scope"   // over a database that lives: which rows are looked at anew
	Measure    = "25_measure" // what is known of stamps, timeouts and numbers, day by day
	Match      = "30_match"
	Verdicts   = "40_verdicts"
	Period     = "45_period" // what holds for the period asked for, read from what is stored
	Reports    = "50_reports"
	Explain    = "60_explain" // only for retrytax explain: what it reads of one id
	Hidden     = "65_hidden"  // ids are hidden and all is matched again, to check what tier 4 claims
	Cost       = "70_cost"    // only for retrytax project and the workbook's Cost model: the model's parameters, measured
	Invoice    = "75_invoice" // only for retrytax invoice: the invoice, prices, currencies and totals against charges and log
	Status     = "70_status"  // only for retrytax status
	Night      = "75_night"   // only for retrytax nightly: what a night has brought
	Prune      = "80_prune"   // only for retrytax prune
	Checks     = "90_checks"
)

// File is one query file.
type File struct {
	Path string // "30_match/20_int_lines.sql"
	SQL  string
}

// Name is the file's name without folder, number and ending: "int_lines".
func (f File) Name() string {
	name := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
	if i := strings.IndexByte(name, '_'); i > 0 && strings.Trim(name[:i], "0123456789") == "" {
		name = name[i+1:]
	}
	return strings.TrimSuffix(name, ".sql")
}

// In returns the files of a folder in the order of their numbers.
func In(folder string) []File {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		panic("queries: no folder " + folder) // a misspelt constant, not a user's error
	}
	var out []File
	for _, e := range entries {
		out = append(out, Get(folder+"/"+e.Name()))
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}

// Get returns one file by its path.
func Get(path string) File {
	text, err := files.ReadFile(path)
	if err != nil {
		panic("queries: no file " + path)
	}
	return File{Path: path, SQL: string(text)}
}
