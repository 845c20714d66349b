package report

import (
	"context"
	"io"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

const (
	readSpan     = 1 << 20 // bytes that are read at a time, where a row is not longer
	readGap      = 4 << 10 // bytes that are rather read for nothing than jumped over
	blockWriters = 4       // at most: each holds a block
)

// writeBlocks writes the rows of all blocks in the order of their places to out, from the byte at on.
func writeBlocks(ctx context.Context, in io.ReaderAt, out io.WriterAt, at int64, blocks [][]placedRow) error {
	type work struct {
		rows []placedRow
		at   int64
	}
	queue := make(chan work)
	g, ctx := errgroup.WithContext(ctx)
	for range min(runtime.GOMAXPROCS(0), blockWriters) {
		g.Go(func() error {
			w := blockWriter{in: in, out: out}
			for block := range queue {
				if err := w.write(block.rows, block.at); err != nil {
					return err
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		defer close(queue)
		for _, rows := range blocks {
			select {
			case queue <- work{rows, at}:
			case <-ctx.Done():
				return ctx.Err()
			}
			for _, row := range rows {
				at += row.size
			}
		}
		return nil
	})
	return g.Wait()
}

// blockWriter puts blocks in order, one after the other.
type blockWriter struct {
	in         io.ReaderAt
	out        io.WriterAt
	text, span []byte
	starts     []int64 // of each place, in text
}

// write writes one block to the byte at on. Its rows come in the order in which they are read.
func (w *blockWriter) write(rows []placedRow, at int64) error {
	w.starts = slices.Grow(w.starts[:0], len(rows))[:len(rows)]
	for _, row := range rows {
		w.starts[row.place] = row.size
	}
	end := int64(0)
	for i, size := range w.starts {
		w.starts[i] = end
		end += size
	}
	w.text = slices.Grow(w.text[:0], int(end))[:end]
	for len(rows) > 0 {
		n, size := neighbours(rows)
		w.span = slices.Grow(w.span[:0], int(size))[:size]
		if _, err := w.in.ReadAt(w.span, rows[0].at); err != nil {
			return err
		}
		for _, row := range rows[:n] {
			from := row.at - rows[0].at
			copy(w.text[w.starts[row.place]:], w.span[from:from+row.size])
		}
		rows = rows[n:]
	}
	_, err := w.out.WriteAt(w.text, at)
	return err
}

// neighbours are how many of the first rows are best read at once, and the bytes from the first to the last.
func neighbours(rows []placedRow) (n int, size int64) {
	for n, size = 1, rows[0].size; n < len(rows); n++ {
		gap, to := rows[n].at-rows[0].at-size, rows[n].at+rows[n].size-rows[0].at
		if gap > readGap || to > readSpan {
			break
		}
		size = to
	}
	return n, size
}
