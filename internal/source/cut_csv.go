package source

import "bytes"

// csvScanner ends a block at a line end outside quotes. It and csvDecoder agree on what a
// quote is: it opens a field only as its first byte, and closes it unless doubled; any
// other quote is text.
//
// A quote that is never closed would swallow the file. So a record that is still open
// after max bytes ends at the next line end, and the decoder reads its lines one by one.
// The rule looks at bytes of the file only, never at buffers, so that the outcome does not
// depend on the size of a block.
type csvScanner struct {
	delim  byte
	max    int
	pos    int  // how far buf has been looked at
	record int  // where the record at pos begins
	quoted bool // pos lies inside quotes
}

func (s *csvScanner) scan(buf []byte, eof bool) (int, bool) {
	for s.pos < len(buf) {
		q := len(buf)
		if i := bytes.IndexByte(buf[s.pos:], '"'); i >= 0 {
			q = s.pos + i
		}
		if !s.quoted {
			s.outside(buf, q)
			continue
		}
		if from := max(s.pos, s.record+s.max); from < q {
			if i := bytes.IndexByte(buf[from:q], '\n'); i >= 0 {
				return from + i + 1, true
			}
		}
		if q+1 >= len(buf) && !eof {
			s.pos = q // whether the quote is doubled is still to come
			break
		}
		s.pos = q
		switch {
		case q == len(buf):
		case q+1 < len(buf) && buf[q+1] == '"':
			s.pos = q + 2
		default:
			s.pos = q + 1
			s.quoted = false
		}
	}
	return s.record, false
}

// outside takes what lies before the quote at q, and the quote.
func (s *csvScanner) outside(buf []byte, q int) {
	if i := bytes.LastIndexByte(buf[s.pos:q], '\n'); i >= 0 {
		s.record = s.pos + i + 1
	}
	s.pos = q
	if q < len(buf) {
		s.quoted = q == 0 || buf[q-1] == s.delim || buf[q-1] == '\n'
		s.pos = q + 1
	}
}

// rebase moves on to the rest of the buffer. What is cut in the middle of a record is given
// up as a record, and the rest begins outside quotes.
func (s *csvScanner) rebase(cut int) {
	if cut != s.record || cut == 0 {
		s.pos, s.record, s.quoted = 0, 0, false
		return
	}
	s.pos -= cut
	s.record = 0
}
