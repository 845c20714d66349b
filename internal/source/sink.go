package source

import "math/bits"

// batchRecords is how many records a batch has at most.
const batchRecords = 1 << 16

// sink gathers what one worker decodes into batches.
type sink struct {
	role    Role
	columns []string
	ids     []bool // which columns hold ids
	raw     rawPrinter
	clean   bool // the block is valid UTF-8 without NUL, so its values need no look
	convert *converter
	free    <-chan *Batch
	batch   *Batch
	out     []*Batch
	err     *Error // what ends the reading of the file
}

// begin starts a block.
func (s *sink) begin(clean bool) {
	s.clean = clean
	s.out = nil
	s.batch = nil
	s.err = nil
}

// finish ends a block and returns its batches.
func (s *sink) finish() []*Batch {
	s.flush()
	return s.out
}

func (s *sink) current() *Batch {
	if s.batch == nil {
		select {
		case s.batch = <-s.free:
			s.batch.reset()
		default:
			s.batch = &Batch{Cols: make([]Column, len(s.columns))}
		}
	}
	return s.batch
}

// add takes over a record, or rejects it for a value that is no text.
func (s *sink) add(line int64, r *row, raw []byte) {
	if s.role == Attempts {
		r.splitAttempt()
	}
	if !s.clean {
		if col, reason := r.badValue(); reason != "" {
			s.reject(line, s.columns[col], reason, raw)
			return
		}
	}
	if col, reason := s.convert.convert(r); reason != "" {
		s.reject(line, s.columns[col], reason, raw)
		return
	}
	b := s.current()
	n := len(b.Lines)
	b.Lines = append(b.Lines, line)
	for m := r.set; m != 0; m &= m - 1 {
		col := bits.TrailingZeros64(m)
		if v := known(r.vals[col], s.ids[col]); v != nil {
			b.Cols[col].put(n, v)
		}
	}
	if n+1 == batchRecords {
		s.flush()
	}
}

// reject takes over a record that could not be read.
func (s *sink) reject(line int64, column, reason string, raw []byte) {
	b := s.current()
	b.Rejects = append(b.Rejects, Reject{line, column, reason, s.raw.print(raw)})
}

// strayed takes over what was found to be no record before it came to a decoder.
func (s *sink) strayed(x *stray) {
	b := s.current()
	b.Rejects = append(b.Rejects, Reject{Line: x.line, Reason: x.reason, Raw: s.raw.printStray(x)})
}

// fail ends the reading of the file; the first reason counts.
func (s *sink) fail(err *Error) {
	if s.err == nil {
		s.err = err
	}
}

// ignore counts a line that is none of ours.
func (s *sink) ignore() { s.current().Ignored++ }

// header counts the header of a table that is met again, which is ignored.
func (s *sink) header() {
	s.ignore()
	s.batch.Headers++
}

func (s *sink) flush() {
	b := s.batch
	if b == nil {
		return
	}
	for i := range b.Cols {
		b.Cols[i].fill(len(b.Lines))
	}
	s.out = append(s.out, b)
	s.batch = nil
}

// reset empties a batch and keeps its memory.
func (b *Batch) reset() {
	b.Lines = b.Lines[:0]
	b.Rejects = nil
	b.Ignored, b.Headers = 0, 0
	for i := range b.Cols {
		c := &b.Cols[i]
		*c = Column{Data: c.Data[:0], Offsets: c.Offsets[:0], Valid: c.Valid[:0]}
	}
}

// put sets value n; what was left out since the last one is missing.
func (c *Column) put(n int, v []byte) {
	if len(c.Offsets) != n+1 {
		c.fill(n)
	}
	for n>>3 >= len(c.Valid) {
		c.Valid = append(c.Valid, 0)
	}
	c.Valid[n>>3] |= 1 << (n & 7)
	c.Data = append(c.Data, v...)
	c.Offsets = append(c.Offsets, int32(len(c.Data)))
}

// fill adds missing values until there are n.
func (c *Column) fill(n int) {
	if len(c.Offsets) == 0 {
		c.Offsets = append(c.Offsets, 0)
	}
	end := int32(len(c.Data))
	for len(c.Offsets) < n+1 {
		c.Offsets = append(c.Offsets, end)
		c.Nulls++
	}
	for (n+7)>>3 > len(c.Valid) {
		c.Valid = append(c.Valid, 0)
	}
}
