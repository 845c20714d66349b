package pipeline

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"retrytax/queries"
)

var headKeys = []string{"Why", "Reads", "Writes", "Grain", "Units", "Params", "Rule", "Look at"}

// emptyKey stands before "Look at" where a condition tells that the table holds no rows.
const emptyKey = "Empty"

var (
	tableName = regexp.MustCompile(`\b(?:raw|src|int|fct|rpt|pub)_[a-z_]*[a-z]\b`)
	made      = regexp.MustCompile(`(?m)^(?:CREATE (?:OR REPLACE )?(?:TEMP )?(?:TABLE|VIEW)(?: IF NOT EXISTS)?|INSERT INTO|UPDATE) ([a-z_]+)`)
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
		if m := keyLine.FindStringSubmatch(lines[i]); m != nil && (slices.Contains(headKeys, m[1]) || m[1] == emptyKey) {
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
