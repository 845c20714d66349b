package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"unicode/utf8"
)

// Options tune a Reader; the zero value is right.
type Options struct {
	Threads   int    // decoders at work, default 2
	KeepRaw   bool   // rejects keep prompts, answers and keys
	BlockSize int    // bytes that one decoder takes at a time, default 4 MiB
	Currency  string // of amounts that tell none, "" where nobody says it

	maxLine int // for tests
}

func (o Options) withDefaults() Options {
	if o.Threads <= 0 {
		o.Threads = 2
	}
	if o.BlockSize <= 0 {
		o.BlockSize = defaultBlock
	}
	if o.maxLine <= 0 {
		o.maxLine = maxLine
	}
	return o
}

// Stats account for a whole file: Rows = Records + Ignored + Rejected. A row is a line that
// is not blank, or a record where one spans lines; a CSV header is none.
type Stats struct {
	Rows, Records, Ignored, Rejected int64
	Headers                          int64  // of Ignored: a CSV's header met again, where exports were joined
	OpenEnd                          bool   // the last line has no line end
	Bytes                            int64  // of the decompressed content
	SHA256                           string // of the decompressed content
}

// Reader decodes one file into batches, in the order of the file, whatever the number of
// decoders: one goroutine cuts the content into blocks at the end of records, others
// decode blocks, and Next delivers them in turn. It holds a few blocks, never the file.
type Reader struct {
	ctx    context.Context
	cancel context.CancelFunc
	opts   Options
	rec    Recognised
	name   string
	in     *content

	work  chan *block // to the decoders
	order chan *block // to Next
	bufs  chan []byte // memory of blocks that are done with
	free  chan *Batch // memory of batches that are done with
	wg    sync.WaitGroup
	ready []*Batch
	stats Stats
	err   error
}

// Open starts to decode an input that has been recognised. Close must be called.
func Open(ctx context.Context, in *Input, rec Recognised, opts Options) (*Reader, error) {
	c, err := openContent(in)
	if err != nil {
		return nil, err
	}
	opts = opts.withDefaults()
	r := &Reader{
		opts: opts, rec: rec, name: in.Name, in: c,
		work:  make(chan *block, opts.Threads),
		order: make(chan *block, 2*opts.Threads),
		bufs:  make(chan []byte, 4*opts.Threads),
		free:  make(chan *Batch, 4*opts.Threads),
	}
	r.ctx, r.cancel = context.WithCancel(ctx)
	r.wg.Go(r.cutAll)
	for range opts.Threads {
		r.wg.Go(r.decodeAll)
	}
	return r, nil
}

// Next returns the next batch, and io.EOF after the last one. A batch may hold rejects and
// ignored lines only. Errors are *Error where the file is at fault, or the context's.
func (r *Reader) Next() (*Batch, error) {
	for len(r.ready) == 0 && r.err == nil {
		r.err = r.advance()
	}
	if len(r.ready) == 0 {
		return nil, r.err
	}
	b := r.ready[0]
	r.ready = r.ready[1:]
	r.stats.Records += int64(len(b.Lines))
	r.stats.Ignored += b.Ignored
	r.stats.Headers += b.Headers
	r.stats.Rejected += int64(len(b.Rejects))
	return b, nil
}

// advance waits for the next block.
func (r *Reader) advance() error {
	var blk *block
	var ok bool
	select {
	case blk, ok = <-r.order:
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
	if !ok {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		r.stats.Bytes = r.in.bytes
		r.stats.SHA256 = r.in.SHA256()
		r.stats.OpenEnd = r.in.bytes > 0 && r.in.last != '\n'
		return io.EOF
	}
	select {
	case <-blk.done:
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
	r.ready = blk.batches
	return blk.err
}

// Recycle gives back a batch whose contents are no longer needed, so that its memory serves
// again. It is optional.
func (r *Reader) Recycle(b *Batch) {
	select {
	case r.free <- b:
	default:
	}
}

// Stats is complete once Next has returned io.EOF.
func (r *Reader) Stats() Stats {
	s := r.stats
	s.Rows = s.Records + s.Ignored + s.Rejected
	return s
}

// Close stops the decoders and closes the file.
func (r *Reader) Close() error {
	r.cancel()
	r.wg.Wait()
	return r.in.Close()
}

// cutAll feeds the decoders until the file ends.
func (r *Reader) cutAll() {
	defer close(r.order)
	defer close(r.work)
	err := r.skipPreamble()
	if err == nil {
		err = r.cutter()()
	}
	if err == nil {
		// What follows the last record still belongs to the hash.
		_, err = io.Copy(io.Discard, r.in)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		blk := &block{err: err, done: make(chan struct{})}
		close(blk.done)
		select {
		case r.order <- blk:
		case <-r.ctx.Done():
		}
	}
}

// skipPreamble passes over what Recognise has read already: a CSV header, an envelope.
func (r *Reader) skipPreamble() error {
	_, err := io.CopyN(io.Discard, r.in, r.rec.skipBytes)
	if err == io.EOF {
		return nil // the file has shrunk since; there is nothing to read
	}
	return err
}

func (r *Reader) cutter() func() error {
	line := r.rec.skipLines + 1
	if r.rec.shape == jsonDocument {
		c := &jsonCutter{src: r.in, size: r.opts.BlockSize, max: r.opts.maxLine, line: line,
			array: r.rec.array, outer: r.rec.outer, get: r.buffer, emit: r.emit}
		return c.run
	}
	var scan scanner = &lineScanner{}
	if r.rec.Syntax == CSV {
		scan = &csvScanner{delim: r.rec.Delimiter, max: r.opts.maxLine}
	}
	c := &cutter{src: r.in, scan: scan, size: r.opts.BlockSize, max: r.opts.maxLine, line: line,
		get: r.buffer, emit: r.emit}
	return c.run
}

// buffer is memory for a block.
func (r *Reader) buffer() []byte {
	select {
	case b := <-r.bufs:
		return b[:0]
	default:
		return make([]byte, 0, r.opts.BlockSize+r.opts.BlockSize/64)
	}
}

// emit hands a block to the decoders and puts it in the queue of Next.
func (r *Reader) emit(blk *block) error {
	blk.done = make(chan struct{})
	for _, ch := range []chan *block{r.order, r.work} {
		select {
		case ch <- blk:
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
	}
	return nil
}

// decoder makes records of a block.
type decoder interface {
	decode(blk *block, out *sink)
}

// decodeAll is one worker.
func (r *Reader) decodeAll() {
	cols := r.rec.RawColumns()
	ids := idColumns(cols)
	if r.rec.vendor != nil {
		ids = make([]bool, len(cols)) // what is an id, the format's query says
	}
	out := &sink{role: r.rec.role(), columns: cols, ids: ids, free: r.free, convert: newConverter(r.rec, r.opts.Currency),
		raw: rawPrinter{keep: r.opts.KeepRaw, json: r.rec.Syntax == JSONL, prefix: r.rec.prefixed, cells: r.rec.hide}}
	d := r.decoder()
	for blk := range r.work {
		decodeBlock(d, blk, out)
		if out.err != nil {
			out.err.File = r.name
			blk.err = out.err
		}
		if blk.data != nil {
			select {
			case r.bufs <- blk.data:
			default:
			}
		}
		blk.data = nil
		close(blk.done)
	}
}

// decodeBlock runs one block through a decoder.
func decodeBlock(d decoder, blk *block, out *sink) {
	out.begin(utf8.Valid(blk.data) && bytes.IndexByte(blk.data, 0) < 0)
	if blk.stray != nil {
		out.strayed(blk.stray)
	}
	d.decode(blk, out)
	blk.batches = out.finish()
}

func (r *Reader) decoder() decoder {
	switch {
	case r.rec.vendor != nil && len(r.rec.vendor.steps) > 0:
		return newNestedDecoder(r.rec, r.opts.maxLine)
	case r.rec.Syntax == Lines:
		return newPatternDecoder(r.rec, r.opts.maxLine)
	}
	switch r.rec.Syntax {
	case CSV:
		return newCSVDecoder(r.rec, r.opts.maxLine)
	case JSONL:
		return newJSONDecoder(r.rec, r.opts.maxLine)
	}
	return newLogfmtDecoder(r.rec, r.opts.maxLine)
}
