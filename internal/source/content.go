package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
)

// content is an opened input as text: decompressed, in UTF-8, without a byte order mark.
// The hash and the size are those of the decompressed bytes before any transcoding; they
// are complete once Read has returned io.EOF.
type content struct {
	io.Reader
	sum     hash.Hash
	bytes   int64
	last    byte // what was read last
	closers []func() error

	compressed bool
	bare       io.Reader // the decompressed bytes, before they are made text; instead of Reader
}

// openContent opens an input. Compression is told by its magic bytes, never by a name.
func openContent(in *Input) (*content, error) {
	f, err := in.open()
	if err != nil {
		return nil, err
	}
	c := &content{sum: sha256.New(), closers: []func() error{f.Close}}
	if err := c.stack(in.Name, f, in.limit); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// stack puts the layers over the file: decompression, hash, transcoding.
func (c *content) stack(name string, f io.Reader, limit int64) error {
	raw := &packedReader{r: &errReader{f, func(err error) error {
		var e *Error
		if errors.As(err, &e) {
			return err
		}
		return unreadable(name, err)
	}}}
	head, r, err := peek(raw, 4)
	if err != nil {
		return err
	}
	plain, err := c.decompress(name, head, r)
	if err != nil {
		return err
	}
	packed := plain != r
	if limit > 0 {
		plain = io.LimitReader(plain, limit)
	}
	unpacked := &hashReader{r: plain, c: c}
	if packed {
		unpacked.packed, unpacked.name = raw, name
	}
	head, r, err = peek(unpacked, 4)
	if err != nil {
		return err
	}
	c.bare = io.MultiReader(bytes.NewReader(head), unpacked)
	c.Reader = toUTF8(head, r)
	return nil
}

// Read gives text.
func (c *content) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if n > 0 {
		c.last = p[n-1]
	}
	return n, err
}

func (c *content) decompress(name string, head []byte, r io.Reader) (io.Reader, error) {
	corrupt := func(method string) func(error) error {
		return func(err error) error {
			var e *Error
			if errors.As(err, &e) {
				return err // the file below could not be read
			}
			if errors.Is(err, zstd.ErrWindowSizeExceeded) {
				return &Error{File: name, Found: "zstd data that asks for too much memory to be unpacked",
					Expected: fmt.Sprintf("at most %d MB", maxWindow>>20), Kind: ErrCorrupt, Cause: err,
					Hint: "unpack it yourself and name the unpacked file: zstd -d --long=31 " + name}
			}
			return &Error{File: name, Found: "broken " + method + " data (" + err.Error() + ")",
				Expected: "a whole " + method + " file", Kind: ErrCorrupt, Cause: err,
				Hint: "copy the file again: it is cut short or damaged"}
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, corrupt("gzip")(err)
		}
		c.compressed = true
		c.closers = append(c.closers, z.Close)
		return &errReader{z, corrupt("gzip")}, nil
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, corrupt("zstd")(err)
		}
		c.compressed = true
		c.closers = append(c.closers, func() error { z.Close(); return nil })
		return &errReader{z, corrupt("zstd")}, nil
	}
	return r, nil
}

// utf8Mark is the byte order mark of UTF-8.
var utf8Mark = []byte{0xef, 0xbb, 0xbf}

// toUTF8 drops a byte order mark, and transcodes UTF-16 with or without one.
func toUTF8(head []byte, r io.Reader) io.Reader {
	if bytes.HasPrefix(head, utf8Mark) {
		io.CopyN(io.Discard, r, int64(len(utf8Mark))) // an error comes back at the next read
		return r
	}
	wide := func(e unicode.Endianness) io.Reader {
		return unicode.UTF16(e, unicode.UseBOM).NewDecoder().Reader(r)
	}
	bare := func(e unicode.Endianness) io.Reader {
		return unicode.UTF16(e, unicode.IgnoreBOM).NewDecoder().Reader(r)
	}
	switch {
	case len(head) < 4:
		return r
	case head[0] == 0xff && head[1] == 0xfe:
		return wide(unicode.LittleEndian)
	case head[0] == 0xfe && head[1] == 0xff:
		return wide(unicode.BigEndian)
	case head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return bare(unicode.LittleEndian)
	case head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return bare(unicode.BigEndian)
	}
	return r
}

// SHA256 is the hash in hexadecimal.
func (c *content) SHA256() string { return hex.EncodeToString(c.sum.Sum(nil)) }

// Close closes the layers, the topmost first.
func (c *content) Close() error {
	var errs []error
	for i := len(c.closers) - 1; i >= 0; i-- {
		errs = append(errs, c.closers[i]())
	}
	c.closers = nil
	return errors.Join(errs...)
}

// peek reads up to n bytes ahead and returns them with a reader that gives them again.
func peek(r io.Reader, n int) ([]byte, io.Reader, error) {
	head := make([]byte, n)
	m, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, nil, err
	}
	head = head[:m]
	return head, io.MultiReader(bytes.NewReader(head), r), nil
}

// A compressed file that holds next to nothing, over and over, is no log: to read it to its
// end can take days. Logs shrink to a tenth or a fiftieth.
const (
	bombBytes = 256 << 20 // what is let pass in any case
	bombRatio = 500
	maxWindow = 128 << 20 // of zstd, as its own command allows; it is held in memory
)

// hashReader counts and hashes what passes.
type hashReader struct {
	r      io.Reader
	c      *content
	packed *packedReader // what it is unpacked from, or nil
	name   string
}

func (h *hashReader) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	h.c.sum.Write(p[:n])
	h.c.bytes += int64(n)
	if h.packed != nil && h.c.bytes > bombBytes && h.c.bytes > bombRatio*h.packed.n {
		return 0, &Error{File: h.name, Found: fmt.Sprintf("more than %d MB packed into %d KB", h.c.bytes>>20, h.packed.n>>10+1),
			Expected: fmt.Sprintf("at most %d times the packed size", bombRatio), Kind: ErrCorrupt,
			Hint: "unpack it yourself, look at it with head, and name the unpacked file if it is a log or a bill"}
	}
	return n, err
}

// packedReader counts what is read of the file itself.
type packedReader struct {
	r io.Reader
	n int64
}

func (p *packedReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.n += int64(n)
	return n, err
}

// errReader gives errors a meaning.
type errReader struct {
	r    io.Reader
	wrap func(error) error
}

func (e *errReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if err != nil && err != io.EOF {
		err = e.wrap(err)
	}
	return n, err
}
