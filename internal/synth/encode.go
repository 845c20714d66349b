package synth

import (
	"fmt"
	"time"
)

// Encoder writes rows of one kind in one format, for files that are written piece by piece.
type Encoder[T any] struct {
	columns []string // of the header line; nil: there is none
	row     func(dst []byte, row *T) []byte
}

// Header appends the header line, if the format has one.
func (e Encoder[T]) Header(dst []byte) []byte {
	if e.columns == nil {
		return dst
	}
	for i, name := range e.columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, name...)
	}
	return append(dst, '\n')
}

// HasHeader tells whether the first row stands in line 2 of a file.
func (e Encoder[T]) HasHeader() bool { return e.columns != nil }

// Append appends a row and its line break.
func (e Encoder[T]) Append(dst []byte, row *T) []byte { return append(e.row(dst, row), '\n') }

// EncodeAttempts is the encoder of a log. With a zone, times are written as of that zone and
// without its name. Errors wrap [ErrFormat].
func EncodeAttempts(format Format, zone *time.Location) (Encoder[AttemptLine], error) {
	switch format {
	case JSONL:
		return Encoder[AttemptLine]{nil, jsonRow((*AttemptLine).fields, zone)}, nil
	case CSV:
		return Encoder[AttemptLine]{attemptColumns, csvRow((*AttemptLine).fields, zone)}, nil
	case Logfmt:
		return Encoder[AttemptLine]{nil, logfmtRow("15:04:05.000")}, nil
	case LogfmtDated:
		return Encoder[AttemptLine]{nil, logfmtRow(timeMS)}, nil
	case PythonLog:
		return Encoder[AttemptLine]{nil, pythonRow(zone)}, nil
	}
	return Encoder[AttemptLine]{}, fmt.Errorf("attempts as %q: %w", format, ErrFormat)
}

// EncodeCharges is the encoder of a bill, with a zone as in [EncodeAttempts].
func EncodeCharges(format Format, zone *time.Location) (Encoder[ChargeLine], error) {
	switch format {
	case JSONL:
		return Encoder[ChargeLine]{nil, jsonRow((*ChargeLine).fields, zone)}, nil
	case CSV:
		return Encoder[ChargeLine]{chargeColumns, csvRow((*ChargeLine).fields, zone)}, nil
	}
	return Encoder[ChargeLine]{}, fmt.Errorf("charges as %q: %w", format, ErrFormat)
}
