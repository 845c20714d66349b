package source

import (
	"fmt"
	"slices"
	"strings"
)

// column is one column of a file, or one key of its records, as the sample shows it.
type column struct {
	name   string
	valued bool     // the sample has a value
	unit   bool     // and one that carries a unit, such as 1.5s
	values []string // the first ones
}

// sampleValues is how many values of a column a guess looks at.
const sampleValues = 50

// see takes note of a value.
func (c *column) see(v []byte) {
	c.valued = c.valued || len(v) > 0
	if len(c.values) < sampleValues {
		c.values = append(c.values, string(v[:min(len(v), 80)]))
	}
	c.unit = c.unit || carriesUnit(v)
}

// mapping is what becomes of the columns of a file under one role.
type mapping struct {
	priced  bool // a price list is at hand
	by      *Map // the user's mapping, or nil
	role    Role
	all     []string
	used    []Mapping
	unused  []string
	notes   []string
	targets []target // in the order of the columns
	xid     bool
}

// mapColumns decides which columns are read: of several that mean the same, the canonical
// name, then the first in the alias list, then the first in the file.
func mapColumns(r Role, columns []column, by *Map) mapping {
	m := mapping{role: r, by: by, xid: !by.claims("request_id") && xidDecides(r, columns)}
	n := newNames(r, m.xid).under(by)
	best := map[int]int{} // canonical column to column of the file
	for i, c := range columns {
		m.all = append(m.all, c.name)
		t := n.resolve(c.name)
		if t.needUnit && c.valued && !c.unit {
			m.notes = append(m.notes, fmt.Sprintf("%s is not read, since its values carry no unit: name it %s_ms or %s_s", c.name, c.name, c.name))
			t.col = noColumn
		}
		m.targets = append(m.targets, t)
		if j, taken := best[t.col]; t.col >= 0 && (!taken || t.rank < m.targets[j].rank) {
			best[t.col] = i
		}
	}
	for i, c := range columns {
		t := &m.targets[i]
		switch {
		case t.col == evtColumn, c.name == "":
		case t.col < 0:
			m.unused = append(m.unused, c.name)
		case best[t.col] != i:
			m.unused = append(m.unused, c.name)
			m.notes = append(m.notes, fmt.Sprintf("%s and %s both mean %s: %s is read",
				columns[best[t.col]].name, c.name, ColumnsOf(r)[t.col], columns[best[t.col]].name))
			t.col = noColumn
		default:
			m.used = append(m.used, Mapping{c.name, ColumnsOf(r)[t.col]})
			if r == Charges && t.col == amountCol && !by.claims("amount") && normalise(c.name) == perhapsUnitPrice {
				m.notes = append(m.notes, fmt.Sprintf("%s is read as the amount of a charge, since no other column is: if it is the price of a unit, name it unit_price", c.name))
			}
		}
	}
	return m
}

// xidDecides tells whether x_request_id is the only request id of a file.
func xidDecides(r Role, columns []column) bool {
	n := newNames(r, false)
	id, has := columnIndex(r, "request_id"), false
	for _, c := range columns {
		if n.resolve(c.name).col == id {
			return false
		}
		has = has || normalise(c.name) == normalise(xRequestID)
	}
	return has
}

// twins says that a column which is read stands twice in a table under one name, so that
// nothing tells which of the two is meant; nil if none does.
func (m mapping) twins(line int64) *Error {
	for i, t := range m.targets {
		if t.col < 0 {
			continue
		}
		var names, places []string
		for j, name := range m.all {
			if normalise(name) != normalise(m.all[i]) {
				continue
			}
			if quoted := fmt.Sprintf("%q", name); !slices.Contains(names, quoted) {
				names = append(names, quoted)
			}
			places = append(places, fmt.Sprint(j+1))
		}
		if n := len(places); n > 1 {
			count := "two"
			if n > 2 {
				count = fmt.Sprint(n)
			}
			return &Error{Line: line, Expected: "one", Hint: "rename one",
				Found: fmt.Sprintf("%s columns %s (columns %s)", count, strings.Join(names, " and "),
					strings.Join(places[:n-1], ", ")+" and "+places[n-1])}
		}
	}
	return nil
}

// recognised starts the answer from a mapping.
func (m mapping) recognised(syntax Syntax) Recognised {
	format := "retrytax-" + string(m.role)
	switch {
	case m.by != nil:
		format = "mapped-" + string(m.role)
	case syntax == Logfmt:
		format = "logfmt"
	}
	return Recognised{Role: m.role, Format: format, Syntax: syntax, Columns: m.used, Unused: m.unused,
		Notes: m.notes, xid: m.xid, mapped: m.by}
}
