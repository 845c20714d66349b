package source

import "bytes"

// cellHider hides the cells of a table's secret columns, which are told by the header.
type cellHider struct {
	delim  byte
	secret []bool
}

// newCellHider hides the columns that are named like a prompt, an answer or a key, read or
// not. It is nil if there is nothing to hide.
func newCellHider(delim byte, names []string) *cellHider {
	h, any := &cellHider{delim: delim, secret: make([]bool, len(names))}, false
	for i, name := range names {
		h.secret[i] = isSecret(name)
		any = any || h.secret[i]
	}
	if !any {
		return nil
	}
	return h
}

// hide returns a record with its secret cells replaced, or nil if it is not clear which
// cell is which.
func (h *cellHider) hide(raw []byte) []byte {
	var out []byte
	for i := 0; ; i++ {
		n := cellEnd(raw, h.delim)
		if n < 0 || i >= len(h.secret) {
			return nil
		}
		if h.secret[i] {
			out = append(out, redacted...)
		} else {
			out = append(out, raw[:n]...)
		}
		if n == len(raw) {
			if i+1 < len(h.secret) {
				return nil
			}
			return out
		}
		out = append(out, h.delim)
		raw = raw[n+1:]
	}
}

// cellEnd is the end of the first cell of a record, or -1 if its quotes are not in order.
func cellEnd(raw []byte, delim byte) int {
	i := 0
	if len(raw) > 0 && raw[0] == '"' {
		for i = 1; ; i += 2 {
			j := bytes.IndexByte(raw[i:], '"')
			if j < 0 {
				return -1
			}
			if i += j; i+1 == len(raw) || raw[i+1] != '"' {
				break
			}
		}
		i++
		if i < len(raw) && raw[i] != delim {
			return -1
		}
	}
	if j := bytes.IndexByte(raw[i:], delim); j >= 0 {
		return i + j
	}
	return len(raw)
}
