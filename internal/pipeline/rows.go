package pipeline

import (
	"io"

	"retrytax/internal/source"
	"retrytax/internal/store"
)

// decoded hands a reader's batches to the store and keeps what became no record. The
// batches are not recycled: DuckDB reads one while the next is being fetched.
type decoded struct {
	reader   *source.Reader
	rejects  []source.Reject
	progress func(done int64)
	done     int64
}

// Next implements store.RowSource. Batches without records are passed over.
func (d *decoded) Next() (*store.Rows, error) {
	for {
		b, err := d.reader.Next()
		if err != nil {
			return nil, err
		}
		d.rejects = append(d.rejects, b.Rejects...)
		d.done += int64(len(b.Lines) + len(b.Rejects))
		d.progress(d.done)
		if b.Len() == 0 {
			continue
		}
		rows := &store.Rows{Lines: b.Lines, Cols: make([]store.Text, len(b.Cols))}
		for i, c := range b.Cols {
			rows.Cols[i] = store.Text(c)
		}
		return rows, nil
	}
}

// rejected is a RowSource of rejects: the columns of src_rejects but the file's number.
type rejected struct{ left []source.Reject }

var rejectedColumns = []string{"reject_column", "reason", "raw"}

// Next implements store.RowSource.
func (r *rejected) Next() (*store.Rows, error) {
	const most = 4096
	if len(r.left) == 0 {
		return nil, io.EOF
	}
	n := min(most, len(r.left))
	var cols [3]source.Column
	rows := &store.Rows{}
	for _, x := range r.left[:n] {
		rows.Lines = append(rows.Lines, x.Line)
		appendText(&cols[0], x.Column)
		appendText(&cols[1], x.Reason)
		appendText(&cols[2], x.Raw)
	}
	r.left = r.left[n:]
	for _, c := range cols {
		rows.Cols = append(rows.Cols, store.Text(c))
	}
	return rows, nil
}

func appendText(c *source.Column, v string) {
	if v == "" {
		c.AppendNull()
		return
	}
	c.Append([]byte(v))
}
