package workbook

import (
	"context"
	"io"
	"testing"
)

// BenchmarkEvidence writes a workbook of 50,000 rows of evidence.
func BenchmarkEvidence(b *testing.B) {
	wb := october(b)
	for len(wb.Evidence) < 50_000 {
		wb.Evidence = append(wb.Evidence, wb.Evidence[:10]...)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := Write(context.Background(), io.Discard, wb, Options{Created: created}); err != nil {
			b.Fatal(err)
		}
	}
}
