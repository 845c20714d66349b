package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"retrytax/internal/parts"
)

// fixedNow is the run's clock in every test of the command.
const fixedNow = "2026-11-03T10:00:00Z"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"retrytax": func() { os.Exit(run()) }})
}

// TestScripts types what stands in testdata/script. Beside testscript's own commands there are:
//
//	exits CODE COMMAND…     COMMAND ends with exactly this code
//	refuses CODE COMMAND…   so it does with --out to a folder of older reports, which it must not
//	                        touch, and once a script with --out to a new one, which it must not make
//	json FILE PATH VALUE    totals.0.excess of FILE is VALUE (FILE may be stdout)
//	cmpcsv COLUMNS A B      two CSV files are equal but for these columns (a,b or -)
//	cmpjson KEYS A B        two JSON objects are equal but for these keys
//	empty FILE              FILE has no bytes (stdout and stderr too)
//	gzip FILE               writes FILE.gz
//	zip FILE FILES…         packs files into an archive
//	xlsx FILE SHEET CSV T…  writes a workbook: a sheet of a CSV, below the lines of T
//	sheet FILE NAME OUT     writes the cells of a workbook's sheet as text, a row a line; OUT is empty without it
//	encode NAME FILE FROM   writes FROM in an encoding: GBK, UTF-16
//	parquet FILE CSV LIST   writes a Parquet file of what LIST selects from the CSV's columns of text
//	bytes FILE ESCAPED      writes a Go string with escapes to FILE
//	sql DB STATEMENTS       runs statements in a database of DuckDB, which it makes if there is none
//	hold DB, letgo DB       works on a database as a run of ingest does, until it lets go
func TestScripts(t *testing.T) {
	const dir = "../../testdata/script"
	for _, of := range []string{"audit", "explain", "project", "demo", "formats", "init", "config", "ingest", "status", "prune", "nightly", "invoice"} {
		if found, err := filepath.Glob(filepath.Join(dir, of+"_*.txtar")); err != nil || len(found) == 0 {
			t.Errorf("found no script %s/%s_*.txtar, expected at least one (%v)", dir, of, err)
		}
	}
	scripts, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	command := func(script string) string { of, _, _ := strings.Cut(filepath.Base(script), "_"); return of }
	testscript.Run(t, testscript.Params{Files: parts.OfEach(t, scripts, 6, command), Setup: setupScript, Cmds: scriptCommands, RequireUniqueNames: true, RequireExplicitExec: true})
}

// setupScript fixes the clock and gives scripts a line break and an escape for file names.
func setupScript(e *testscript.Env) error {
	e.Setenv("RETRYTAX_NOW", fixedNow)
	e.Setenv("NL", "\n")
	e.Setenv("ESC", "\x1b")
	return nil
}

var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"exits":   positive(exits),
	"refuses": positive(refuses),
	"json":    positive(jsonValue),
	"cmpcsv":  positive(compareCSV),
	"cmpjson": positive(compareJSON),
	"empty":   positive(empty),
	"gzip":    positive(gzipFile),
	"zip":     positive(zipFiles),
	"xlsx":    positive(writeXLSX),
	"sheet":   positive(readSheet),
	"encode":  positive(encodeFile),
	"bytes":   positive(writeBytes),
	"parquet": positive(writeParquet),
	"sql":     positive(execSQL),
	"hold":    positive(hold),
	"letgo":   positive(letGo),
}

// positive refuses "!" before a command that has no use for it.
func positive(cmd func(*testscript.TestScript, []string)) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg {
			ts.Fatalf("found !, expected none: the command is an assertion")
		}
		cmd(ts, args)
	}
}

func exits(ts *testscript.TestScript, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	var e *exec.ExitError
	code := 0
	switch {
	case errors.As(err, &e):
		code = e.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if want := args[0]; want != itoa(code) {
		ts.Fatalf("%v exited with %d, expected %s", args[1:], code, want)
	}
}

// outputs are what an audit writes to the folder of --out.
var outputs = []string{"audit.json", "rejects.csv", "report.html", "report.xlsx", "verdicts.csv"}

func refuses(ts *testscript.TestScript, args []string) {
	fresh, older := ts.MkAbs("never-made"), ts.MkAbs("older")
	if _, err := os.Lstat(older); os.IsNotExist(err) { // once a script: a run is not cheap
		exits(ts, append(args[:len(args):len(args)], "--out", fresh))
		if _, err := os.Lstat(fresh); !os.IsNotExist(err) {
			ts.Fatalf("a run that failed made %s (%v)", fresh, err)
		}
	}
	ts.Check(os.MkdirAll(older, 0o777))
	for _, n := range outputs {
		ts.Check(os.WriteFile(filepath.Join(older, n), []byte("older "+n), 0o666))
	}
	exits(ts, append(args[:len(args):len(args)], "--out", older))
	left, err := os.ReadDir(older)
	ts.Check(err)
	if len(left) != len(outputs) {
		ts.Fatalf("a run that failed left %v, expected %v", left, outputs)
	}
	for _, n := range outputs {
		if b, err := os.ReadFile(filepath.Join(older, n)); err != nil || string(b) != "older "+n {
			ts.Fatalf("a run that failed changed the older %s (%v)", n, err)
		}
	}
}
