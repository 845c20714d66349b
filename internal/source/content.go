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

	encoding   string // UTF-16 or GB18030; "" is UTF-8
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
	head, r, err = peek(unpacked, encodingBytes)
	if err != nil {
		return err
	}
	c.bare = &peeked{head, unpacked}
	c.Reader, c.encoding = toUTF8(head, r)
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
	return head, &peeked{head, r}, nil
}

// peeked gives back what was read ahead, then the rest. Unlike an io.MultiReader it asks for more
// at the end each time, so that a file that has changed meanwhile can say so.
type peeked struct {
	head []byte
	rest io.Reader
}

func (p *peeked) Read(b []byte) (int, error) {
	if len(p.head) > 0 {
		n := copy(b, p.head)
		p.head = p.head[n:]
		return n, nil
	}
	return p.rest.Read(b)
}

// A compressed file that holds next to nothing, over and over, is no log: to read it to its
// end can take days. Logs shrink to a tenth or a fiftieth.
const (
	bombRatio = 500
	maxWindow = 128 << 20 // of zstd, as its own command allows; it is held in memory
)

// bombBytes are let pass in any case. A variable, for tests.
var bombBytes int64 = 256 << 20

// tooDense refuses what unpacks to more than any log does; nil if it is all right.
func tooDense(name string, bytes, packed int64) error {
	if bytes <= bombBytes || bytes <= bombRatio*packed {
		return nil
	}
	return &Error{File: name, Found: fmt.Sprintf("more than %d MB packed into %d KB", bytes>>20, packed>>10+1),
		Expected: fmt.Sprintf("at most %d times the packed size", bombRatio), Kind: ErrCorrupt,
		Hint: "unpack it yourself, look at it with head, and name the unpacked file if it is a log or a bill"}
}

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
	if h.packed != nil {
		if bomb := tooDense(h.name, h.c.bytes, h.packed.n); bomb != nil {
			return 0, bomb
		}
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
