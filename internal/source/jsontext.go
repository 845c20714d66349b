package source

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads the string at hand. Without wanted it is checked and not returned.
func (d *jsonDecoder) text(wanted bool) ([]byte, bool) {
	from := d.i + 1
	i := plainEnd(d.p, from)
	if i < len(d.p) && d.p[i] == '"' {
		d.i = i + 1
		return d.p[from:i:i], true
	}
	mark := len(d.scratch)
	for {
		if wanted {
			d.scratch = append(d.scratch, d.p[from:i]...)
		}
		if d.i = i; i == len(d.p) {
			return nil, d.fail(`a closing "`)
		}
		switch c := d.p[i]; {
		case c == '"':
			d.i++
			if !wanted {
				return nil, true
			}
			return d.scratch[mark:len(d.scratch):len(d.scratch)], true
		case c != '\\':
			return nil, d.fail("an escape, since control characters stand escaped")
		}
		s, next, ok := unescape(d.scratch, d.p, i)
		if !ok && !(!wanted && halfPair(d.p, i)) {
			return nil, d.fail("an escape that is a character")
		}
		if !ok {
			next = i + 6
		}
		if d.scratch = s; !wanted {
			d.scratch = d.scratch[:mark]
		}
		from = next
		i = plainEnd(d.p, from)
	}
}

// plainEnd is the place of the first quote, backslash or control character from i on.
func plainEnd(p []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for i+8 <= len(p) {
		x := binary.LittleEndian.Uint64(p[i:])
		q := x ^ ones*'"'
		b := x ^ ones*'\\'
		// A byte is found if it is below 0x20, or equal to " or \. A borrow can only add
		// a find behind a true one, so that the slow loop below starts early, never late.
		if ((x-ones*0x20)&^x|(q-ones)&^q|(b-ones)&^b)&highs != 0 {
			break
		}
		i += 8
	}
	for i < len(p) && p[i] >= 0x20 && p[i] != '"' && p[i] != '\\' {
		i++
	}
	return i
}

// unescape appends the character that the escape at i stands for, and returns the place
// behind it; ok is false if it stands for none, half a surrogate pair included.
func unescape(dst, p []byte, i int) ([]byte, int, bool) {
	if i+1 >= len(p) {
		return dst, i, false
	}
	if p[i+1] != 'u' {
		c := escapes[p[i+1]]
		if c == 0 {
			return dst, i, false
		}
		return append(dst, c), i + 2, true
	}
	r, ok := hex4(p, i+2)
	if !ok {
		return dst, i, false
	}
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(dst, r), i + 6, true
	}
	if i+7 < len(p) && p[i+6] == '\\' && p[i+7] == 'u' {
		if low, ok := hex4(p, i+8); ok {
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				return utf8.AppendRune(dst, r), i + 12, true
			}
		}
	}
	return dst, i, false
}

// halfPair tells whether the escape at i is half a surrogate pair, which is valid JSON but
// no text.
func halfPair(p []byte, i int) bool {
	if i+1 >= len(p) || p[i+1] != 'u' {
		return false
	}
	r, ok := hex4(p, i+2)
	return ok && utf16.IsSurrogate(r)
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func hex4(p []byte, i int) (rune, bool) {
	if i+4 > len(p) {
		return 0, false
	}
	var r rune
	for _, c := range p[i : i+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// number passes over a number as JSON spells it.
func (d *jsonDecoder) number() bool {
	if d.p[d.i] == '-' {
		d.i++
	}
	if d.i < len(d.p) && d.p[d.i] == '0' {
		d.i++
	} else if !d.digits() {
		return false
	}
	if d.i < len(d.p) && d.p[d.i] == '.' {
		d.i++
		if !d.digits() {
			return false
		}
	}
	if d.i < len(d.p) && d.p[d.i]|0x20 == 'e' {
		d.i++
		if d.i < len(d.p) && (d.p[d.i] == '+' || d.p[d.i] == '-') {
			d.i++
		}
		return d.digits()
	}
	return true
}

func (d *jsonDecoder) digits() bool {
	from := d.i
	for d.i < len(d.p) && d.p[d.i] >= '0' && d.p[d.i] <= '9' {
		d.i++
	}
	if d.i == from {
		return d.fail("a digit")
	}
	return true
}

func (d *jsonDecoder) literal(word string) bool {
	if d.i+len(word) > len(d.p) || string(d.p[d.i:d.i+len(word)]) != word {
		return d.fail(word)
	}
	d.i += len(word)
	return true
}

// maxDepth is how deep a value may be nested, as in encoding/json.
const maxDepth = 10000

// skip checks and passes over an object or an array, without recursion, so that no input
// exhausts the stack.
func (d *jsonDecoder) skip() bool {
	d.open = d.open[:0]
	for {
		// Here a value is due.
		c := d.next()
		if c == '{' || c == '[' {
			d.i++
			d.open = append(d.open, c+2) // '{'+2 is '}', '['+2 is ']'
			if len(d.open) > maxDepth {
				return d.fail("less nesting")
			}
			if d.next() != c+2 {
				if c == '{' && !d.skipKey() {
					return false
				}
				continue
			}
		} else if _, _, ok := d.value(c, false); !ok {
			return false
		}
		done, ok := d.skipEnds()
		if done || !ok {
			return ok
		}
	}
}

// skipEnds passes over what may follow a value: brackets that end, and the comma and key
// before the next value.
func (d *jsonDecoder) skipEnds() (done, ok bool) {
	for len(d.open) > 0 {
		top := d.open[len(d.open)-1]
		switch c := d.next(); {
		case c == top:
			d.i++
			d.open = d.open[:len(d.open)-1]
		case c == ',':
			d.i++
			return false, top == ']' || d.skipKey()
		default:
			return false, d.fail("a comma or " + string(rune(top)))
		}
	}
	return true, true
}

// skipKey passes over a key and its colon.
func (d *jsonDecoder) skipKey() bool {
	if d.next() != '"' {
		return d.fail("a key in quotes")
	}
	if _, ok := d.text(false); !ok {
		return false
	}
	if d.next() != ':' {
		return d.fail("a colon")
	}
	d.i++
	return true
}
