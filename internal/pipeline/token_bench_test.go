package pipeline

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"testing"
	"time"

	"retrytax/internal/synth"
)

var benchCalls = flag.Int("token-calls", 13_000, "how many calls BenchmarkTokenAudit audits")

// BenchmarkTokenAudit is what an audit costs whose bill knows the request ids, the receipts, or nothing; and
// a day in which one prompt was sent again and again, of answers that differ or that do not. It reports
// processor time, which others on the machine do not change much, and how much money the matches by tokens leave in doubt.
func BenchmarkTokenAudit(b *testing.B) {
	crowded := synth.Crowded(0)
	crowded.Numbers = false
	one := crowded
	one.Prompts = 1
	alike := one
	alike.OutputSigma = 1e-6
	for _, w := range []struct {
		name string
		c    synth.Config
	}{
		{"ids", crowded},
		{"receipts", synth.Unnamed(crowded, synth.ReceiptsOnly)},
		{"no ids", synth.Unnamed(crowded, synth.NoSharedIDs)},
		{"one prompt, ids", one},
		{"one prompt, receipts", synth.Unnamed(one, synth.ReceiptsOnly)},
		{"one prompt, no ids", synth.Unnamed(one, synth.NoSharedIDs)},
		{"one prompt and answer, receipts", synth.Unnamed(alike, synth.ReceiptsOnly)},
		{"one prompt and answer, no ids", synth.Unnamed(alike, synth.NoSharedIDs)},
	} {
		b.Run(w.name, func(b *testing.B) { benchTokens(b, w.c) })
	}
}

func benchTokens(b *testing.B, c synth.Config) {
	c.Requests = *benchCalls
	w := synth.Generate(c)
	var attempts, charges, labels bytes.Buffer
	if err := errors.Join(w.WriteAttempts(&attempts, synth.JSONL), w.WriteCharges(&charges, synth.CSV), w.WriteLabels(&labels)); err != nil {
		b.Fatal(err)
	}
	var used time.Duration
	var share [4]float64
	b.ResetTimer()
	for range b.N {
		before := processorTime(b)
		a := auditTokens(b, attempts.Bytes(), charges.Bytes())
		used += processorTime(b) - before
		share = doubtful(b, a, labels.Bytes())
		a.Store.Close()
	}
	b.ReportMetric(float64(used.Milliseconds())/float64(b.N), "cpu-ms/op")
	b.ReportMetric(100*share[0], "%leads")
	b.ReportMetric(share[3], "said-ambiguous")
	b.ReportMetric(100*share[1], "%right")
	b.ReportMetric(100*share[2], "%found")
}

func auditTokens(b *testing.B, attempts, charges []byte) *Audit {
	return auditBytes(b, map[string][]byte{"attempts.jsonl": attempts, "charges.csv": charges}, Options{})
}

// doubtful is the share of the bill that stands as leads, of the money called excess the share that is right, and
// of the true excess the share that is found;
// and of how many charges the report says that they are ambiguous.
func doubtful(b *testing.B, a *Audit, labels []byte) (shares [4]float64) {
	err := a.Store.Query(context.Background(), `SELECT coalesce(CAST(sum(amount) FILTER (WHERE match = 'lead') AS DOUBLE) / CAST(sum(amount) AS DOUBLE), 0),
			(SELECT coalesce(sum(n), 0) FROM rpt_warnings WHERE code = 'ambiguous') FROM fct_verdicts`, func(r *sql.Rows) error {
		return r.Scan(&shares[0], &shares[3])
	})
	if err != nil {
		b.Fatal(err)
	}
	score, err := synth.Score(bytes.NewReader(labels), bytes.NewReader(verdictsCSV(b, a.Store)))
	if err != nil {
		b.Fatal(err)
	}
	shares[1], shares[2] = score.Precision(), score.Recall()
	return shares
}
