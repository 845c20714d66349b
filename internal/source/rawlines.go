package source

import (
	"io"
)

// RawLines reads a file again for the text of lines that were rejected after they had been
// decoded: cut and redacted like a Reject's, unless keepRaw. A line number beyond the end
// of the file has no entry. Of a record that spans lines it gives the first one.
func RawLines(in *Input, lines []int64, keepRaw bool) (map[int64]string, error) {
	out := map[int64]string{}
	if len(lines) == 0 {
		return out, nil
	}
	want := map[int64]bool{}
	last := int64(0)
	for _, n := range lines {
		want[n] = true
		last = max(last, n)
	}
	p, err := rawPrinterOf(in, keepRaw)
	if err != nil {
		return nil, err
	}
	c, err := openContent(in)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	w := &lineWalker{want: want, out: out, p: p, line: 1}
	buf := make([]byte, 256<<10)
	for w.line <= last {
		n, err := c.Read(buf)
		w.take(buf[:n])
		if err == io.EOF {
			w.end()
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// rawPrinterOf finds out what a file's lines may show.
func rawPrinterOf(in *Input, keep bool) (rawPrinter, error) {
	p := rawPrinter{keep: keep}
	s, err := readSample(in, sampleBytes)
	if err != nil {
		return p, err
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

// lineWalker goes through a file and keeps the lines that are wanted.
type lineWalker struct {
	want map[int64]bool
	out  map[int64]string
	p    rawPrinter
	line int64
	cur  *stray // the line at hand, if it is wanted
}

func (w *lineWalker) take(b []byte) {
	for len(b) > 0 {
		end, next := lineEnd(b)
		if w.cur == nil && w.want[w.line] {
			w.cur = newStray(w.line)
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

// end prints the line at hand.
func (w *lineWalker) end() {
	if w.cur != nil {
		w.out[w.line] = w.p.printStray(w.cur)
		w.cur = nil
	}
}
