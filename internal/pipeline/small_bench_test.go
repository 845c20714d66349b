package pipeline

import (
	"context"
	"path/filepath"
	"testing"
)

// BenchmarkSmallAudit is what an audit of a few lines costs: all of it is planning.
func BenchmarkSmallAudit(b *testing.B) {
	dir := "../../testdata/contract/" + "four_charges_from_two_logged_attempts"
	if _, err := filepath.Glob(dir); err != nil {
		b.Fatal(err)
	}
	before := processorTime(b)
	for b.Loop() {
		a := audit(b, dir, false)
		if _, err := runChecks(context.Background(), a.Store); err != nil {
			b.Fatal(err)
		}
		a.Store.Close()
	}
	b.ReportMetric(float64((processorTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
}
