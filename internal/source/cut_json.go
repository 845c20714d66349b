package source

import (
	"bytes"
	"io"
)

// jsonCutter cuts a JSON document that is not one object a line: an array of records, the
// array inside an envelope such as {"data": […]}, or objects printed over several lines.
// It follows brackets and strings only; whether a record is valid is the decoder's matter.
type jsonCutter struct {
	src   io.Reader
	size  int
	max   int
	line  int64
	array bool // the records are the elements of an array that is open already
	outer int  // brackets that enclose this array
	get   func() []byte
	emit  func(blk *block) error

	buf     []byte
	pos     int
	eof     bool
	from    int64  // line of the first byte of buf
	start   int    // where the record at pos begins, or -1
	startAt int64  // its line
	depth   int    // brackets open inside the record, or inside the trailer
	text    bool   // pos lies inside a string
	escaped bool   // behind a backslash
	closed  bool   // the array has ended
	long    *stray // the record at pos, if it is too long to be held
	longAt  int    // what of buf it has not taken yet
	extra   *stray // text behind the end of the document
	spans   []span
}

func (c *jsonCutter) run() error {
	c.buf, c.start, c.from = c.get(), -1, c.line
	target := c.size
	for {
		if err := c.fill(target); err != nil {
			return err
		}
		for ; c.pos < len(c.buf); c.pos++ {
			if c.text && !c.escaped {
				if c.pos = plainEnd(c.buf, c.pos); c.pos == len(c.buf) {
					break
				}
			}
			c.step(c.buf[c.pos])
		}
		if c.eof {
			return c.finish()
		}
		c.shed()
		if c.start < 0 || len(c.spans) > 0 {
			if err := c.cut(); err != nil {
				return err
			}
			target = c.size
		}
		if len(c.buf) >= target {
			target = len(c.buf) + c.size
		}
	}
}

func (c *jsonCutter) fill(n int) error {
	lc := cutter{src: c.src, buf: c.buf, eof: c.eof}
	err := lc.fill(n)
	c.buf, c.eof = lc.buf, lc.eof
	return err
}

// step takes one byte.
func (c *jsonCutter) step(b byte) {
	if b == '\n' {
		c.line++
	}
	if c.text {
		c.inText(b)
		return
	}
	if c.start < 0 && c.long == nil {
		c.between(b)
		return
	}
	switch b {
	case '"':
		c.text = true
	case '{', '[':
		c.depth++
	case '}', ']':
		if c.depth == 0 {
			c.end(c.pos)
			c.between(b)
			return
		}
		if c.depth--; c.depth == 0 {
			c.end(c.pos + 1)
		}
	case ',', '\n':
		if c.depth == 0 {
			c.end(c.pos)
		}
	}
}

func (c *jsonCutter) inText(b byte) {
	switch {
	case c.escaped:
		c.escaped = false
	case b == '\\':
		c.escaped = true
	case b == '"':
		c.text = false
	}
}

// between takes a byte outside the records.
func (c *jsonCutter) between(b byte) {
	blank := b == ' ' || b == '\t' || b == '\r' || b == '\n'
	switch {
	case c.closed:
		c.trailer(b, blank)
	case blank || b == ',':
	case b == ']' && c.array:
		c.closed = true
	default:
		c.start, c.startAt, c.depth = c.pos, c.line, 0
		switch b {
		case '{', '[':
			c.depth = 1
		case '"':
			c.text = true
		}
	}
}

// trailer takes a byte behind the array: the rest of its envelope, then nothing.
func (c *jsonCutter) trailer(b byte, blank bool) {
	switch {
	case c.outer == 0:
		if !blank && c.extra == nil {
			c.extra = newStray(c.line)
			c.extra.reason = "found text behind the end of the JSON document, expected the end of the file"
		}
		if c.extra != nil {
			c.extra.add([]byte{b})
		}
	case b == '"':
		c.text = true
	case b == '{' || b == '[':
		c.outer++
	case b == '}' || b == ']':
		c.outer--
	}
}

// end closes the record before i.
func (c *jsonCutter) end(i int) {
	switch {
	case c.long != nil:
		c.long.add(c.buf[c.longAt:i])
		c.dropLong()
	case i-c.start > c.max:
		c.long = newStray(c.startAt)
		c.long.add(c.buf[c.start:i])
		c.dropLong()
	default:
		c.spans = append(c.spans, span{from: c.start, to: i, line: c.startAt})
	}
	c.start = -1
}

func (c *jsonCutter) dropLong() {
	c.long.reason = tooLong(c.long.size, c.max)
	c.spans = append(c.spans, span{stray: c.long})
	c.long = nil
}

// shed lets go of what is read of a record that has grown too long.
func (c *jsonCutter) shed() {
	switch {
	case c.long != nil:
		c.long.add(c.buf[c.longAt:])
	case c.start >= 0 && len(c.buf)-c.start > c.max:
		c.long = newStray(c.startAt)
		c.long.add(c.buf[c.start:])
		c.start = -1
	default:
		return
	}
	c.longAt = len(c.buf)
}

// cut emits the records so far, and keeps the open one.
func (c *jsonCutter) cut() error {
	keep := len(c.buf)
	if c.start >= 0 {
		keep = c.start
	}
	blk := &block{data: c.buf[:keep], line: c.from, spans: c.spans}
	if blk.spans == nil {
		blk.spans = []span{}
	}
	c.from += int64(bytes.Count(blk.data, []byte{'\n'}))
	c.buf = append(c.get(), c.buf[keep:]...)
	c.pos, c.longAt, c.spans = len(c.buf), 0, nil
	if c.start >= 0 {
		c.start = 0
	}
	return c.emit(blk)
}

// finish ends the document: a record that is still open goes to the decoder, which says
// what it lacks.
func (c *jsonCutter) finish() error {
	switch {
	case c.start >= 0 || c.long != nil:
		c.end(len(c.buf))
	case c.array && (!c.closed || c.outer > 0):
		end := newStray(c.line)
		end.reason = "found the end of the file inside a JSON document, expected its closing bracket"
		c.spans = append(c.spans, span{stray: end})
	}
	if c.extra != nil {
		c.spans = append(c.spans, span{stray: c.extra})
	}
	return c.cut()
}
