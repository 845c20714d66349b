package synth

import (
	"bufio"
	"errors"
	"io"
	"time"
)

// Format is a way to write one side of the world.
type Format string

// JSON lines and CSV carry the canonical columns. Logfmt is the attempt line
// of an application that logs a time without a date; LogfmtDated is the same
// with a full time. PythonLog is the two lines of a client that logs answers and
// timeouts only, and little of them.
const (
	JSONL       Format = "jsonl"
	CSV         Format = "csv"
	Logfmt      Format = "logfmt"
	LogfmtDated Format = "logfmt-dated"
	PythonLog   Format = "python"
)

// ErrFormat is wrapped by errors for a format that the side cannot be written in.
var ErrFormat = errors.New("format cannot be written")

// WriteAttempts writes the log in the order in which its lines were written.
// Errors are the writer's, or wrap [ErrFormat].
func (w *World) WriteAttempts(out io.Writer, format Format) error {
	e, err := EncodeAttempts(format, nil)
	if err != nil {
		return err
	}
	return writeRows(out, e, w.Attempts)
}

// WriteCharges writes the bill as CSV with a header line, or as JSON lines.
// Errors are the writer's, or wrap [ErrFormat].
func (w *World) WriteCharges(out io.Writer, format Format) error {
	e, err := EncodeCharges(format, nil)
	if err != nil {
		return err
	}
	return writeRows(out, e, w.Charges)
}

// WriteLabels writes the true verdict of each line of the charges CSV, by its
// 1-based line number there: the header is line 1, the first charge line 2.
func (w *World) WriteLabels(out io.Writer) error { return w.writeLabels(out, 2) }

// WriteLabelsFor does the same for the charges in a format without a header.
func (w *World) WriteLabelsFor(out io.Writer, format Format) error {
	if format == CSV {
		return w.writeLabels(out, 2)
	}
	return w.writeLabels(out, 1)
}

func (w *World) writeLabels(out io.Writer, first int) error {
	number := first - 1
	return writeRows(out, Encoder[ChargeLine]{labelColumns, func(dst []byte, c *ChargeLine) []byte {
		number++
		r := csvWriter{dst: dst}
		r.count("source_line", int64(number))
		r.text("charge_id", c.ChargeID)
		r.text("line_item", c.LineItem)
		c.Label.fields(&r)
		return r.dst
	}}, w.Charges)
}

const (
	timeMS = "2006-01-02T15:04:05.000Z07:00"
	timeS  = "2006-01-02T15:04:05Z07:00"
	// as a program writes them that says nothing of its zone
	bareMS = "2006-01-02 15:04:05.000"
	bareS  = "2006-01-02 15:04:05"
)

// writeRows streams rows through one buffer: a header if there is one, then a
// line per row.
func writeRows[T any](out io.Writer, e Encoder[T], rows []T) error {
	buffered := bufio.NewWriterSize(out, 1<<18)
	line := e.Header(nil)
	buffered.Write(line)
	for i := range rows {
		line = e.Append(line[:0], &rows[i])
		if _, err := buffered.Write(line); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

func appendTime(dst []byte, ms int64, layout string) []byte {
	return time.UnixMilli(ms).UTC().AppendFormat(dst, layout)
}

// appendIn writes a time as that of a zone which it does not name; nil is UTC, named.
func appendIn(dst []byte, ms int64, layout string, zone *time.Location) []byte {
	if zone == nil {
		return appendTime(dst, ms, layout)
	}
	bare := bareMS
	if layout == timeS {
		bare = bareS
	}
	return time.UnixMilli(ms).In(zone).AppendFormat(dst, bare)
}
