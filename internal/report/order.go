package report

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// orderBlock is how many rows are put in order at a time.
const orderBlock = 1 << 16

// placedRow is a row of the unordered file, without its place and the comma after it.
type placedRow struct {
	place    int // in its block, from 0
	at, size int64
}

// orderRows writes the rows of a CSV file, whose first column is each row's place from 1 on,
// in the order of their places and without them. The header keeps its place. Only where the rows
// lie is held in memory, and a few blocks of them: the file may be larger than memory. It is read twice.
// Errors are those of the files, of ctx, or of places that are not 1 to n.
func orderRows(ctx context.Context, from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	header, blocks, err := placeRows(in)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := out.Close(); err == nil {
			err = cerr
		}
	}()
	if _, err := io.Copy(out, io.NewSectionReader(in, header.at, header.size)); err != nil {
		return err
	}
	return writeBlocks(ctx, in, out, header.size, blocks)
}

// placeRows reads the file once: where its header lies, and where each of its rows, by block of
// places and in the order of the file.
func placeRows(in *os.File) (header placedRow, blocks [][]placedRow, err error) {
	r, at := bufio.NewReaderSize(in, readSpan), int64(0)
	for n := 0; ; n++ {
		place, size, err := nextRow(r)
		if errors.Is(err, io.EOF) {
			return header, blocks, eachPlaceOnce(blocks, n-1)
		}
		if err != nil {
			return header, nil, err
		}
		skip := int64(len(place)) + 1
		row := placedRow{at: at + skip, size: size - skip}
		at += size
		if n == 0 {
			header = row
			continue
		}
		i, err := strconv.Atoi(place)
		if err != nil || i < 1 || i > 1<<40 {
			return header, nil, fmt.Errorf("found row %d with the place %q, expected a number from 1 on", n, place)
		}
		block := (i - 1) / orderBlock
		for block >= len(blocks) {
			blocks = append(blocks, nil)
		}
		row.place = (i - 1) % orderBlock
		blocks[block] = append(blocks[block], row)
	}
}

// nextRow reads one row: its first field, which has no quotes, and how many bytes it has, the line end
// included. A line end inside quotes does not end it. At the end it is io.EOF.
func nextRow(r *bufio.Reader) (place string, size int64, err error) {
	for quotes := 0; ; {
		piece, err := r.ReadSlice('\n')
		if size == 0 {
			first, _, _ := bytes.Cut(piece, []byte{','})
			place = string(first)
		}
		size += int64(len(piece))
		quotes += bytes.Count(piece, []byte{'"'})
		switch {
		case err == nil && quotes%2 == 0, errors.Is(err, io.EOF) && size > 0:
			return place, size, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return "", 0, err
		}
	}
}

// eachPlaceOnce is an error unless n rows have the places 1 to n.
func eachPlaceOnce(blocks [][]placedRow, n int) error {
	seen := make([]int, orderBlock) // the last block, from 1 on, that had this place
	for b, rows := range blocks {
		for _, row := range rows {
			if place := b*orderBlock + row.place; seen[row.place] == b+1 || place >= n {
				return fmt.Errorf("found %d rows and place %d, expected each place from 1 on once", n, place+1)
			}
			seen[row.place] = b + 1
		}
	}
	return nil
}
