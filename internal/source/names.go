package source

import "bytes"

// target is what one column or key of a file becomes.
type target struct {
	col      int   // index in ColumnsOf(role), or one of the values below
	rank     uint8 // within a record the lowest wins: 0 exact name, 1 its spellings, then aliases
	needUnit bool  // only a value that carries a unit counts
	opens    bool  // an object here may hold columns
}

const (
	noColumn  = -1 // nothing that we read
	evtColumn = -2 // the event name of a log line
)

// evtName is the event by which an attempt log marks its lines.
const evtName = "llm_call"

// names resolves the column names of one file.
type names struct {
	role  Role
	xid   bool // x_request_id is this file's request id
	by    *Map // the user's mapping, or nil; it counts before the aliases
	table nameTable
	raw   bool   // of a format: every value passes as it is, objects and lists as their text
	inner string // of a format: the key of the records inside
}

func newNames(r Role, xid bool) names {
	return names{role: r, xid: xid, table: nameTables[r]}
}

// under lets a mapping of the user's, or nil, count before the aliases.
func (n names) under(by *Map) names {
	n.by = by
	return n
}

// resolve says what a name stands for; levels of nested objects are joined by dots.
func (n names) resolve(name string) target {
	if n.by != nil {
		if t, ok := n.mapped(name); ok {
			return t
		}
	}
	norm := normalise(name)
	if n.inner != "" && norm == n.inner {
		return target{col: innerRecords}
	}
	if n.role == Attempts && (norm == "evt" || norm == "event") {
		return target{col: evtColumn}
	}
	t, ok := n.table.byName[norm]
	if !ok {
		t = target{col: noColumn}
	}
	t.opens = norm != "" && n.table.hasPrefix(norm)
	if !ok {
		return t
	}
	if n.raw {
		return t
	}
	if t.rank == 1 && name == ColumnsOf(n.role)[t.col] {
		t.rank = 0
	}
	if n.xid && norm == normalise(xRequestID) {
		t.col, t.rank = columnIndex(n.role, "request_id"), 255
	}
	return t
}

// mapped says what a name stands for under the user's mapping; false leaves it to the aliases.
func (n names) mapped(name string) (target, bool) {
	if c := n.by.find(name); c != nil {
		return target{col: columnIndex(n.role, c.To), opens: n.by.opens(name)}, true
	}
	t := names{role: n.role, xid: n.xid, table: n.table}.resolve(name)
	t.opens = t.opens || n.by.opens(name)
	if t.col >= 0 && n.by.claims(ColumnsOf(n.role)[t.col]) {
		t.col = noColumn
	}
	return t, true
}

// columnIndex is the place of a canonical column in its role's batches.
func columnIndex(r Role, column string) int {
	for i, c := range ColumnsOf(r) {
		if c == column {
			return i
		}
	}
	return noColumn
}

// keyCache resolves the keys of records that mostly have the same keys in the same order:
// it guesses the next key by its place in the record before, then asks a map.
type keyCache struct {
	names names
	known map[string]cachedKey
	order []cachedKey
	at    int
}

type cachedKey struct {
	name string
	target
}

// maxKnown bounds the memory of a file in which every record has keys of its own.
const maxKnown = 1 << 14

func newKeyCache(n names) *keyCache {
	return &keyCache{names: n, known: map[string]cachedKey{}}
}

// rewind starts a record.
func (k *keyCache) rewind() { k.at = 0 }

// find resolves one key.
func (k *keyCache) find(key []byte) target {
	for i := k.at; i < k.at+3 && i < len(k.order); i++ {
		if k.order[i].name == string(key) {
			k.at = i + 1
			return k.order[i].target
		}
	}
	c, ok := k.known[string(key)]
	if !ok {
		name := string(bytes.Clone(key))
		c = cachedKey{name, k.names.resolve(name)}
		if len(k.known) < maxKnown {
			k.known[name] = c
		}
	}
	switch {
	case k.at < len(k.order):
		k.order[k.at] = c
	case k.at < 64:
		k.order = append(k.order, c)
	}
	k.at++
	return c.target
}
