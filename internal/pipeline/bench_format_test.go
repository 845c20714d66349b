package pipeline

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"retrytax/internal/source"
)

var formatRows = flag.Int("format-rows", 100_000, "lines of each file of BenchmarkFormats")

// BenchmarkFormats loads files in the canonical columns, then each format's sample of lines, made
// long, from text to typed rows. Beside rows a second of the clock it says what counts on a machine
// that others use: lines a second of processor time (one thread of the database, since an idle one
// spins), and how many times as long a line takes as one of a canonical file does: of attempts
// for a format that gives attempts, else of charges.
func BenchmarkFormats(b *testing.B) {
	s := newFormatStore(b)
	defer s.Close()
	if err := s.Exec(context.Background(), "SET threads = 1"); err != nil {
		b.Fatal(err)
	}
	canonical := map[source.Role]float64{}
	load := func(name string, in *source.Input, lines int, base source.Role) {
		b.Run(name, func(b *testing.B) {
			from := processorTime(b)
			for b.Loop() {
				if err := landOnly(s, in); err != nil {
					b.Fatal(err)
				}
			}
			each := (processorTime(b) - from).Seconds() / float64(b.N) / float64(lines)
			if canonical[base] == 0 {
				canonical[base] = each
			}
			b.ReportMetric(1/each, "lines/cpu-s")
			b.ReportMetric(each/canonical[base], "x-canonical")
			b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
	load("attempts", canonicalLines(source.Attempts, *formatRows), *formatRows, source.Attempts)
	load("charges", canonicalLines(source.Charges, *formatRows), *formatRows, source.Charges)
	for _, f := range source.AllFormats() {
		paths, _ := filepath.Glob(filepath.Join(formatCases, f.Name, "sample.*"))
		for _, path := range paths {
			if in, lines := longSample(b, path); in != nil && f.Refused == "" {
				base := source.Charges
				if slices.Contains(f.Roles, source.Attempts) {
					base = source.Attempts
				}
				load(f.Name, in, lines, base)
			}
		}
	}
}

// longSample repeats the lines of a sample; nil is no sample of lines.
func longSample(b *testing.B, path string) (in *source.Input, lines int) {
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	var head []byte
	switch filepath.Ext(path) {
	case ".csv":
		i := bytes.IndexByte(text, '\n') + 1
		head, text = text[:i], text[i:]
	case ".jsonl", ".log":
	default:
		return nil, 0 // a document, or what is expected of one
	}
	n := *formatRows/bytes.Count(text, []byte{'\n'}) + 1
	in = source.BytesInput(filepath.Base(path), append(head, bytes.Repeat(text, n)...))
	in.Priced = true
	return in, n * bytes.Count(text, []byte{'\n'})
}

// canonicalLines is a file in the canonical columns, with values of the usual lengths.
func canonicalLines(role source.Role, n int) *source.Input {
	var text bytes.Buffer
	if role == source.Attempts {
		text.WriteString("request_id,attempt,started_at,ended_at,elapsed_ms,outcome,http_status,provider,model,input_tokens,output_tokens\n")
	} else {
		text.WriteString("charge_id,request_id,charged_at,model,input_tokens,output_tokens,amount,currency\n")
	}
	at := time.Date(2026, 9, 3, 0, 0, 0, 0, time.UTC)
	for i := range n {
		start := at.Add(time.Duration(i) * 7 * time.Second / 3)
		end := start.Add(time.Duration(i%9000) * time.Millisecond).Format("2006-01-02T15:04:05.000Z")
		if role == source.Attempts {
			fmt.Fprintf(&text, "order-%08d,%d,%s,%s,%d,success,200,acme,gpt-x-mini,%d,%d\n", i, i%3, start.Format("2006-01-02T15:04:05.000Z"), end, i%9000, i%4000, i%700)
		} else {
			fmt.Fprintf(&text, "ch-%08d,order-%08d,%s,gpt-x-mini,%d,%d,0.0%06d,USD\n", i, i, end, i%4000, i%700, i)
		}
	}
	return source.BytesInput(string(role)+".csv", text.Bytes())
}
