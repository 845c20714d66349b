package store

// Text is one column of a batch in Arrow's own layout: value i is
// Data[Offsets[i]:Offsets[i+1]], missing unless bit i of Valid is set.
type Text struct {
	Data    []byte
	Offsets []int32
	Valid   []byte
	Nulls   int
}

// Rows is a batch of records on its way in: one entry of Lines and one value of each
// column a record.
type Rows struct {
	Lines []int64
	Cols  []Text
}

// RowSource yields batches until io.EOF.
type RowSource interface {
	Next() (*Rows, error)
}

// The columns that a landed relation has before its text columns: the line on which a record
// begins, and the record's number in the file. Several records may stand on one line.
const (
	lineColumn   = "source_line"
	recordColumn = "record_no"
)
