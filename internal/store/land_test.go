package store

import (
	"context"
	"database/sql"
	"io"
	"testing"
)

// oneBatch yields a single batch.
type oneBatch struct{ rows *Rows }

func (o *oneBatch) Next() (*Rows, error) {
	if o.rows == nil {
		return nil, io.EOF
	}
	r := o.rows
	o.rows = nil
	return r, nil
}

func texts(values ...string) Text {
	t := Text{Offsets: []int32{0}, Valid: make([]byte, (len(values)+7)/8)}
	for i, v := range values {
		if v == "" {
			t.Nulls++
		} else {
			t.Valid[i>>3] |= 1 << (i & 7)
			t.Data = append(t.Data, v...)
		}
		t.Offsets = append(t.Offsets, int32(len(t.Data)))
	}
	return t
}

// A query that reads some of the columns must get those and no others.
func TestLandedColumnsKeepTheirNames(t *testing.T) {
	ctx := context.Background()
	for query, want := range map[string]string{
		"SELECT string_agg(c, ',' ORDER BY record_no) FROM raw":                                  "c1,c2",
		"SELECT string_agg(a || source_line, ',' ORDER BY source_line) FROM raw":                 "a17,a28",
		"SELECT string_agg(coalesce(b, '-'), ',' ORDER BY record_no) FROM raw WHERE a LIKE 'a%'": "-,b2",
		"SELECT CAST(count(*) AS VARCHAR) FROM raw":                                              "2",
	} {
		s, err := Open(ctx, Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		src := &oneBatch{&Rows{Lines: []int64{7, 8}, Cols: []Text{texts("a1", "a2"), texts("", "b2"), texts("c1", "c2")}}}
		err = s.Land(ctx, "raw", []string{"a", "b", "c"}, src, func() error {
			return s.Query(ctx, query, func(r *sql.Rows) error {
				var got string
				if err := r.Scan(&got); err != nil {
					return err
				}
				if got != want {
					t.Errorf("%s: got %q, want %q", query, got, want)
				}
				return nil
			})
		})
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
		s.Close()
	}
}
