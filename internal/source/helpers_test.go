package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// decoded is all that a file gave.
type decoded struct {
	Lines   []int64
	Records []string // col=value, columns in batch order
	Rejects []Reject
	Stats   Stats
}

// decode recognises content and decodes it.
func decode(t tb, content string, opts Options) decoded {
	t.Helper()
	in := BytesInput("file", []byte(content))
	rec, err := Recognise(in, "")
	if err != nil {
		t.Fatal(err)
	}
	return decodeAs(t, in, rec, opts)
}

// decodeAs decodes under a given recognition, and checks what holds for every file.
func decodeAs(t tb, in *Input, rec Recognised, opts Options) decoded {
	t.Helper()
	r, err := Open(context.Background(), in, rec, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var d decoded
	for {
		b, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		d.take(t, rec.RawColumns(), b)
		r.Recycle(b)
	}
	d.Stats = r.Stats()
	if s := d.Stats; s.Rows != s.Records+s.Ignored+s.Rejected || s.Records != int64(len(d.Lines)) || s.Rejected != int64(len(d.Rejects)) {
		t.Fatalf("the counts do not add up: %+v", s)
	}
	return d
}

func (d *decoded) take(t tb, cols []string, b *Batch) {
	t.Helper()
	for c := range b.Cols {
		if n := b.Cols[c].Len(); n != b.Len() {
			t.Fatalf("column %s has %d values in a batch of %d", cols[c], n, b.Len())
		}
	}
	nulls := make([]int, len(cols))
	for i := range b.Lines {
		var parts []string
		for c := range b.Cols {
			if v, ok := b.Cols[c].Value(i); ok {
				parts = append(parts, cols[c]+"="+v)
			} else {
				nulls[c]++
			}
		}
		d.Records = append(d.Records, strings.Join(parts, " "))
	}
	for c := range b.Cols {
		if b.Cols[c].Nulls != nulls[c] {
			t.Fatalf("column %s says %d nulls, has %d", cols[c], b.Cols[c].Nulls, nulls[c])
		}
	}
	d.Lines = append(d.Lines, b.Lines...)
	d.Rejects = append(d.Rejects, b.Rejects...)
}

// String prints lines in the order of the file: records, then rejects.
func (d decoded) String() string {
	var b strings.Builder
	for i, r := range d.Records {
		fmt.Fprintf(&b, "%d: %s\n", d.Lines[i], r)
	}
	for _, r := range d.Rejects {
		fmt.Fprintf(&b, "%d: reject %s%s [%s]\n", r.Line, strings.TrimPrefix(r.Column+": ", ": "), r.Reason, r.Raw)
	}
	if d.Stats.Ignored > 0 {
		fmt.Fprintf(&b, "ignored %d\n", d.Stats.Ignored)
	}
	return b.String()
}

// tb is what testing.T and rapid.T share.
type tb interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// RawLines is what EachRawLine says of some lines, by their numbers.
func RawLines(in *Input, lines []int64, keepRaw bool) (map[int64]string, error) {
	out := map[int64]string{}
	err := EachRawLine(in, lines, keepRaw, func(line int64, raw string) error {
		out[line] = raw
		return nil
	})
	return out, err
}
