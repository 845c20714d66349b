package pipeline

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"retrytax/internal/source"
)

// BenchmarkFormats loads each format's sample of lines, made long: rows a second, from text to
// typed rows.
func BenchmarkFormats(b *testing.B) {
	s := newFormatStore(b)
	defer s.Close()
	for _, f := range source.AllFormats() {
		paths, _ := filepath.Glob(filepath.Join(formatCases, f.Name, "sample.*"))
		for _, path := range paths {
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
				continue // a document, or what is expected of one
			}
			const rows = 100_000
			n := rows/bytes.Count(text, []byte{'\n'}) + 1
			in := source.BytesInput(filepath.Base(path), append(head, bytes.Repeat(text, n)...))
			in.Priced = true
			if f.Refused != "" {
				continue
			}
			b.Run(f.Name, func(b *testing.B) {
				for b.Loop() {
					if err := landOnly(s, in); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(n*bytes.Count(text, []byte{'\n'}))*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			})
		}
	}
}
