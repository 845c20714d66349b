package pipeline

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// BenchmarkSmallAudit is what an audit of a few lines costs: all of it is planning.
func BenchmarkSmallAudit(b *testing.B) {
	dir := "../../testdata/contract/" + "four_charges_from_two_logged_attempts"
	if _, err := filepath.Glob(dir); err != nil {
		b.Fatal(err)
	}
	var before, after syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	for b.Loop() {
		a := audit(b, dir, false)
		if _, err := runChecks(context.Background(), a.Store); err != nil {
			b.Fatal(err)
		}
		a.Store.Close()
	}
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	cpu := func(r syscall.Rusage) time.Duration {
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	b.ReportMetric(float64((cpu(after)-cpu(before)).Milliseconds())/float64(b.N), "cpu-ms/op")
}
