package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"retrytax/internal/store"
)

var benchRequests = flag.String("requests", "20000", "calls in the benchmark's month; 2500000 make about 3 million lines on each side")

// BenchmarkAudit audits a made-up month with --out and without a workbook, in turn with what
// DuckDB alone takes to read the same two files into tables on disk, types given, and to join
// them on the request id. Both use two threads. It reports the seconds of both and their ratio.
func BenchmarkAudit(b *testing.B) {
	dir := b.TempDir()
	month := filepath.Join(dir, "month")
	benchCommand(b, "demo", month, "--plain", "--files-only", "--requests", *benchRequests)
	attempts, charges := filepath.Join(month, "logs", "attempts.jsonl"), filepath.Join(month, "bills", "charges.csv")
	var ours, peer time.Duration
	for b.Loop() {
		peer += duckDBAlone(b, dir, attempts, charges)
		start := time.Now()
		benchCommand(b, "audit", attempts, charges, "--config", filepath.Join(month, "retrytax.yaml"),
			"--out", filepath.Join(dir, "report"), "--no-workbook", "--no-page", "--threads", "2")
		ours += time.Since(start)
	}
	b.ReportMetric(ours.Seconds()/float64(b.N), "audit-s")
	b.ReportMetric(peer.Seconds()/float64(b.N), "duckdb-s")
	b.ReportMetric(ours.Seconds()/peer.Seconds(), "ratio")
}

func benchClock() (time.Time, error) { return time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC), nil }

// benchCommand runs one command line in this process.
func benchCommand(b *testing.B, args ...string) {
	b.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close()
	cmd := newRootCommand(env{in: null, out: null, err: null, now: benchClock})
	cmd.SetArgs(args)
	if err := cmd.ExecuteContext(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// duckDBAlone times the peer.
func duckDBAlone(b *testing.B, dir, attempts, charges string) time.Duration {
	b.Helper()
	ctx, path := context.Background(), filepath.Join(dir, "peer.db")
	defer os.Remove(path)
	start := time.Now()
	s, err := store.Open(ctx, store.Options{Path: path, Threads: 2})
	if err != nil {
		b.Fatal(err)
	}
	for _, q := range []string{
		"CREATE TABLE a AS FROM read_json(" + store.Literal(attempts) + `, format = 'newline_delimited', columns = {request_id: 'VARCHAR',
			attempt: 'INTEGER', max_attempts: 'INTEGER', layer: 'VARCHAR', kind: 'VARCHAR', started_at: 'TIMESTAMP', ended_at: 'TIMESTAMP',
			elapsed_ms: 'BIGINT', stage: 'VARCHAR', outcome: 'VARCHAR', reason: 'VARCHAR', http_status: 'INTEGER', retry_after_ms: 'BIGINT',
			provider: 'VARCHAR', model: 'VARCHAR', vendor_request_id: 'VARCHAR', idempotency_key: 'VARCHAR', input_tokens: 'BIGINT',
			cached_input_tokens: 'BIGINT', output_tokens: 'BIGINT', streamed: 'BOOLEAN', api_key: 'VARCHAR'})`,
		"CREATE TABLE c AS FROM read_csv(" + store.Literal(charges) + `, header = true, columns = {provider: 'VARCHAR', book: 'VARCHAR',
			charge_id: 'VARCHAR', line_item: 'VARCHAR', request_id: 'VARCHAR', attempt: 'INTEGER', vendor_request_id: 'VARCHAR',
			idempotency_key: 'VARCHAR', charged_at: 'TIMESTAMP', model: 'VARCHAR', input_tokens: 'BIGINT', cached_input_tokens: 'BIGINT',
			output_tokens: 'BIGINT', reasoning_tokens: 'BIGINT', unit_price: 'DECIMAL(38,12)', amount: 'DECIMAL(38,12)', currency: 'VARCHAR',
			kind: 'VARCHAR', finish_reason: 'VARCHAR', cancelled: 'BOOLEAN', generation_ms: 'BIGINT', api_key: 'VARCHAR'})`,
		"CREATE TABLE j AS SELECT a.*, c.charge_id, c.amount, c.charged_at FROM a LEFT JOIN c USING (request_id)",
	} {
		if err := s.Exec(ctx, q); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}
