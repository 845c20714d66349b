package source

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"
)

// Guess is what a table that fits nothing could be: its columns, what each looks like, and a
// mapping that would read it. Nothing is read by a guess.
type Guess struct {
	File    string
	Line    int64 // of the header; 0 of JSON
	Role    Role
	Columns []GuessColumn
	Missing []string // what no column looks like
	Doubts  []string // what to look at before the mapping is used
	Map     *Map     // nil where required columns are missing
}

// GuessColumn is one column of the file.
type GuessColumn struct {
	Name  string
	Shape string // what its values look like, in words
	To    string // what it could be, "" for nothing
}

// guess says what the sample could be; nil where it is no table.
func (s *sample) guess(forced Role) *Guess {
	h, cols := s.table(nil)
	valued := slices.ContainsFunc(cols, func(c column) bool { return c.valued })
	if len(cols) < 2 || len(cols) > 500 || !valued || ownOutput(namesOf(cols)) != "" {
		return nil
	}
	var line int64
	if h != nil {
		line = s.lineAt(h.from)
	}
	if forced != "" {
		return guessAs(forced, s.file, line, cols)
	}
	a, c := guessAs(Attempts, s.file, line, cols), guessAs(Charges, s.file, line, cols)
	switch {
	case c.Map != nil && (a.Map == nil || len(c.Map.Columns) >= len(a.Map.Columns)):
		return c
	case a.Map != nil:
		return a
	case len(a.Missing) < len(c.Missing):
		return a
	}
	return c
}

// guessAs takes the columns for those of a role.
func guessAs(role Role, file string, line int64, cols []column) *Guess {
	g := &Guess{File: file, Line: line, Role: role}
	shapes := make([]valueShape, len(cols))
	for i, c := range cols {
		shapes[i] = shapeOf(c.values)
	}
	m := &Map{Role: role}
	taken := make([]string, len(cols))
	for _, w := range guessWords[role] {
		i := bestColumn(role, w, cols, shapes, taken)
		if i >= 0 {
			taken[i] = w.to
		}
	}
	g.byShape(role, shapes, taken)
	for i, c := range cols {
		shown := shapes[i].what
		if !printableName(c.name) {
			shown += "; its name cannot be typed"
		}
		g.Columns = append(g.Columns, GuessColumn{c.name, shown, taken[i]})
		if taken[i] != "" {
			m.Columns = append(m.Columns, g.mapped(m, c, shapes[i], taken[i]))
		}
	}
	g.require(role, taken)
	if g.Missing == nil {
		g.Map = m
	}
	return g
}

// printableName tells a name that can be typed and pasted as it is shown.
func printableName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar })
}

// bestColumn is the free column that a canonical one is best taken from, or -1: under an alias
// of it, else under the first of its words.
func bestColumn(role Role, w guessed, cols []column, shapes []valueShape, taken []string) int {
	free := func(i int) bool { return taken[i] == "" && printableName(cols[i].name) }
	col := columnIndex(role, w.to)
	for i, c := range cols {
		if t, ok := nameTables[role].byName[normalise(c.name)]; ok && t.col == col && !t.needUnit && free(i) && w.fits(shapes[i]) {
			return i
		}
	}
	for _, word := range w.words {
		for i, c := range cols {
			n := normalise(strings.ToLower(c.name))
			if free(i) && strings.Contains(n, word) && w.fits(shapes[i]) && !slices.ContainsFunc(w.not, func(x string) bool { return strings.Contains(n, x) }) {
				return i
			}
		}
	}
	return -1
}

// byShape takes for the time, and for the amount, the only column that can be one.
func (g *Guess) byShape(role Role, shapes []valueShape, taken []string) {
	only := func(to string, kind shapeKind) {
		at := -1
		for i, s := range shapes {
			if taken[i] == "" && s.kind == kind {
				if at >= 0 {
					return
				}
				at = i
			}
		}
		if at >= 0 {
			taken[at] = to
			g.Doubts = append(g.Doubts, fmt.Sprintf("%s is taken from the only column that can be it by its values: see that it is meant", to))
		}
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(taken, func(t string) bool { return slices.Contains(names, t) })
	}
	switch {
	case role == Bills:
		if !has("period_start") {
			only("period_start", shapeMonth)
		}
		if !has("period_start") {
			only("period_start", shapeTime)
		}
		if !has("amount") {
			only("amount", shapeNumber)
		}
	case role == Charges:
		if !has("charged_at") {
			only("charged_at", shapeTime)
		}
		if !has("amount") {
			only("amount", shapeNumber)
		}
	case !has("ts", "started_at", "ended_at"):
		only("ts", shapeTime)
	}
}

// mapped is a column of the mapping, with the options that its name and values call for.
func (g *Guess) mapped(m *Map, c column, s valueShape, to string) MapColumn {
	mc := MapColumn{To: to, From: c.name, Comma: s.comma && isNumber(to)}
	if isTime(to) {
		mc.Layout = s.layout
		if s.other != "" {
			g.Doubts = append(g.Doubts, fmt.Sprintf("the times of %s fit %s and %s: choose", c.name, s.layout, s.other))
		}
	}
	if s.doubted {
		g.Doubts = append(g.Doubts, fmt.Sprintf("the commas of %s can stand before decimals or between thousands: decimal=point or decimal=comma says which", c.name))
	}
	name := normalise(strings.ToLower(c.name))
	unit := false
	for _, w := range scaleWords {
		if strings.Contains(name, w.word) && w.fits(to) {
			unit = true
			if w.scale != "" {
				mc.Scale = decimal.RequireFromString(w.scale)
				g.Doubts = append(g.Doubts, fmt.Sprintf("the name %s says its unit: scale=%s makes ours of it", c.name, w.scale))
			}
			break
		}
	}
	if isDuration(to) && !unit && !strings.HasSuffix(name, "ms") && s.kind != shapeText {
		g.Doubts = append(g.Doubts, fmt.Sprintf("the name %s tells no unit: it is read as milliseconds; unit=s if it is seconds", c.name))
	}
	return mc
}

// require says which required columns nothing was found for.
func (g *Guess) require(role Role, taken []string) {
	need := func(what string, names ...string) {
		if !slices.ContainsFunc(taken, func(t string) bool { return slices.Contains(names, t) }) {
			g.Missing = append(g.Missing, what)
		}
	}
	switch role {
	case Bills:
		need("amount, quantity or requests: what was billed or counted", "amount", "quantity", "requests")
	case Charges:
		need("charged_at: when it was charged", "charged_at")
		need("amount: what was charged", "amount")
	default:
		need("ts, started_at or ended_at: when the attempt was made", "ts", "started_at", "ended_at")
		need("outcome, status, http_status or reason: how it ended", "outcome", "status", "http_status", "reason")
	}
}

// Flag is the mapping as a flag, quoted for a shell.
func (g *Guess) Flag() string {
	return "--map '" + strings.ReplaceAll(g.Map.Text(), "'", `'\''`) + "'"
}

var globSigns = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// YAML is the mapping as lines of a configuration.
func (g *Guess) YAML() []string {
	out := []string{"sources:", "  - match: " + strconv.Quote(globSigns.Replace(path.Base(g.File))), "    role: " + string(g.Role), "    columns:"}
	for _, c := range g.Map.Columns {
		options := g.Map.options(c)
		if len(options) == 0 {
			out = append(out, "      "+c.To+": "+strconv.Quote(c.From))
			continue
		}
		parts := []string{"column: " + strconv.Quote(c.From)}
		for _, o := range options {
			parts = append(parts, o[0]+": "+strconv.Quote(o[1]))
		}
		out = append(out, "      "+c.To+": {"+strings.Join(parts, ", ")+"}")
	}
	return out
}
