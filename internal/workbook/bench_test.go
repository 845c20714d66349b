package workbook

import (
	"context"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"retrytax/internal/report"
)

// benchRows is how many rows of evidence are written; RETRYTAX_ROWS sets it.
func benchRows() int {
	if n, err := strconv.Atoi(os.Getenv("RETRYTAX_ROWS")); err == nil && n > 0 {
		return n
	}
	return 50_000
}

// manyRows are made one after the other, as they come from a query; nothing keeps them.
func manyRows(n int) report.Rows[report.EvidenceRow] {
	few := octoberEvidence(time.UTC)[:8]
	for i := range few {
		few[i].Amount, few[i].Excess, few[i].RequestID = "0.001234", "0.001234", "9f2c7a1b4d6e8f03"
	}
	return func(each func(*report.EvidenceRow) error) error {
		for i := range n {
			row := few[i%len(few)]
			place := int64(i / 3)
			row.Place, row.SourceLine, row.ChargeID = &place, int64(i), "ch_"+strconv.Itoa(i)
			row.ChargedAt = row.ChargedAt.Add(time.Duration(i) * time.Second)
			if err := each(&row); err != nil {
				return err
			}
		}
		return nil
	}
}

// BenchmarkEvidence writes a workbook of many rows of evidence, and the cells of its sheet Evidence once more with
// excelize's stream writer alone, in turn. It reports how many times as long the workbook takes, and the peak of memory.
func BenchmarkEvidence(b *testing.B) {
	wb := &report.Workbook{Audit: octoberAudit(time.UTC), Evidence: manyRows(benchRows())}
	wb.Audit.Period.Zone = "UTC"
	var ours, alone time.Duration
	var peak uint64
	for b.Loop() {
		stop, most := watchMemory()
		began := time.Now()
		if err := Write(context.Background(), io.Discard, wb, Options{Created: created}); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(began)
		close(stop)
		peak = max(peak, <-most)
		cells, styles := theSameCells(b, wb)
		began = time.Now()
		streamAlone(b, cells, styles, benchRows())
		alone += time.Since(began)
	}
	b.ReportMetric(ours.Seconds()/alone.Seconds(), "times-alone")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
}

// watchMemory measures the memory that is in use until stop is closed.
func watchMemory() (stop chan struct{}, most chan uint64) {
	stop, most = make(chan struct{}), make(chan uint64, 1)
	go func() {
		peak, tick := uint64(0), time.NewTicker(50*time.Millisecond)
		defer tick.Stop()
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse+m.StackInuse)
			select {
			case <-stop:
				most <- peak
				return
			case <-tick.C:
			}
		}
	}()
	return stop, most
}

// theSameCells are the cells of the first rows of Evidence as excelize gets them.
func theSameCells(b *testing.B, wb *report.Workbook) (rows [][]any, file *excelize.File) {
	maker, err := newBuilder(context.Background(), wb, Options{Created: created})
	if err != nil {
		b.Fatal(err)
	}
	few := *wb
	few.Evidence = manyRows(1000)
	maker.wb = &few
	if err := maker.newEvidence(); err != nil {
		b.Fatal(err)
	}
	err = few.Evidence.Each(func(r *report.EvidenceRow) error {
		row := make([]any, len(maker.evidence.columns))
		for i, c := range maker.evidence.columns {
			v, cell := c.cell(r), excelize.Cell{}
			if maker.styles.cell(&v, maker.evidence.begins(r), &cell) {
				row[i] = cell
			}
		}
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return rows, maker.file
}

// streamAlone writes cells with nothing but excelize's stream writer.
func streamAlone(b *testing.B, cells [][]any, file *excelize.File, rows int) {
	defer file.Close()
	stream, err := file.NewStreamWriter("Sheet1")
	if err != nil {
		b.Fatal(err)
	}
	for i := range rows {
		if err := stream.SetRow("A"+strconv.Itoa(i+1), cells[i%len(cells)]); err != nil {
			b.Fatal(err)
		}
	}
	if err := stream.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := file.Write(io.Discard); err != nil && !strings.Contains(err.Error(), "closed") {
		b.Fatal(err)
	}
}
