package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"retrytax/queries"
)

// Format is how the files of one vendor or logger are told and decoded. It is read from the
// head of the format's query file (queries/20_formats); no format has code of its own here.
type Format struct {
	Name    string
	What    string // a sentence without its stop
	Query   queries.File
	Roles   []Role // what its rows become: charges before attempts
	Columns []string
	Refused string // why such a file is recognised and not read, or ""
	Hint    string // with Refused: what to do instead
	// Several is set where a record can give several rows, up to sixteen, whose numbers are the
	// record's times sixteen and on; each of them is a row that was read.
	Several bool
	// CachedInside is set where its input tokens have the cached ones inside, whatever the
	// provider's own logs do.
	CachedInside bool
	Priced       bool // it counts tokens, and a price list must give the money

	syntaxes  []Syntax
	signature []term
	unlike    []term
	steps     []string    // into a record, to the records inside it
	levels    []nameTable // one more than steps: how the keys of each level are read
	aliases   bool        // it is an attempt log under any names, of which only units are special
	pattern   *regexp.Regexp
}

// Lines is the syntax of text whose lines a pattern takes apart.
const Lines Syntax = "lines"

// Retries is the role of an SDK's lines about its own retries, which name no request.
const Retries Role = "retries"

// AllFormats are the formats that have a query file, in its order.
func AllFormats() []*Format { return allFormats() }

// allFormats are read when they are first asked for: most commands do not.
var allFormats = sync.OnceValue(readFormats)

// readFormats panics at a head that cannot be read: it is part of the program.
func readFormats() (out []*Format) {
	for _, q := range queries.AllFormats() {
		f, err := newFormat(q)
		if err != nil {
			panic("queries/" + q.Path + ": " + err.Error())
		}
		out = append(out, f)
	}
	return out
}

// newFormat reads a head: the format's name, Syntax, Role, Signature, Unlike, Records, Columns,
// Pattern, Needs, Refuse and Hint.
func newFormat(q queries.Format) (*Format, error) {
	f := &Format{Name: q.Format, What: q.What, Query: q.File, Refused: q.Head["Refuse"], Hint: q.Head["Hint"],
		Priced: q.Head["Needs"] == "prices", CachedInside: q.Head["Cached"] == "inside",
		Several: q.Head["Rows"] == "several"}
	for _, s := range list(q.Head["Syntax"]) {
		syntax := Syntax(strings.Replace(s, "json", "jsonl", 1))
		if !slices.Contains([]Syntax{CSV, JSONL, Lines}, syntax) {
			return nil, fmt.Errorf("key Syntax: found %q, expected csv, json or lines", s)
		}
		f.syntaxes = append(f.syntaxes, syntax)
	}
	for _, r := range list(q.Head["Role"]) {
		if !slices.Contains([]Role{Charges, Attempts, Bills, Retries}, Role(r)) {
			return nil, fmt.Errorf("key Role: found %q, expected charges, attempts, bills or retries", r)
		}
		f.Roles = append(f.Roles, Role(r))
	}
	var err error
	if f.signature, err = terms(q.Head["Signature"]); err != nil {
		return nil, fmt.Errorf("key Signature: %w", err)
	}
	if f.unlike, err = terms(q.Head["Unlike"]); err != nil {
		return nil, fmt.Errorf("key Unlike: %w", err)
	}
	if p := q.Head["Pattern"]; p != "" {
		if f.pattern, err = regexp.Compile(p); err != nil {
			return nil, fmt.Errorf("key Pattern: %w", err)
		}
	}
	if q.Head["Records"] != "" {
		f.steps = strings.Split(q.Head["Records"], ".")
	}
	return f, f.readColumns(list(q.Head["Columns"]))
}

// readColumns takes the columns as the head writes them: name, or name = path or path, where
// a path leads from the record through nested objects, and each ^ ahead of it to what encloses it.
func (f *Format) readColumns(columns []string) error {
	f.levels = make([]nameTable, len(f.steps)+1)
	for i := range f.levels {
		f.levels[i] = nameTable{byName: map[string]target{}}
	}
	for _, c := range columns {
		if c == "aliases" {
			f.readAliases()
			continue
		}
		name, paths, _ := strings.Cut(c, "=")
		name = strings.TrimSpace(name)
		if paths == "" {
			paths = name
		}
		col := len(f.Columns)
		f.Columns = append(f.Columns, name)
		for rank, p := range strings.Split(paths, " or ") {
			p = strings.TrimSpace(p)
			path := strings.TrimLeft(p, "^")
			level := len(f.steps) - (len(p) - len(path))
			if level < 0 || path == "" {
				return fmt.Errorf("key Columns: %q leads out of the record", p)
			}
			if f.pattern != nil {
				path = name
			}
			f.levels[level].set(path, target{col: col, rank: uint8(rank)})
		}
	}
	if len(f.Columns) > len(row{}.vals) {
		return fmt.Errorf("key Columns: found %d, expected at most %d", len(f.Columns), len(row{}.vals))
	}
	for i := range f.levels {
		slices.Sort(f.levels[i].sorted)
	}
	return nil
}

// bareColumn holds a duration under a name that leaves its unit open.
const bareColumn = "bare_elapsed"

// readAliases takes an attempt log's columns under all of their names; what names leave
// without a unit goes into a column of its own, and the format's SQL knows the unit.
func (f *Format) readAliases() {
	f.aliases = true
	f.Columns = append(append(f.Columns, AttemptColumns...), bareColumn)
	own := f.levels[0]
	for name, t := range nameTables[Attempts].byName {
		if t.needUnit {
			t = target{col: len(AttemptColumns), rank: t.rank}
		}
		own.byName[name] = t
	}
	own.sorted = append(own.sorted, nameTables[Attempts].sorted...)
	f.levels[0] = own
}

// set names a target.
func (t *nameTable) set(name string, to target) {
	n := normalise(name)
	if _, taken := t.byName[n]; !taken {
		t.sorted = append(t.sorted, n)
	}
	t.byName[n] = to
}

// reads tells whether files of that syntax can be of the format.
func (f *Format) reads(s Syntax) bool { return slices.Contains(f.syntaxes, s) }

// Marks says in words how a file is told.
func (f *Format) Marks() string {
	var marks []string
	for _, t := range f.signature {
		marks = append(marks, t.String())
	}
	if f.pattern != nil {
		marks = append(marks, "lines of the form "+f.pattern.String())
	}
	return strings.Join(marks, ", ")
}

// list splits a head's value at its commas.
func list(value string) (out []string) {
	for _, v := range strings.Split(value, ",") {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}
