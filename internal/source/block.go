package source

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
)

const (
	defaultBlock = 4 << 20
	maxLine      = 16 << 20 // a longer record is rejected without being held
)

// block is a run of whole records of the file, and later what became of them.
type block struct {
	data  []byte
	line  int64  // of the first byte
	spans []span // of a JSON document: where its records lie
	stray *stray // instead of data: a line that is too long

	batches []*Batch
	err     error
	done    chan struct{}
}

// span is one record of a JSON document, or something in its place that can be none.
type span struct {
	from, to int
	line     int64
	stray    *stray
}

// stray is text that can be no record: one that is too long, or what stands between the
// records of a JSON document. No more of it than its head is held.
type stray struct {
	line   int64
	reason string
	head   []byte
	size   int64
	sum    hash.Hash
}

func newStray(line int64) *stray { return &stray{line: line, sum: sha256.New()} }

func (l *stray) add(p []byte) {
	if room := maxRaw - len(l.head); room > 0 {
		l.head = append(l.head, p[:min(room, len(p))]...)
	}
	l.size += int64(len(p))
	l.sum.Write(p)
}

// tooLong is why a record of that size is not read.
func tooLong(size int64, limit int) string {
	return fmt.Sprintf("found a record of %d bytes, expected at most %d", size, limit)
}

// scanner finds where a block may end.
type scanner interface {
	// scan looks at what has been added to buf, which begins where a record begins, and
	// returns the end of its last whole record, or 0. With force, the block must end there.
	scan(buf []byte, eof bool) (cut int, force bool)
	// rebase says that buf will begin again at what was cut.
	rebase(cut int)
}

// cutter reads a stream into blocks of whole records.
type cutter struct {
	src  io.Reader
	scan scanner
	size int // of a block, in bytes, where lines allow
	max  int // of a line
	line int64
	get  func() []byte          // an empty buffer
	emit func(blk *block) error // errors when nobody wants more
	buf  []byte
	eof  bool
}

// run cuts everything.
func (c *cutter) run() error {
	c.buf = c.get()
	target := c.size
	for {
		if err := c.fill(target); err != nil {
			return err
		}
		for {
			cut, force := c.scan.scan(c.buf, c.eof)
			if cut == 0 {
				break
			}
			if err := c.cut(cut); err != nil {
				return err
			}
			target = c.size
			if !force {
				break
			}
		}
		start := bytes.LastIndexByte(c.buf, '\n') + 1
		switch {
		case len(c.buf)-start > c.max:
			if err := c.skipLine(start); err != nil {
				return err
			}
			target = c.size
		case c.eof:
			return c.cut(len(c.buf))
		case len(c.buf) >= target:
			target = len(c.buf) + c.size
		}
	}
}

// fill reads until the buffer has n bytes or the file ends.
func (c *cutter) fill(n int) error {
	for len(c.buf) < n && !c.eof {
		if cap(c.buf) < n {
			c.buf = append(make([]byte, 0, max(n, 2*cap(c.buf))), c.buf...)
		}
		m, err := c.src.Read(c.buf[len(c.buf):n])
		c.buf = c.buf[:len(c.buf)+m]
		if err == io.EOF {
			c.eof = true
		} else if err != nil {
			return err
		}
	}
	return nil
}

// cut emits the first n bytes as a block and keeps the rest.
func (c *cutter) cut(n int) error {
	c.scan.rebase(n)
	if n == 0 {
		return nil
	}
	blk := &block{data: c.buf[:n], line: c.line}
	rest := c.buf[n:]
	c.buf = append(c.get(), rest...)
	c.line += int64(bytes.Count(blk.data, []byte{'\n'}))
	return c.emit(blk)
}

// skipLine passes over a line that is too long, from where it starts in the buffer to its
// end in the file, without holding it.
func (c *cutter) skipLine(start int) error {
	if err := c.cut(start); err != nil {
		return err
	}
	long := newStray(c.line)
	for {
		if i := bytes.IndexByte(c.buf, '\n'); i >= 0 {
			long.add(c.buf[:i])
			c.buf = c.buf[:copy(c.buf, c.buf[i+1:])]
			break
		}
		long.add(c.buf)
		c.buf = c.buf[:0]
		if c.eof {
			break
		}
		if err := c.fill(min(c.size, 1<<20)); err != nil {
			return err
		}
	}
	long.reason = tooLong(long.size, c.max)
	c.scan.rebase(0)
	c.line++
	return c.emit(&block{line: long.line, stray: long})
}

// lineScanner ends a block at a line end.
type lineScanner struct{ seen int }

func (s *lineScanner) scan(buf []byte, _ bool) (int, bool) {
	i := bytes.LastIndexByte(buf[s.seen:], '\n')
	if i < 0 {
		s.seen = len(buf)
		return 0, false
	}
	return s.seen + i + 1, false
}

func (s *lineScanner) rebase(int) { s.seen = 0 }
