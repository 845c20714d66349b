package source

import (
	"bytes"
	"io"
)

const (
	sampleBytes = 64 << 10
	sampleLines = 200
)

// sample is the head of a file, in whole lines where it has any.
type sample struct {
	file  string
	text  []byte
	whole bool // it is the whole file
	start int  // of the first line that is not blank
}

// readSample reads the head of a file: about n bytes, or more if the first line is longer.
func readSample(in *Input, n int) (*sample, error) {
	c, err := openContent(in)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	s := &sample{file: in.Name}
	for limit := n; ; limit *= 4 {
		more, err := io.ReadAll(io.LimitReader(c, int64(limit-len(s.text))))
		if err != nil {
			return nil, err
		}
		s.text = append(s.text, more...)
		s.whole = len(s.text) < limit
		s.start = len(s.text) - len(bytes.TrimLeft(s.text, " \t\r\n"))
		if s.whole || limit > maxLine || bytes.IndexByte(s.text[s.start:], '\n') >= 0 {
			break
		}
	}
	if s.start == len(s.text) && s.whole {
		found := "an empty file"
		if s.start > 0 {
			found = "only blank lines"
		}
		return nil, &Error{File: in.Name, Found: found, Expected: "records", Kind: ErrEmpty}
	}
	s.start = bytes.LastIndexByte(s.text[:s.start], '\n') + 1
	if i := bytes.LastIndexByte(s.text[s.start:], '\n'); !s.whole && i >= 0 {
		s.text = s.text[:s.start+i+1]
	}
	return s, nil
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

// binaryKind names a content that is no text, or is "".
func binaryKind(b []byte) string {
	for magic, what := range map[string]string{
		"PK\x03\x04":       "a zip archive or a spreadsheet",
		"PARE":             "an encrypted Parquet file",
		"%PDF":             "a PDF",
		"\xd0\xcf\x11\xe0": "an old Excel or Word file",
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
