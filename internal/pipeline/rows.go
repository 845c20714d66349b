package pipeline

import (
	"database/sql"

	"retrytax/internal/source"
	"retrytax/internal/store"
)

// decoded hands a reader's batches to the store and keeps what became no record. The
// batches are not recycled: DuckDB reads one while the next is being fetched.
type decoded struct {
	reader   *source.Reader
	rejects  *rejects
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
		for _, x := range b.Rejects {
			if err := d.rejects.add(x); err != nil {
				return nil, err
			}
		}
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

// scanOne takes the one value of a query's one row.
func scanOne(v any) func(*sql.Rows) error {
	return func(r *sql.Rows) error { return r.Scan(v) }
}
