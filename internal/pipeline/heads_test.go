package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"retrytax/queries"
)

// headedFolders are the folders whose files open with a head and have cases.
var headedFolders = []string{queries.Schema, queries.Formats, queries.Match, queries.Verdicts, queries.Reports}

var headKeys = []string{"Why", "Reads", "Writes", "Grain", "Units", "Params", "Rule", "Look at"}

var (
	tableName = regexp.MustCompile(`\b(?:raw|src|int|fct|rpt)_[a-z_]*[a-z]\b`)
	made      = regexp.MustCompile(`(?m)^(?:CREATE (?:OR REPLACE )?(?:TABLE|VIEW)(?: IF NOT EXISTS)?|INSERT INTO|UPDATE) ([a-z_]+)`)
	variable  = regexp.MustCompile(`\b(?:setting|getvariable)\('([a-z_]+)'\)`)
	keyLine   = regexp.MustCompile(`^-- ([A-Z][a-z]+(?: [a-z]+)?): +(\S.*)$`)
	macroName = regexp.MustCompile(`CREATE OR REPLACE MACRO ([a-z_]+)\(`)
)

// queryHead is the comment that a query file opens with.
type queryHead struct {
	name, sentence string
	keys           []string // in their order
	values         map[string]string
	body           string // the SQL, without comments
	faults         []string
}

func (h *queryHead) fault(format string, args ...any) {
	h.faults = append(h.faults, fmt.Sprintf(format, args...))
}

// tables are the table names in one key's value.
func (h *queryHead) tables(key string) []string { return names(tableName, h.values[key]) }

// writes is the table that the file creates or fills.
func (h *queryHead) writes() string {
	if t := h.tables("Writes"); len(t) > 0 {
		return t[0]
	}
	return ""
}

// head reads a file's head: "-- name: sentence.", "--", then the keys; what continues a
// value is indented under it.
func head(text string) *queryHead {
	h := &queryHead{values: map[string]string{}, body: uncommented(text)}
	name, rest, _ := strings.Cut(strings.TrimPrefix(text, "-- "), ": ")
	h.name = name
	lines := strings.Split(rest, "\n")
	h.sentence = lines[0]
	i := 1
	for ; i < len(lines) && strings.HasPrefix(lines[i], "-- "); i++ {
		h.sentence += strings.TrimPrefix(lines[i], "--")
	}
	if i >= len(lines) || lines[i] != "--" {
		h.fault("no empty comment line under the sentence")
	}
	for i++; i < len(lines) && strings.HasPrefix(lines[i], "--"); i++ {
		if m := keyLine.FindStringSubmatch(lines[i]); m != nil && slices.Contains(headKeys, m[1]) {
			h.keys = append(h.keys, m[1])
			h.values[m[1]] = m[2]
		} else if strings.HasPrefix(lines[i], "--         ") && len(h.keys) > 0 {
			h.values[h.keys[len(h.keys)-1]] += strings.TrimPrefix(lines[i], "--        ")
		} else {
			h.fault("%q is neither a key nor indented under one", lines[i])
		}
	}
	return h
}

// uncommented is the SQL without comments.
func uncommented(text string) string {
	return regexp.MustCompile(`--[^\n]*`).ReplaceAllString(text, "")
}

// names are what a pattern finds, its group where it has one; sorted, each once.
func names(p *regexp.Regexp, text string) []string {
	var out []string
	for _, m := range p.FindAllStringSubmatch(text, -1) {
		out = append(out, m[len(m)-1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// macros maps each macro to its text: a file that uses one reads what the macro reads.
func macros() map[string]string {
	out := map[string]string{}
	for _, f := range queries.In(queries.Schema) {
		for _, statement := range strings.Split(uncommented(f.SQL), ";") {
			if m := macroName.FindStringSubmatch(statement); m != nil {
				out[m[1]] = statement
			}
		}
	}
	return out
}

// expanded is the SQL with the texts of the macros that it uses, and of those that they use.
func expanded(body string, macros map[string]string) string {
	done := map[string]bool{}
	for again := true; again; {
		again = false
		for name, text := range macros {
			if !done[name] && regexp.MustCompile(`\b`+name+`\(`).MatchString(body) {
				done[name], again = true, true
				body += "\n" + text
			}
		}
	}
	return body
}

// TestHeads holds the heads to what the SQL does.
func TestHeads(t *testing.T) {
	known := macros()
	for _, stage := range headedFolders {
		for _, f := range queries.In(stage) {
			h := head(f.SQL)
			if h.sentence == "" || !strings.HasSuffix(h.sentence, ".") || h.name == "" || strings.Contains(h.name, " ") {
				h.fault("expected the first line to be \"-- name: sentence.\", found %q", h.name+": "+h.sentence)
			}
			if !slices.Equal(h.keys, headKeys) {
				h.fault("keys: found %v, expected %v", h.keys, headKeys)
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
