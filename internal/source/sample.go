package source

import (
	"bytes"
	"io"
	"strings"
)

const (
	sampleBytes = 64 << 10
	sampleLines = 200
)

// sample is the head of a file, in whole lines where it has any.
type sample struct {
	file     string
	text     []byte
	whole    bool   // it is the whole file
	start    int    // of the first line that is not blank
	priced   bool   // a price list is at hand
	maps     []*Map // of the user
	encoding string
	long     bool // the file begins with a line too long to be read, which is left out here
}

// readSample reads the head of a file: about n bytes, or more if the first line is longer.
func readSample(in *Input, n int) (*sample, error) {
	c, err := openContent(in)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	s := &sample{file: in.Name, priced: in.Priced, maps: in.Maps, encoding: c.encoding}
	for limit := n; ; limit *= 4 {
		more, err := io.ReadAll(io.LimitReader(c, int64(limit-len(s.text))))
		if err != nil {
			return nil, err
		}
		s.text = append(s.text, more...)
		s.whole = len(s.text) < limit
		s.start = len(s.text) - len(bytes.TrimLeft(s.text, " \t\r\n"))
		if s.whole || limit >= maxLine || bytes.IndexByte(s.text[s.start:], '\n') >= 0 {
			break
		}
	}
	if s.start == len(s.text) && s.whole {
		found := "an empty file"
		if s.start > 0 {
			found = "only blank lines"
		}
		return nil, &Error{File: in.Name, Found: found, Expected: "records", Kind: ErrEmpty,
			Hint: "export it again, or leave it out"}
	}
	if !s.whole && bytes.IndexByte(s.text[s.start:], '\n') < 0 && bytes.IndexByte(s.text[s.start:], '\r') < 0 {
		if err := s.skipLongLine(c, n); err != nil {
			return nil, err
		}
	}
	s.start = bytes.LastIndexByte(s.text[:s.start], '\n') + 1
	if i := bytes.LastIndexByte(s.text[s.start:], '\n'); !s.whole && i >= 0 {
		s.text = s.text[:s.start+i+1]
	}
	return s, nil
}

// skipLongLine takes the sample behind the first line, which the decoder is going to reject.
// One empty line stands for it, so that the lines keep their numbers.
func (s *sample) skipLongLine(r io.Reader, n int) error {
	blank := bytes.Count(s.text[:s.start], []byte{'\n'})
	buf, next := make([]byte, 1<<20), []byte(nil)
	for next == nil {
		m, err := r.Read(buf)
		if i := bytes.IndexByte(buf[:m], '\n'); i >= 0 {
			next = buf[i:m]
		} else if err == io.EOF {
			return nil // the one long line is all there is
		} else if err != nil {
			return err
		}
	}
	more, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err != nil {
		return err
	}
	text := append(bytes.Repeat([]byte{'\n'}, blank), next...)
	s.text, s.start, s.long = append(text, more...), blank+1, true
	return nil
}

// lines are the lines of the sample: the first few of a usual one, all of a large one.
func (s *sample) lines() [][]byte {
	n := sampleLines
	if len(s.text) > sampleBytes {
		n = len(s.text)
	}
	lines := bytes.SplitN(s.text[s.start:], []byte{'\n'}, n+1)
	return lines[:min(n, len(lines))]
}

// lineAt is the 1-based number of the line at an offset.
func (s *sample) lineAt(offset int) int64 {
	return 1 + int64(bytes.Count(s.text[:offset], []byte{'\n'}))
}

// crOnly tells text of several lines whose line ends are single carriage returns.
func (s *sample) crOnly() bool {
	text := bytes.TrimRight(s.text, " \t\r")
	return bytes.IndexByte(text, '\r') >= 0 && bytes.IndexByte(text, '\n') < 0
}

// markupKind names a page of markup, or is "".
func markupKind(b []byte) string {
	head := bytes.ToLower(bytes.TrimLeft(b[:min(len(b), 4096)], " \t\r\n"))
	for _, start := range []struct{ text, what string }{
		{"<!doctype html", "an HTML page"}, {"<html", "an HTML page"}, {"<head", "an HTML page"},
		{"<?xml", "an XML document"}, {"<!--", "markup"},
	} {
		if bytes.HasPrefix(head, []byte(start.text)) {
			return start.what
		}
	}
	return ""
}

// binaryHint is the way from a content of that name to one that is read.
func binaryHint(what string) string {
	if strings.HasSuffix(what, "archive") {
		return "unpack it, and name what comes out; gzip, zstd and zip are read as they are"
	}
	if strings.Contains(what, "Excel") {
		return "save it as .xlsx or CSV, without a password"
	}
	return "export it as CSV or JSON lines"
}

// binaryKind names a content that is no text, or is "".
func binaryKind(b []byte) string {
	for magic, what := range map[string]string{
		"PK\x03\x04":       "a zip archive",
		"PARE":             "an encrypted Parquet file",
		"%PDF":             "a PDF",
		"\xd0\xcf\x11\xe0": "an old or encrypted Excel or Word file",
		"SQLite format 3":  "an SQLite database",
		"BZh":              "a bzip2 archive",
		"\xfd7zXZ":         "an xz archive",
	} {
		if bytes.HasPrefix(b, []byte(magic)) {
			return what
		}
	}
	head, control := b[:min(len(b), 4096)], 0
	for _, c := range head {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\x1b' {
			control++
		}
	}
	if control*20 > len(head) {
		return "binary data"
	}
	return ""
}
