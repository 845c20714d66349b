package source

import "bytes"

// idColumns tells, for each column of a role, whether it holds an id.
func idColumns(cols []string) []bool {
	ids := make([]bool, len(cols))
	for i, c := range cols {
		switch c {
		case "request_id", "vendor_request_id", "idempotency_key", "charge_id", "api_key":
			ids[i] = true
		}
	}
	return ids
}

// known is the value without the blanks around it, or nil if it says nothing: empty, or a word
// such as None or null that a program wrote for want of a value. An id of zeros only, with or
// without dashes, is a default that was never filled. The macros known_text and known_id in
// queries/10_schema/05_macros.sql are the same rule for what does not come through a decoder.
func known(v []byte, id bool) []byte {
	if len(v) > 0 && (v[0] == ' ' || v[len(v)-1] == ' ') {
		v = bytes.Trim(v, " ")
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
