package pipeline

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"retrytax/queries"
)

// headedFolders are the folders whose files open with a head and have cases.
var headedFolders = []string{queries.Schema, queries.Formats, queries.Scope, queries.Measure, queries.Match, queries.Verdicts, queries.Period, queries.Reports, queries.Explain, queries.Cost, queries.Invoice, queries.Status, queries.Night, queries.Prune}

// TestHeads holds the heads to what the SQL does.
func TestHeads(t *testing.T) {
	known := macros()
	for _, stage := range headedFolders {
		for _, f := range queries.In(stage) {
			if f.IsFormat() {
				continue // TestFormats walks them
			}
			h := head(f.SQL)
			if h.sentence == "" || !strings.HasSuffix(h.sentence, ".") || h.name == "" || strings.Contains(h.name, " ") {
				h.fault("expected the first line to be \"-- name: sentence.\", found %q", h.name+": "+h.sentence)
			}
			keys := headKeys
			if h.values[emptyKey] != "" {
				keys = slices.Insert(slices.Clone(headKeys), len(headKeys)-1, emptyKey)
			}
			if !slices.Equal(h.keys, keys) {
				h.fault("keys: found %v, expected %v", h.keys, keys)
			}
			if f.Name() != "macros" {
				h.checkTables(f, known)
				h.checkCase(f)
			}
			for _, fault := range h.faults {
				t.Errorf("queries/%s: %s", f.Path, fault)
			}
		}
	}
}

// checkTables compares Reads, Writes and Params with the SQL.
func (h *queryHead) checkTables(f queries.File, known map[string]string) {
	body := h.body
	if !strings.HasPrefix(f.Path, queries.Schema) { // a macro reads where it is used
		body = expanded(body, known)
	} else {
		body = made.FindString(body)
	}
	found := names(tableName, body)
	if w := h.writes(); h.name != w || !slices.Contains(names(made, h.body), w) {
		h.fault("name %q, Writes %q and the SQL's %v should agree", h.name, w, names(made, h.body))
	}
	said := append(h.tables("Reads"), h.tables("Writes")...)
	for _, n := range found {
		if !slices.Contains(said, n) {
			h.fault("%s occurs in the SQL, but neither in Reads nor in Writes", n)
		}
	}
	for _, n := range said {
		if !slices.Contains(found, n) {
			h.fault("%s occurs in Reads or Writes, but not in the SQL", n)
		}
	}
	for _, n := range names(variable, body) {
		if !regexp.MustCompile(`\b` + n + `\b`).MatchString(h.values["Params"]) {
			h.fault("the variable %s occurs in the SQL, but not in Params", n)
		}
	}
}

// checkCase holds Look at to a case in the file's own folder.
func (h *queryHead) checkCase(f queries.File) {
	path, _, _ := strings.Cut(h.values["Look at"], ",")
	_, err := os.Stat(filepath.Join("../..", path, "expect.csv"))
	if err != nil || filepath.Dir(path) != "testdata/queries/"+f.Name() {
		h.fault("Look at: found %q, expected a case in testdata/queries/%s", path, f.Name())
	}
}

// TestChecksAreOneSelect holds the checks to their form: a first line that says how bad it
// is and what is wrong, and one SELECT, whose rows are what is wrong.
func TestChecksAreOneSelect(t *testing.T) {
	paths, err := filepath.Glob("../../queries/90_checks/*.sql")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no checks (%v)", err)
	}
	first := regexp.MustCompile(`^-- (fail|warn): \S.*`)
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if !first.Match(text) {
			t.Errorf("%s: expected line 1 to be \"-- fail: sentence\" or \"-- warn: sentence\"", p)
		}
		body := strings.TrimSuffix(strings.TrimSpace(regexp.MustCompile(`'[^']*'`).ReplaceAllString(uncommented(string(text)), "''")), ";")
		if strings.Contains(body, ";") || !regexp.MustCompile(`^(SELECT|WITH|FROM)\b`).MatchString(body) {
			t.Errorf("%s: expected one SELECT", p)
		}
	}
}
