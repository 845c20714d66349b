package source

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// row is one record while it is decoded. Its values point into the block or into scratch
// memory, and are copied once, into the batch.
type row struct {
	vals [64][]byte
	rank [64]uint8
	seen uint64 // columns that some name of this record has decided, missing or not
	set  uint64 // columns that have a value
}

func (r *row) reset() { r.seen, r.set = 0, 0 }

// put gives a column its value, nil for a missing one. The best name decides, even where
// its value is missing; of equal names the last.
func (r *row) put(t target, v []byte) {
	if t.needUnit && !carriesUnit(v) {
		return
	}
	bit := uint64(1) << t.col
	if r.seen&bit != 0 && r.rank[t.col] < t.rank {
		return
	}
	r.seen |= bit
	r.rank[t.col] = t.rank
	if v == nil {
		r.set &^= bit
		return
	}
	r.set |= bit
	r.vals[t.col] = v
}

// carriesUnit tells "1.5s" from "1.5".
func carriesUnit(v []byte) bool {
	if len(v) < 2 || (v[0] < '0' || v[0] > '9') && v[0] != '.' {
		return false
	}
	c := v[len(v)-1] | 0x20
	return c >= 'a' && c <= 'z'
}

// badValue is the first column whose value no text column can hold; reason is "" if none.
func (r *row) badValue() (col int, reason string) {
	for m := r.set; m != 0; m &= m - 1 {
		col := bits.TrailingZeros64(m)
		switch v := r.vals[col]; {
		case bytes.IndexByte(v, 0) >= 0:
			return col, "found a NUL byte, expected text"
		case !utf8.Valid(v):
			return col, "found bytes that are not UTF-8, expected UTF-8 (save the file as UTF-8)"
		}
	}
	return 0, ""
}

var (
	attemptCol     = columnIndex(Attempts, "attempt")
	maxAttemptsCol = columnIndex(Attempts, "max_attempts")
)

// splitAttempt makes of "2/3" the attempt 2 of at most 3, unless the maximum has a name of
// its own.
func (r *row) splitAttempt() {
	if r.set&(1<<attemptCol) == 0 {
		return
	}
	v := r.vals[attemptCol]
	i := bytes.IndexByte(v, '/')
	if i < 1 || !digits(v[:i]) || !digits(v[i+1:]) {
		return
	}
	r.vals[attemptCol] = v[:i]
	if r.seen&(1<<maxAttemptsCol) == 0 {
		r.put(target{col: maxAttemptsCol}, v[i+1:])
	}
}

func digits(v []byte) bool {
	for _, c := range v {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(v) > 0
}
