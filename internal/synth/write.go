package synth

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// Format is a way to write one side of the world.
type Format string

// JSON lines and CSV carry the canonical columns. Logfmt is the attempt line
// of an application that logs a time without a date; LogfmtDated is the same
// with a full time.
const (
	JSONL       Format = "jsonl"
	CSV         Format = "csv"
	Logfmt      Format = "logfmt"
	LogfmtDated Format = "logfmt-dated"
)

// ErrFormat is wrapped by errors for a format that the side cannot be written in.
var ErrFormat = errors.New("format cannot be written")

// WriteAttempts writes the log in the order in which its lines were written.
// Errors are the writer's, or wrap [ErrFormat].
func (w *World) WriteAttempts(out io.Writer, format Format) error {
	switch format {
	case JSONL:
		return writeRows(out, nil, w.Attempts, jsonRow((*AttemptLine).fields))
	case CSV:
		return writeRows(out, attemptColumns, w.Attempts, csvRow((*AttemptLine).fields))
	case Logfmt:
		return writeRows(out, nil, w.Attempts, logfmtRow("15:04:05.000"))
	case LogfmtDated:
		return writeRows(out, nil, w.Attempts, logfmtRow(timeMS))
	}
	return fmt.Errorf("attempts as %q: %w", format, ErrFormat)
}

// WriteCharges writes the bill as CSV with a header line, or as JSON lines.
// Errors are the writer's, or wrap [ErrFormat].
func (w *World) WriteCharges(out io.Writer, format Format) error {
	switch format {
	case JSONL:
		return writeRows(out, nil, w.Charges, jsonRow((*ChargeLine).fields))
	case CSV:
		return writeRows(out, chargeColumns, w.Charges, csvRow((*ChargeLine).fields))
	}
	return fmt.Errorf("charges as %q: %w", format, ErrFormat)
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
	return writeRows(out, labelColumns, w.Charges, func(dst []byte, c *ChargeLine) []byte {
		number++
		r := csvWriter{dst: dst}
		r.count("source_line", int64(number))
		r.text("charge_id", c.ChargeID)
		r.text("line_item", c.LineItem)
		r.text("verdict", c.Label.Verdict)
		r.text("recovery", c.Label.Recovery)
		r.text("excess", c.Label.Excess)
		r.text("settled", strconv.FormatBool(c.Label.Settled))
		r.text("reason", c.Label.Reason)
		return r.dst
	})
}

const (
	timeMS = "2006-01-02T15:04:05.000Z07:00"
	timeS  = "2006-01-02T15:04:05Z07:00"
)

// writeRows streams rows through one buffer: a header if there is one, then a
// line per row.
func writeRows[T any](out io.Writer, header []string, rows []T, write func([]byte, *T) []byte) error {
	buffered := bufio.NewWriterSize(out, 1<<18)
	var line []byte
	for i, name := range header {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, name...)
	}
	if header != nil {
		buffered.Write(append(line, '\n'))
	}
	for i := range rows {
		line = append(write(line[:0], &rows[i]), '\n')
		if _, err := buffered.Write(line); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

func appendTime(dst []byte, ms int64, layout string) []byte {
	return time.UnixMilli(ms).UTC().AppendFormat(dst, layout)
}
