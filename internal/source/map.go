package source

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Map is a user's mapping: which columns of a file are which of ours, and what their values
// are meant to be. It counts for a file that has all of its columns.
type Map struct {
	Role    Role // "" is told by the columns
	Columns []MapColumn
	Zone    string // IANA name, of times without one; "" leaves it to the other settings
	// Must says that the mapping was written for this very file.
	Must bool
}

// MapColumn is one canonical column of a mapping: taken from a column of the file, or the
// same text for every row.
type MapColumn struct {
	To     string
	From   string          // as the file has it; levels of JSON are joined by dots
	Value  string          // instead of From
	Scale  decimal.Decimal // what a number is multiplied by to be in our unit; zero is one
	Layout string          // of a time, as strftime writes it
	Comma  bool            // the decimal sign is a comma, and a point stands between thousands
	Point  bool            // the decimal sign is a point, and a comma stands between thousands
}

// ErrMap says what is wrong with a mapping.
type ErrMap struct{ Found, Expected, Hint string }

func (e *ErrMap) Error() string { return "found " + e.Found + ", expected " + e.Expected }

// durationUnits are the units of elapsed times, in milliseconds.
var durationUnits = map[string]string{"ns": "0.000001", "us": "0.001", "µs": "0.001", "ms": "1", "s": "1000", "m": "60000", "min": "60000"}

// Set gives a column an option by its name: scale, unit, zone, layout, decimal. The error is
// an *ErrMap.
func (m *Map) Set(c *MapColumn, option, value string) error {
	bad := func(found, expected, hint string) error {
		return &ErrMap{fmt.Sprintf("%s of %s: %s", option, c.To, found), expected, hint}
	}
	quoted := fmt.Sprintf("%.60q", value)
	switch option {
	case "scale":
		d, err := decimal.NewFromString(value)
		if err != nil || d.Sign() <= 0 || len(value) > 30 || d.Exponent() < -18 || d.Exponent() > 18 {
			return bad(quoted, "a number above zero such as 0.01", "scale is what a value is multiplied by: 0.01 makes cents whole units")
		}
		if !isNumber(c.To) {
			return bad("a column that is no number", "amount, unit_price, a count of tokens or a duration", "leave scale out")
		}
		c.Scale = d
	case "unit":
		ms, ok := durationUnits[value]
		if !ok || !isDuration(c.To) {
			return bad(quoted, "ns, us, ms, s or m, of a duration", "the unit of an amount is a scale: scale=0.01 for cents, scale=0.000001 for millionths")
		}
		c.Scale = decimal.RequireFromString(ms)
		if c.To == "elapsed_s" {
			c.Scale = c.Scale.Shift(-3)
		}
	case "zone":
		if _, err := time.LoadLocation(value); err != nil || value == "" || strings.EqualFold(value, "local") {
			return bad(quoted, "a name such as Asia/Shanghai", "zones are named as in the tz database: UTC, Europe/Berlin, America/New_York")
		}
		if !isTime(c.To) {
			return bad("a column that is no time", "one of the columns of times", "zone=… belongs to the time")
		}
		if m.Zone != "" && m.Zone != value {
			return bad(quoted, m.Zone+", as for the other time", "a file has one zone: put it into the times, or export them in one")
		}
		m.Zone = value
	case "layout":
		if !isTime(c.To) {
			return bad("a column that is no time", "one of the columns of times", "layout=… belongs to the time")
		}
		if why := checkLayout(value, isPeriod(c.To)); why != "" {
			return bad(quoted+" ("+why+")", "a layout such as %d/%m/%Y %H:%M:%S", "it is written as for strftime: %Y %y %m %b %d %H %I %p %M %S %f %z")
		}
		c.Layout = value
	case "decimal":
		if value != "comma" && value != "point" || !isNumber(c.To) {
			return bad(quoted, "comma or point, of a number", "decimal=comma reads 1.234,50 as 1234.50")
		}
		c.Comma, c.Point = value == "comma", value == "point"
	default:
		return &ErrMap{fmt.Sprintf("the option %.40q of %s", option, c.To), "scale, unit, zone, layout or decimal", "quote a name that holds a colon: amount=\"cost: total\""}
	}
	return nil
}

func isTime(col string) bool {
	return slices.Contains([]string{"started_at", "ended_at", "ts", "charged_at"}, col) || isPeriod(col)
}

// isPeriod tells the times of totals: a day or a month is one as a whole.
func isPeriod(col string) bool { return col == "period_start" || col == "period_end" }

func isDuration(col string) bool {
	return slices.Contains([]string{"elapsed_ms", "elapsed_s", "retry_after_ms", "generation_ms"}, col)
}

func isNumber(col string) bool {
	return isDuration(col) || isDecimal(col) || isCount(col)
}

// isCount tells counts of tokens and of requests.
func isCount(col string) bool {
	return strings.HasSuffix(col, "_tokens") || col == "requests"
}

func isMoney(col string) bool { return col == "amount" || col == "unit_price" }

// isDecimal tells the columns of numbers with decimals: money, and what a bill has of a thing.
func isDecimal(col string) bool { return isMoney(col) || col == "quantity" }

// Settle checks a mapping as a whole, and finds its role where none is given. The error is
// an *ErrMap.
func (m *Map) Settle() error {
	if len(m.Columns) == 0 {
		return &ErrMap{"a mapping of no columns", "some, such as request_id=id,amount=cost", "retrytax formats retrytax-charges lists the columns"}
	}
	for i, c := range m.Columns {
		for _, d := range m.Columns[:i] {
			if c.To == d.To {
				return &ErrMap{fmt.Sprintf("%s twice", c.To), "once", "leave one out"}
			}
			if c.From == d.From && c.From != "" {
				return &ErrMap{fmt.Sprintf("the column %.60q for %s and for %s", c.From, d.To, c.To), "one of them", "leave one out"}
			}
		}
	}
	fits := func(r Role) string {
		for _, c := range m.Columns {
			if columnIndex(r, c.To) == noColumn {
				return c.To
			}
		}
		return ""
	}
	a, c, b := fits(Attempts), fits(Charges), fits(Bills)
	switch {
	case m.Role != "":
		if wrong := fits(m.Role); wrong != "" {
			return unknownColumn(wrong, m.Role)
		}
	case a != "" && c != "" && b == "":
		m.Role = Bills
	case a != "" && c != "":
		if columnIndex(Attempts, c) == noColumn && columnIndex(Bills, c) == noColumn {
			return unknownColumn(c, "")
		}
		return &ErrMap{fmt.Sprintf("%s, which an attempt log has not, %s, which a billing export has not, and %s, which totals have not", a, c, b), "columns of one of them", "retrytax formats lists the columns of each"}
	case a == "" && c == "":
		return nil // who names the file says which, or its other columns do
	case a == "":
		m.Role = Attempts
	default:
		m.Role = Charges
	}
	return nil
}

// gives tells whether all columns of the mapping are those of a role.
func (m *Map) gives(r Role) bool {
	return !slices.ContainsFunc(m.Columns, func(c MapColumn) bool { return columnIndex(r, c.To) == noColumn })
}

func unknownColumn(name string, r Role) error {
	of := "retrytax formats retrytax-charges, retrytax-attempts and retrytax-bills list them"
	if r != "" {
		of = "retrytax formats retrytax-" + string(r) + " lists them"
	}
	return &ErrMap{fmt.Sprintf("the column %.60q", name), "a canonical one before the =, such as amount=cost", of}
}

// names tells whether the mapping reads a column of that name.
func (m *Map) names(name string) bool { return m.find(name) != nil }

// find is what the mapping makes of a column of the file, or nil. Blanks around a name do not
// count, and neither do case, dots and underscores where no name is equal.
func (m *Map) find(name string) *MapColumn {
	if m == nil {
		return nil
	}
	for i := range m.Columns {
		if from := m.Columns[i].From; from != "" && from == strings.TrimSpace(name) {
			return &m.Columns[i]
		}
	}
	for i := range m.Columns {
		if from := normalise(m.Columns[i].From); from != "" && from == normalise(name) {
			return &m.Columns[i]
		}
	}
	return nil
}

// claims tells whether the mapping gives a canonical column.
func (m *Map) claims(column string) bool {
	return m != nil && slices.ContainsFunc(m.Columns, func(c MapColumn) bool { return c.To == column })
}

// opens tells whether a column of the mapping lies within the JSON object of that name.
func (m *Map) opens(name string) bool {
	return m != nil && slices.ContainsFunc(m.Columns, func(c MapColumn) bool {
		return strings.HasPrefix(c.From, name+".") || strings.HasPrefix(normalise(c.From), normalise(name)) && strings.Contains(c.From, ".")
	})
}

// missing are the columns of the mapping that a file has not.
func (m *Map) missing(has []string) (out []string) {
	for _, c := range m.Columns {
		if c.From != "" && !slices.ContainsFunc(has, func(n string) bool { f := m.find(n); return f != nil && f.To == c.To }) {
			out = append(out, c.From)
		}
	}
	return out
}

// Missing are the columns of the mapping that the input has not; nil if it has all. has are those that
// it has. A file of which no columns can be told has none.
func (m *Map) Missing(in *Input) (missing, has []string, err error) {
	s, err := readSample(in, sampleBytes)
	if err != nil {
		return nil, nil, err
	}
	_, cols := s.table(m)
	has = namesOf(cols)
	if h := s.headerFor(m); h != nil {
		has = h.names
	}
	return m.missing(has), has, nil
}

// ParseMap reads the text of a mapping: canonical=column pairs behind commas, a column with
// its options behind colons, and canonical:=text for what is the same in every row:
//
//	amount=应付金额:scale=0.01,charged_at="time, local":layout=%d/%m/%Y:zone=Asia/Shanghai,book:=estimate
//
// A name with a comma, a colon or a quote stands in double quotes, in which \" is a quote and
// \\ a backslash. The error is an *ErrMap.
func ParseMap(text string) (*Map, error) {
	p := mapParser{rest: text}
	m := &Map{}
	for p.rest != "" {
		to := strings.TrimSpace(p.until(":=,"))
		c := MapColumn{To: strings.ToLower(to)}
		if columnIndex(Attempts, c.To) == noColumn && columnIndex(Charges, c.To) == noColumn && columnIndex(Bills, c.To) == noColumn {
			return nil, unknownColumn(to, "")
		}
		constant := p.take(":=")
		if !constant && !p.take("=") {
			return nil, &ErrMap{fmt.Sprintf("%.60q behind %s", p.rest, to), "= and the name of a column", "such as " + to + "=id"}
		}
		name, err := p.value()
		if err != nil {
			return nil, err
		}
		if name == "" {
			return nil, &ErrMap{"no column for " + to, "the name of one", "such as " + to + "=id"}
		}
		if c.From = name; constant {
			c.From, c.Value = "", name
		}
		for p.take(":") {
			option := strings.TrimSpace(p.until("=,:"))
			if !p.take("=") {
				return nil, &ErrMap{fmt.Sprintf("the option %.40q of %s without a value", option, to), "such as scale=0.01", "quote a name that holds a colon: " + to + "=\"cost: total\""}
			}
			stop := ",:"
			if option == "layout" { // it is full of colons: it ends before the next option or column
				stop = ","
			}
			v, err := p.valueUntil(stop)
			if err != nil {
				return nil, err
			}
			if option == "layout" {
				v = p.giveBack(v)
			}
			if err := m.Set(&c, option, v); err != nil {
				return nil, err
			}
		}
		m.Columns = append(m.Columns, c)
		if p.rest != "" && !p.take(",") {
			return nil, &ErrMap{fmt.Sprintf("%.60q behind a quoted name", p.rest), "a comma or a colon", "put the whole name into the quotes"}
		}
	}
	return m, m.Settle()
}

// mapParser takes a mapping apart.
type mapParser struct {
	rest   string
	quoted bool // the last value was in quotes
}

func (p *mapParser) until(stops string) string {
	i := strings.IndexAny(p.rest, stops)
	if i < 0 {
		i = len(p.rest)
	}
	v := p.rest[:i]
	p.rest = p.rest[i:]
	return v
}

func (p *mapParser) take(s string) bool {
	rest, ok := strings.CutPrefix(p.rest, s)
	p.rest = rest
	return ok
}

func (p *mapParser) value() (string, error) { return p.valueUntil(",:") }

// valueUntil reads a value, in quotes or up to one of the stops.
func (p *mapParser) valueUntil(stops string) (string, error) {
	p.rest = strings.TrimLeft(p.rest, " ")
	if p.quoted = p.take(`"`); !p.quoted {
		return strings.TrimSpace(p.until(stops)), nil
	}
	var b strings.Builder
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.rest = strings.TrimLeft(p.rest[i+1:], " ")
			return b.String(), nil
		case c == '\\' && i+1 < len(p.rest):
			i++
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", &ErrMap{"a quote that is never closed", `a closing "`, `in a shell, put the whole mapping into single quotes`}
}

// giveBack returns what of a layout is the option behind it.
func (p *mapParser) giveBack(v string) string {
	if p.quoted {
		return v
	}
	for _, o := range []string{":scale=", ":unit=", ":zone=", ":decimal="} {
		if i := strings.Index(v, o); i >= 0 {
			p.rest = v[i:] + p.rest
			return v[:i]
		}
	}
	return v
}

// Text writes a mapping as ParseMap reads it.
func (m *Map) Text() string {
	var parts []string
	for _, c := range m.Columns {
		t := c.To + "=" + quoteMapped(c.From)
		if c.From == "" {
			t = c.To + ":=" + quoteMapped(c.Value)
		}
		for _, o := range m.options(c) {
			v := o[1]
			if o[0] == "layout" || quoteMapped(v) != v {
				v = `"` + mapEscapes.Replace(v) + `"`
			}
			t += ":" + o[0] + "=" + v
		}
		parts = append(parts, t)
	}
	return strings.Join(parts, ",")
}

// options are the options of a column, as pairs of name and value.
func (m *Map) options(c MapColumn) (out [][2]string) {
	if !c.Scale.IsZero() {
		out = append(out, [2]string{"scale", c.Scale.String()})
	}
	if c.Layout != "" {
		out = append(out, [2]string{"layout", c.Layout})
	}
	if isTime(c.To) && m.Zone != "" {
		out = append(out, [2]string{"zone", m.Zone})
	}
	if c.Comma {
		out = append(out, [2]string{"decimal", "comma"})
	}
	if c.Point {
		out = append(out, [2]string{"decimal", "point"})
	}
	return out
}

var mapEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quoteMapped(v string) string {
	if v == "" || strings.ContainsAny(v, `,:"\`) || strings.TrimSpace(v) != v {
		return `"` + mapEscapes.Replace(v) + `"`
	}
	return v
}

// notMapped says that a file has not what a mapping of the configuration names.
func notMapped(file string, missing, has []string) *Error {
	return &Error{File: file, Found: "columns " + some(has, 30), Expected: "those of the mapping: " + some(missing, 30), Kind: ErrUnrecognised,
		Hint: "correct the names in the mapping, or the pattern of the files that it is for"}
}

// errNoMap says that a file is to be taken by its own names.
var errNoMap = errors.New("no mapping fits")
