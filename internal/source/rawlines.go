package source

import (
	"io"
	"slices"
)

// EachRawLine reads a file again for the text of lines that were rejected after they had been
// decoded, and hands it over line by line: cut and redacted like a Reject's, unless keepRaw.
// A line number beyond the end of the file is left out. Of a record that spans lines it
// gives the first one.
func EachRawLine(in *Input, lines []int64, keepRaw bool, each func(line int64, raw string) error) error {
	if len(lines) == 0 {
		return nil
	}
	p, err := rawPrinterOf(in, keepRaw)
	if err != nil {
		return err
	}
	c, err := openContent(in)
	if err != nil {
		return err
	}
	defer c.Close()
	w := &lineWalker{want: slices.Compact(slices.Sorted(slices.Values(lines))), each: each, p: p, line: 1}
	buf := make([]byte, 256<<10)
	for len(w.want) > 0 || w.cur != nil {
		n, err := c.Read(buf)
		w.take(buf[:n])
		if err == io.EOF {
			w.end()
			return w.err
		}
		if err == nil {
			err = w.err
		}
		if err != nil {
			return err
		}
	}
	return w.err
}

// rawPrinterOf finds out what a file's lines may show.
func rawPrinterOf(in *Input, keep bool) (rawPrinter, error) {
	p := rawPrinter{keep: keep}
	s, err := readSample(in, sampleBytes)
	if err != nil {
		return p, err
	}
	if rec, err := s.vendor(""); err == nil && rec.vendor != nil {
		p.json, p.cells = rec.Syntax == JSONL, rec.hide
		return p, nil
	}
	for _, role := range []Role{"", Attempts, Charges} {
		if rec, err, mine := s.json(role); mine && err == nil {
			p.json = rec.Syntax == JSONL
			return p, nil
		}
		if _, err, mine := s.prefixedJSON(role); mine && err == nil {
			p.json, p.prefix = true, true
			return p, nil
		}
		if rec, err, mine := s.csv(role); mine && err == nil {
			p.cells = rec.hide
			return p, nil
		}
	}
	return p, nil
}

// lineWalker goes through a file and hands over the lines that are wanted.
type lineWalker struct {
	want []int64 // what is still to come, rising
	each func(line int64, raw string) error
	p    rawPrinter
	line int64
	cur  *stray // the line at hand, if it is wanted
	err  error
}

func (w *lineWalker) take(b []byte) {
	for len(b) > 0 && w.err == nil {
		end, next := lineEnd(b)
		for len(w.want) > 0 && w.want[0] < w.line {
			w.want = w.want[1:] // a number that no line has
		}
		if w.cur == nil && len(w.want) > 0 && w.want[0] == w.line {
			w.cur = newStray(w.line)
			w.want = w.want[1:]
		}
		if w.cur != nil {
			w.cur.add(b[:end])
		}
		if next > end {
			w.end()
			w.line++
		}
		b = b[next:]
	}
}

// end hands over the line at hand.
func (w *lineWalker) end() {
	if w.cur != nil {
		w.err = w.each(w.line, w.p.printStray(w.cur))
		w.cur = nil
	}
}
