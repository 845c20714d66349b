package pipeline

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrytax/internal/synth"
)

// csvTable is a CSV file as it is written: a header and rows.
type csvTable struct {
	header []string
	rows   [][]string
}

// hostileWorld is the two sides of a drawn world, after somebody has been at them.
type hostileWorld struct{ attempts, charges csvTable }

// drawWorld draws a labelled world and then what no simulated vendor does.
func drawWorld(rt *rapid.T) hostileWorld {
	w := tables(synth.Generate(drawConfig(rt)))
	for range rapid.IntRange(0, 4).Draw(rt, "hostile changes") {
		if len(w.charges.rows) == 0 || len(w.attempts.rows) == 0 {
			break
		}
		rapid.SampledFrom(hostileChanges).Draw(rt, "change").apply(rt, &w)
	}
	addStranger(rt, &w) // so that there is something to audit
	shuffleColumns(rt, &w.attempts)
	shuffleColumns(rt, &w.charges)
	return w
}

func drawConfig(rt *rapid.T) synth.Config {
	seed := rapid.Uint64Range(0, 1<<20).Draw(rt, "seed")
	c := rapid.SampledFrom([]func(uint64) synth.Config{synth.Mixed, synth.Mixed, synth.HiddenSDK, synth.Hedging, synth.IDReuse,
		synth.FanOut, synth.OtherCalls, synth.Layers, synth.BilledRefusals, synth.DuplicateLines, synth.Dedup,
		func(s uint64) synth.Config { return synth.LostLines(s, 0.1) }}).Draw(rt, "preset")(seed)
	c.Requests = rapid.IntRange(1, 150).Draw(rt, "requests")
	c.Period = time.Duration(rapid.IntRange(1, 24*60).Draw(rt, "minutes")) * time.Minute
	return c
}

func tables(w *synth.World) hostileWorld {
	var a, c bytes.Buffer
	_, _ = w.WriteAttempts(&a, synth.CSV), w.WriteCharges(&c, synth.CSV) // a buffer takes all
	return hostileWorld{parseTable(a.Bytes()), parseTable(c.Bytes())}
}

func parseTable(b []byte) csvTable {
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil || len(rows) == 0 {
		panic(fmt.Sprintf("synth wrote no CSV: %v", err))
	}
	return csvTable{rows[0], rows[1:]}
}

func (t csvTable) bytes() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(t.header)
	_ = w.WriteAll(t.rows)
	return b.Bytes()
}

func (t csvTable) clone() csvTable {
	c := csvTable{slices.Clone(t.header), make([][]string, len(t.rows))}
	for i, r := range t.rows {
		c.rows[i] = slices.Clone(r)
	}
	return c
}

func (t csvTable) col(name string) int { return slices.Index(t.header, name) }

// mapped is the table with the values of some columns changed.
func (t csvTable) mapped(change func(string) string, columns ...string) csvTable {
	c := t.clone()
	for _, name := range columns {
		if i := c.col(name); i >= 0 {
			for _, r := range c.rows {
				r[i] = change(r[i])
			}
		}
	}
	return c
}

type hostileChange struct {
	name  string
	apply func(rt *rapid.T, w *hostileWorld)
}

// String names a change in a report of rapid.
func (h hostileChange) String() string { return h.name }

var hostileChanges = []hostileChange{
	{"ids that say nothing", func(rt *rapid.T, w *hostileWorld) {
		overwrite(rt, side(rt, w), rapid.SampledFrom([]string{"", "-", "None", "null", "0000", "N/A"}), "request_id", "vendor_request_id", "charge_id")
	}},
	{"strangers", func(rt *rapid.T, w *hostileWorld) {
		for range rapid.IntRange(1, 8).Draw(rt, "strangers") {
			addStranger(rt, w)
		}
	}},
	{"equal times", func(rt *rapid.T, w *hostileWorld) {
		w.charges = w.charges.mapped(func(v string) string { return v[:min(len(v), 16)] + ":00Z" }, "charged_at")
	}},
	{"attempts end otherwise", func(rt *rapid.T, w *hostileWorld) {
		overwrite(rt, &w.attempts, rapid.SampledFrom([]string{"success", "timeout", "cancelled", "server_error", "client_error", "rate_limited", "unknown"}), "outcome")
	}},
	{"no ends", func(rt *rapid.T, w *hostileWorld) {
		overwrite(rt, &w.attempts, rapid.Just(""), "ended_at", "elapsed_ms")
	}},
	{"numbers lie", func(rt *rapid.T, w *hostileWorld) {
		overwrite(rt, side(rt, w), rapid.SampledFrom([]string{"", "0", "1", "1", "2", "7"}), "attempt")
	}},
	{"tokens lie", func(rt *rapid.T, w *hostileWorld) {
		overwrite(rt, side(rt, w), rapid.SampledFrom([]string{"", "0", "100", "100"}), "input_tokens", "output_tokens")
	}},
	{"amounts lie", func(rt *rapid.T, w *hostileWorld) {
		overwrite(rt, &w.charges, rapid.SampledFrom([]string{"", "0", "-0.01", "0.000000000010", "12345678.9"}), "amount")
	}},
	{"as large as can be", func(rt *rapid.T, w *hostileWorld) {
		overwrite(rt, &w.charges, rapid.SampledFrom([]string{"999999999999999.999999999999", "-999999999999999.999999999999", "0.000000000001"}), "amount", "unit_price")
		overwrite(rt, side(rt, w), rapid.SampledFrom([]string{"999999999999999", "1"}), "input_tokens", "output_tokens")
		overwrite(rt, side(rt, w), rapid.SampledFrom([]string{"1000000", "0", "1"}), "attempt")
		overwrite(rt, &w.attempts, rapid.SampledFrom([]string{"2678400000", "0"}), "elapsed_ms")
	}},
	{"other kinds", func(rt *rapid.T, w *hostileWorld) {
		overwrite(rt, &w.charges, rapid.SampledFrom([]string{"usage", "refund", "credit", "tax", "adjustment"}), "kind")
	}},
	{"nobody's", func(rt *rapid.T, w *hostileWorld) {
		overwrite(rt, side(rt, w), rapid.SampledFrom([]string{"", "", "northwind", "contoso"}), "provider", "model")
	}},
	{"other books and moneys", func(rt *rapid.T, w *hostileWorld) {
		overwrite(rt, &w.charges, rapid.SampledFrom([]string{"bill", "estimate"}), "book")
		overwrite(rt, &w.charges, rapid.SampledFrom([]string{"USD", "EUR", ""}), "currency")
	}},
	{"ids shared", func(rt *rapid.T, w *hostileWorld) {
		t := side(rt, w)
		overwrite(rt, t, rapid.SampledFrom([]string{"shared-1", "shared-2"}), rapid.SampledFrom([]string{"request_id", "charge_id", "vendor_request_id"}).Draw(rt, "which"))
	}},
	{"lines again", func(rt *rapid.T, w *hostileWorld) {
		t := side(rt, w)
		for range rapid.IntRange(1, 5).Draw(rt, "copies") {
			t.rows = append(t.rows, slices.Clone(rapid.SampledFrom(t.rows).Draw(rt, "copied")))
		}
	}},
}

func side(rt *rapid.T, w *hostileWorld) *csvTable {
	if rapid.Bool().Draw(rt, "on the bill") {
		return &w.charges
	}
	return &w.attempts
}

// overwrite puts drawn values into some rows of a table.
func overwrite(rt *rapid.T, t *csvTable, value *rapid.Generator[string], columns ...string) {
	for range rapid.IntRange(1, max(1, len(t.rows)/4)).Draw(rt, "rows") {
		row := t.rows[rapid.IntRange(0, len(t.rows)-1).Draw(rt, "row")]
		for _, c := range columns {
			if i := t.col(c); i >= 0 {
				row[i] = value.Draw(rt, c)
			}
		}
	}
}

// addStranger adds an attempt and a charge of one minute that may have to do with each other.
func addStranger(rt *rapid.T, w *hostileWorld) {
	at := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 60_000).Draw(rt, "at ms")) * time.Millisecond)
	id := rapid.SampledFrom([]string{"s-1", "s-2", "12345678901234567891", "12345678901234567892"})
	w.attempts.add(map[string]string{"request_id": id.Draw(rt, "request"), "attempt": strconv.Itoa(rapid.IntRange(0, 3).Draw(rt, "n")),
		"started_at": at.Format(time.RFC3339Nano), "elapsed_ms": strconv.Itoa(rapid.IntRange(0, 40_000).Draw(rt, "ms")),
		"outcome": rapid.SampledFrom([]string{"success", "timeout", "cancelled"}).Draw(rt, "outcome"), "model": "nw-large", "provider": "northwind", "api_key": "app"})
	w.charges.add(map[string]string{"request_id": id.Draw(rt, "billed"), "charge_id": rapid.SampledFrom([]string{"x-1", "x-2", "x-3", ""}).Draw(rt, "charge"),
		"charged_at": at.Add(time.Duration(rapid.IntRange(-1000, 30_000).Draw(rt, "late ms")) * time.Millisecond).Format(time.RFC3339Nano),
		"model":      "nw-large", "provider": "northwind", "api_key": "app", "currency": "USD", "amount": rapid.SampledFrom([]string{"0.01", "0.02", "0"}).Draw(rt, "amount")})
}

func (t *csvTable) add(values map[string]string) {
	row := make([]string, len(t.header))
	for i, name := range t.header {
		row[i] = values[name]
	}
	t.rows = append(t.rows, row)
}

func shuffleColumns(rt *rapid.T, t *csvTable) {
	order := rapid.Permutation(t.header).Draw(rt, "columns")
	s := csvTable{order, make([][]string, len(t.rows))}
	for i, row := range t.rows {
		for _, name := range order {
			s.rows[i] = append(s.rows[i], row[t.col(name)])
		}
	}
	*t = s
}

// dump keeps the smallest input that rapid has found, for retrytax audit.
func (w hostileWorld) dump(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("", "retrytax-property-")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]csvTable{"attempts.csv": w.attempts, "charges.csv": w.charges} {
		if err := os.WriteFile(filepath.Join(dir, name), content.bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("the input is in %s: %d attempts, %d charges", dir, len(w.attempts.rows), len(w.charges.rows))
}
