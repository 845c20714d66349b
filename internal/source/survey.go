package source

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"slices"
)

// Survey is what one reading of a file tells before any row of it is decoded.
type Survey struct {
	Size   int64  // bytes of the decompressed content
	SHA256 string // of them, in hexadecimal
	// Lines is how many of the bytes lie in lines that have their end.
	Lines int64
	// LinesSHA256 is the hash of those.
	LinesSHA256 string
	Prefixes    map[int64]Prefix // of the sizes that were asked for and are not larger than Size
	Compressed  bool
}

// Prefix is the beginning of a content.
type Prefix struct {
	SHA256 string
	Cut    bool // it ends inside a line
}

// OpenEnd tells whether the last line has no line end.
func (s Survey) OpenEnd() bool { return s.Lines < s.Size }

// Look reads a file once from end to end: its hash, where its last whole line ends, and the
// hashes of beginnings of the given sizes, by which a file is known that has grown.
func Look(in *Input, sizes []int64) (s Survey, err error) {
	c, err := openContent(in)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	sizes = slices.Clone(sizes)
	slices.Sort(sizes)
	s.Prefixes = map[int64]Prefix{}
	l := looker{survey: &s, sizes: slices.Compact(sizes), sum: sha256.New()}
	buf := make([]byte, 1<<20)
	for {
		n, err := c.bare.Read(buf)
		if lerr := l.take(buf[:n]); lerr != nil {
			return s, lerr
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s, err
		}
	}
	s.Compressed = c.compressed
	s.SHA256 = hex.EncodeToString(l.sum.Sum(nil))
	if bytes.IndexByte(l.head, 0) >= 0 || bytes.HasPrefix(l.head, []byte{0xff, 0xfe}) || bytes.HasPrefix(l.head, []byte{0xfe, 0xff}) {
		s.Lines = s.Size // UTF-16 and binary files are not cut: a byte 0x0a is no line end there
	}
	if s.LinesSHA256 = s.SHA256; s.OpenEnd() {
		s.LinesSHA256, err = l.hashOf(l.lines)
	}
	return s, err
}

type looker struct {
	survey *Survey
	sizes  []int64 // still ahead, in rising order
	sum    hash.Hash
	lines  []byte // the state of sum behind the last line end
	head   []byte // the first bytes
	last   byte   // the last byte that was taken
	open   int64  // size of the prefix whose next byte is not known yet
}

// take reads on; it stops at every size that was asked for, and behind the last line end.
func (l *looker) take(b []byte) error {
	for len(b) > 0 {
		l.close(b[0])
		n := int64(len(b))
		if len(l.sizes) > 0 {
			n = min(n, l.sizes[0]-l.survey.Size)
		}
		if err := l.add(b[:n]); err != nil {
			return err
		}
		b = b[n:]
		if len(l.sizes) > 0 && l.sizes[0] == l.survey.Size {
			l.survey.Prefixes[l.survey.Size] = Prefix{SHA256: hex.EncodeToString(l.sum.Sum(nil))}
			l.open, l.sizes = l.survey.Size, l.sizes[1:]
		}
	}
	return nil
}

// add hashes bytes, and notes the state behind the last line end in them.
func (l *looker) add(b []byte) error {
	end := lastLineEnd(b)
	if end > 0 {
		l.sum.Write(b[:end])
		state, err := l.sum.(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			return err
		}
		l.lines, l.survey.Lines = state, l.survey.Size+int64(end)
	}
	l.sum.Write(b[end:])
	l.survey.Size += int64(len(b))
	if len(b) > 0 {
		l.last = b[len(b)-1]
	}
	if len(l.head) < 4 {
		l.head = append(l.head, b[:min(len(b), 4)]...)
	}
	return nil
}

// close tells of the prefix that ended just before the byte next whether it ended in a line.
func (l *looker) close(next byte) {
	if l.open == 0 {
		return
	}
	p := l.survey.Prefixes[l.open]
	p.Cut = l.last != '\n' && next != '\n' && next != '\r'
	l.survey.Prefixes[l.open], l.open = p, 0
}

// lastLineEnd is behind the last line feed, or 0.
func lastLineEnd(b []byte) int {
	for i := len(b); i > 0; i-- {
		if b[i-1] == '\n' {
			return i
		}
	}
	return 0
}

// hashOf is the hash that a state stands for; of no state, that of nothing.
func (l *looker) hashOf(state []byte) (string, error) {
	h := sha256.New()
	if state != nil {
		if err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Limited is the input without what comes behind the first n bytes of its content. It shares
// the file with in, which must stay open.
func (in *Input) Limited(n int64) *Input {
	cut := *in
	cut.limit, cut.close = n, nil
	return &cut
}

// Growing tells whether something may still be writing the input: a file as it is, and no
// stream that has ended, nor one that was compressed.
func (in *Input) Growing(s Survey) bool { return in.watch != nil && !s.Compressed }

// ByLines tells whether the records of a file are lines, so that one without a line end may
// be half of one.
func (r Recognised) ByLines() bool { return r.shape != jsonDocument }
