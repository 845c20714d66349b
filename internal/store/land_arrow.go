//go:build duckdb_arrow

package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"sync/atomic"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/duckdb/duckdb-go/v2"
)

// Land makes the rows of src readable as the relation name (source_line and cols, all
// text but the line) and calls use, which reads it once: the batches stream into the
// query and are never held together.
func (s *Store) Land(ctx context.Context, name string, cols []string, src RowSource, use func() error) error {
	reader := newRecordReader(ctx, cols, src)
	var release func()
	err := s.conn.Raw(func(c any) error {
		ar, err := duckdb.NewArrowFromConn(c.(driver.Conn))
		if err != nil {
			return err
		}
		release, err = ar.RegisterView(reader, name+"_stream")
		return err
	})
	if err != nil {
		return err
	}
	defer release()
	// The stream always yields all of its columns, in their order, whatever a query asks for;
	// DuckDB would take the first that come for those it wants. So every query over it reads
	// all of them: through a view that names them, with none pruned.
	if err := s.Exec(ctx, "CREATE OR REPLACE TEMP VIEW "+Ident(name)+" AS SELECT * FROM "+Ident(name+"_stream")); err != nil {
		return err
	}
	err = s.without(ctx, "unused_columns,build_side_probe_side", use)
	if reader.err != nil {
		return reader.err // why the stream ended early says more than what DuckDB made of it
	}
	if err != nil {
		return err
	}
	if err := s.Exec(ctx, "DROP VIEW "+Ident(name)); err != nil {
		return err
	}
	return s.Exec(ctx, "DROP VIEW "+Ident(name+"_stream"))
}

// recordReader turns a RowSource into Arrow record batches.
type recordReader struct {
	ctx    context.Context
	refs   atomic.Int64
	schema *arrow.Schema
	src    RowSource
	read   int64 // records so far
	rec    arrow.RecordBatch
	err    error
}

func newRecordReader(ctx context.Context, cols []string, src RowSource) *recordReader {
	fields := []arrow.Field{{Name: lineColumn, Type: arrow.PrimitiveTypes.Int64}, {Name: recordColumn, Type: arrow.PrimitiveTypes.Int64}}
	for _, c := range cols {
		fields = append(fields, arrow.Field{Name: c, Type: arrow.BinaryTypes.String, Nullable: true})
	}
	r := &recordReader{ctx: ctx, schema: arrow.NewSchema(fields, nil), src: src}
	r.refs.Store(1)
	return r
}

func (r *recordReader) Retain()                        { r.refs.Add(1) }
func (r *recordReader) Release()                       { r.refs.Add(-1) }
func (r *recordReader) Schema() *arrow.Schema          { return r.schema }
func (r *recordReader) Record() arrow.RecordBatch      { return r.rec }
func (r *recordReader) RecordBatch() arrow.RecordBatch { return r.rec }
func (r *recordReader) Err() error                     { return r.err }

// Next fetches the next batch; an error of the source ends the stream and stays in err.
func (r *recordReader) Next() bool {
	if r.rec != nil {
		r.rec.Release()
		r.rec = nil
	}
	if r.err != nil {
		return false
	}
	if r.err = r.ctx.Err(); r.err != nil {
		return false
	}
	rows, err := r.src.Next()
	if errors.Is(err, io.EOF) {
		return false
	}
	if err != nil {
		r.err = err
		return false
	}
	r.rec = toRecord(r.schema, rows, r.read)
	r.read += int64(len(rows.Lines))
	return true
}

// toRecord wraps the columns without a copy: they are in Arrow's layout already.
func toRecord(schema *arrow.Schema, rows *Rows, before int64) arrow.RecordBatch {
	n := len(rows.Lines)
	arrs := make([]arrow.Array, 0, 2+len(rows.Cols))
	lines := array.NewData(arrow.PrimitiveTypes.Int64, n,
		[]*memory.Buffer{nil, memory.NewBufferBytes(int64Bytes(rows.Lines))}, nil, 0, 0)
	numbers := make([]int64, n)
	for i := range numbers {
		numbers[i] = before + int64(i) + 1
	}
	records := array.NewData(arrow.PrimitiveTypes.Int64, n,
		[]*memory.Buffer{nil, memory.NewBufferBytes(int64Bytes(numbers))}, nil, 0, 0)
	arrs = append(arrs, array.NewInt64Data(lines), array.NewInt64Data(records))
	for i := range rows.Cols {
		c := &rows.Cols[i]
		offsets := c.Offsets
		if len(offsets) == 0 {
			offsets = []int32{0}
		}
		data := array.NewData(arrow.BinaryTypes.String, n, []*memory.Buffer{
			memory.NewBufferBytes(c.Valid), memory.NewBufferBytes(int32Bytes(offsets)), memory.NewBufferBytes(c.Data),
		}, nil, c.Nulls, 0)
		arrs = append(arrs, array.NewStringData(data))
	}
	return array.NewRecordBatch(schema, arrs, int64(n))
}

func int32Bytes(v []int32) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 4*len(v))
}

func int64Bytes(v []int64) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 8*len(v))
}
