package source

import "bytes"

// isID tells the columns that hold an id.
func isID(col string) bool {
	switch col {
	case "request_id", "vendor_request_id", "idempotency_key", "charge_id", "api_key":
		return true
	}
	return false
}

// idColumns tells, for each of the columns, whether it holds an id.
func idColumns(cols []string) []bool {
	ids := make([]bool, len(cols))
	for i, c := range cols {
		ids[i] = isID(c)
	}
	return ids
}

// KnownMacro names the SQL macro that does for a column what known does here, for rows that
// come through no decoder.
func KnownMacro(col string) string {
	if isID(col) {
		return "known_id"
	}
	return "known_text"
}

// known is the value without the blanks and tabs around it, or nil if it says nothing: empty, or a word
// such as None or null that a program wrote for want of a value. An id of zeros only, with or
// without dashes, is a default that was never filled. KnownMacro names the same rule in SQL.
func known(v []byte, id bool) []byte {
	if len(v) > 0 && (v[0] == ' ' || v[0] == '\t' || v[len(v)-1] == ' ' || v[len(v)-1] == '\t') {
		v = bytes.Trim(v, " \t")
	}
	if len(v) > 3 && v[0] == '=' && v[1] == '"' && v[len(v)-1] == '"' {
		v = v[2 : len(v)-1] // ="0012", by which exports keep a spreadsheet from making a number of it
	}
	if id && len(v) > 0 && (v[0] == '0' || v[0] == '-') && len(bytes.Trim(v, "0-")) == 0 {
		return nil
	}
	if len(v) > len("undefined") || len(v) > 0 && v[0] >= '0' && v[0] <= '9' {
		return v
	}
	for _, w := range sayNothing {
		if len(w) == len(v) && bytes.EqualFold(v, w) {
			return nil
		}
	}
	return v
}

var sayNothing = [][]byte{{}, []byte("-"), []byte("none"), []byte("null"), []byte("n/a"), []byte("nil"), []byte("undefined")}
