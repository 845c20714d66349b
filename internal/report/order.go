package report

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
)

// orderRows writes the rows of a CSV file, whose first column is each row's place from 1 on,
// in the order of their places and without them. The header keeps its place. The file is held
// in memory while its rows are written. Errors are those of the files, of ctx, or of places
// that are not 1 to n.
func orderRows(ctx context.Context, from, to string) (err error) {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	_, header, text := nextRow(text)
	rows := make([][]byte, bytes.Count(text, []byte{'\n'}))
	n := 0
	for ; len(text) > 0; n++ {
		var place, row []byte
		place, row, text = nextRow(text)
		i, err := strconv.Atoi(string(place))
		if err != nil || i < 1 || i > len(rows) || rows[i-1] != nil {
			return fmt.Errorf("%s: found row %d with the place %q, expected each place once", from, n+1, place)
		}
		rows[i-1] = row
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	w.Write(header) // an error stays with the writer
	for _, row := range rows[:n] {
		if row == nil {
			return fmt.Errorf("%s: found %d rows and a place that none has, expected each place once", from, n)
		}
		w.Write(row)
	}
	return w.Flush()
}

// nextRow cuts the first row off text: its first field, which has no quotes, what follows the
// comma, its line end included, and the rest. A line end inside quotes does not end it.
func nextRow(text []byte) (first, row, rest []byte) {
	end, quotes := 0, 0
	for end < len(text) {
		i := bytes.IndexByte(text[end:], '\n')
		if i < 0 {
			end = len(text)
			break
		}
		quotes += bytes.Count(text[end:end+i], []byte{'"'})
		end += i + 1
		if quotes%2 == 0 {
			break
		}
	}
	first, row, _ = bytes.Cut(text[:end], []byte{','})
	return first, row, text[end:]
}
