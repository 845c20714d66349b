package pipeline

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/gob"
	"errors"
	"io"
	"os"

	"retrytax/internal/source"
	"retrytax/internal/store"
)

// heldRejects is how many bytes of rejects are held in memory while a file is read.
const heldRejects = 8 << 20

// rejects gathers what could not be read of one file until the database can take it: a few
// in memory, the rest of a file that is nothing but rejects on disk.
type rejects struct {
	held []source.Reject
	size int // of held, in bytes

	file *os.File
	drop func() error
	w    *bufio.Writer
	enc  *gob.Encoder
	dec  *gob.Decoder
	n    int64 // in the file, and still to be read back
}

// Len is how many there are.
func (r *rejects) Len() int64 { return r.n + int64(len(r.held)) }

func (r *rejects) add(x source.Reject) error {
	r.held = append(r.held, x)
	r.size += len(x.Raw) + len(x.Reason) + 64
	if r.size < heldRejects {
		return nil
	}
	return r.spill()
}

// spill moves what is held to the file.
func (r *rejects) spill() (err error) {
	if r.file == nil {
		if r.file, r.drop, err = source.TempFile(); err != nil {
			return noTempRoom(err)
		}
		r.w = bufio.NewWriterSize(r.file, 1<<20)
		r.enc = gob.NewEncoder(r.w)
	}
	for _, x := range r.held {
		if err := r.enc.Encode(x); err != nil {
			return noTempRoom(err)
		}
	}
	r.n += int64(len(r.held))
	r.held, r.size = r.held[:0], 0
	return nil
}

// Next implements store.RowSource: the columns of src_rejects but the file's number. Nothing
// can be added after the first call.
func (r *rejects) Next() (*store.Rows, error) {
	const most = 4096
	var cols [3]source.Column
	rows := &store.Rows{}
	for len(rows.Lines) < most {
		x, err := r.take()
		if err == io.EOF && len(rows.Lines) > 0 {
			break
		}
		if err != nil {
			return nil, err
		}
		rows.Lines = append(rows.Lines, x.Line)
		appendText(&cols[0], x.Column)
		appendText(&cols[1], x.Reason)
		appendText(&cols[2], x.Raw)
	}
	for _, c := range cols {
		rows.Cols = append(rows.Cols, store.Text(c))
	}
	return rows, nil
}

// take returns the next one in the order in which they came.
func (r *rejects) take() (x source.Reject, err error) {
	if r.n > 0 {
		if r.dec == nil {
			if err := r.w.Flush(); err != nil {
				return x, noTempRoom(err)
			}
			if _, err := r.file.Seek(0, io.SeekStart); err != nil {
				return x, err
			}
			r.dec = gob.NewDecoder(bufio.NewReaderSize(r.file, 1<<20))
		}
		r.n--
		err = r.dec.Decode(&x)
		return x, err
	}
	if len(r.held) == 0 {
		return x, io.EOF
	}
	x, r.held = r.held[0], r.held[1:]
	return x, nil
}

func (r *rejects) close() error {
	if r.drop == nil {
		return nil
	}
	return r.drop()
}

func noTempRoom(err error) error {
	return &store.ResourceError{Kind: store.ErrNoRoom, Err: err}
}

var rejectedColumns = []string{"reject_column", "reason", "raw"}

// landRejects moves what SQL could not read to src_rejects, fetches its raw text, and adds
// what the decoder could not read.
func landRejects(ctx context.Context, s *store.Store, no int, decoded *rejects, raw rawTexts) error {
	if err := runSteps(ctx, s, "40_src_rejects.sql"); err != nil {
		return err
	}
	var lines []int64
	err := s.Query(ctx, "SELECT source_line FROM src_rejects WHERE file_no = ? ORDER BY source_line", func(r *sql.Rows) error {
		var n int64
		err := r.Scan(&n)
		lines = append(lines, n)
		return err
	}, no)
	if err != nil {
		return err
	}
	if err := fetchRaw(ctx, s, lines, raw); err != nil || decoded.Len() == 0 {
		return err
	}
	return s.Land(ctx, "raw_rejects", rejectedColumns, decoded, func() error {
		return s.Exec(ctx, "INSERT INTO src_rejects SELECT setting('file_no'), source_line, reject_column, reason, raw FROM raw_rejects")
	})
}

// fetchRaw reads the file again for the raw text of rows that were rejected after decoding.
func fetchRaw(ctx context.Context, s *store.Store, lines []int64, rawOf rawTexts) (err error) {
	if len(lines) == 0 {
		return nil
	}
	texts := &rejects{}
	defer func() { err = errors.Join(err, texts.close()) }()
	err = rawOf(ctx, lines, func(line int64, raw string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return texts.add(source.Reject{Line: line, Raw: raw})
	})
	if err != nil {
		return err
	}
	// Not by an UPDATE: one of millions of rows takes minutes.
	err = s.Land(ctx, "raw_texts", rejectedColumns, texts, func() error {
		return s.Exec(ctx, `CREATE OR REPLACE TEMP TABLE rejects_with_text AS
			SELECT r.* REPLACE (t.raw AS raw) FROM src_rejects r LEFT JOIN raw_texts t USING (source_line) WHERE r.file_no = setting('file_no')`)
	})
	for _, q := range []string{
		"DELETE FROM src_rejects WHERE file_no = setting('file_no')",
		"INSERT INTO src_rejects SELECT * FROM rejects_with_text",
		"DROP TABLE rejects_with_text",
	} {
		if err == nil {
			err = s.Exec(ctx, q)
		}
	}
	return err
}

func appendText(c *source.Column, v string) {
	if v == "" {
		c.AppendNull()
		return
	}
	c.Append([]byte(v))
}
