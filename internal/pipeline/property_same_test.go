package pipeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"retrytax/internal/source"
)

// distinct is the table without rows that another file would make known or supersede: those
// equal in every field, and charges of one id, item, kind and time.
func (t csvTable) distinct() csvTable {
	out, seen := csvTable{header: t.header}, map[string]bool{}
	for _, r := range t.rows {
		key := r
		if i := t.col("charge_id"); i >= 0 && !saysNothing(r[i]) {
			key = nil
			for _, name := range []string{"provider", "book", "charge_id", "line_item", "kind", "charged_at"} {
				key = append(key, r[t.col(name)])
			}
		}
		text := ""
		for _, v := range key {
			if saysNothing(v) {
				v = ""
			}
			text += v + "\x00"
		}
		if !seen[text] {
			seen[text] = true
			out.rows = append(out.rows, r)
		}
	}
	return out
}

func saysNothing(id string) bool {
	return strings.Trim(id, "0-") == "" || slices.Contains([]string{"None", "null", "N/A"}, id)
}

// A file cut in two at any line is the same as the whole, be it as two files or as one in
// which the header stands again.
func TestSplitFilesAreTheSame(t *testing.T) {
	property(t, func(rt *rapid.T, w hostileWorld) {
		// Whether numbers count from 0 or from 1 is told file by file: here all count from 1.
		fromOne := func(v string) string { return map[bool]string{true: "1", false: v}[v == "0"] }
		w = hostileWorld{w.attempts.distinct().mapped(fromOne, "attempt"), w.charges.distinct().mapped(fromOne, "attempt")}
		a := rapid.IntRange(0, len(w.attempts.rows)).Draw(rt, "cut of the log")
		c := rapid.IntRange(0, len(w.charges.rows)).Draw(rt, "cut of the bill")
		part := func(t csvTable, from, to int) csvTable { return csvTable{t.header, t.rows[from:to]} }
		whole := auditTables(rt, t, w.files(), Options{})
		halves := []File{tableFile("attempts-1.csv", part(w.attempts, 0, a)), tableFile("attempts-2.csv", part(w.attempts, a, len(w.attempts.rows))),
			tableFile("charges-1.csv", part(w.charges, 0, c)), tableFile("charges-2.csv", part(w.charges, c, len(w.charges.rows)))}
		same(rt, whole, auditTables(rt, t, halves, Options{}), "source_file", "source_line")

		joined := func(name string, t csvTable, cut int) File {
			b := slices.Concat(part(t, 0, cut).bytes(), part(t, cut, len(t.rows)).bytes())
			return File{Input: source.BytesInput(name, b), Role: roleOf(name)}
		}
		again := []File{joined("attempts.csv", w.attempts, a), joined("charges.csv", w.charges, c)}
		same(rt, whole, auditTables(rt, t, again, Options{}), "source_line")
	})
}

// Whatever the amounts are multiplied by, the totals are, too.
func TestScaledAmountsAreScaledTotals(t *testing.T) {
	property(t, func(rt *rapid.T, w hostileWorld) {
		factor := decimal.RequireFromString(rapid.SampledFrom([]string{"2", "3", "7", "97", "100", "1000", "1000000"}).Draw(rt, "factor"))
		scaled := func(v string) string {
			if v == "" {
				return v
			}
			return decimal.RequireFromString(v).Mul(factor).String()
		}
		before := auditTables(rt, t, w.files(), Options{})
		for k, v := range before.totals {
			before.totals[k] = scaled(v)
		}
		for _, l := range before.lines {
			l["amount"], l["excess"] = scaled(l["amount"]), scaled(l["excess"])
		}
		same(rt, before, auditTables(rt, t, hostileWorld{w.attempts, w.charges.mapped(scaled, "amount", "unit_price")}.files(), Options{}))
	})
}

// A world that is moved in time, with the period that is asked for, is the same world: over
// the ends of days, months and years, and by parts of an hour.
func TestShiftedTimesAreTheSame(t *testing.T) {
	const layout = "2006-01-02T15:04:05.000000Z"
	moved := func(by time.Duration) func(string) string {
		return func(v string) string {
			at, err := time.Parse(time.RFC3339Nano, v)
			if err != nil {
				return v // empty
			}
			return at.Add(by).Format(layout)
		}
	}
	columns := []string{"started_at", "ended_at", "charged_at"}
	property(t, func(rt *rapid.T, w hostileWorld) {
		days := -rapid.IntRange(0, 1000).Draw(rt, "days back")
		var period [2]Options
		from := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
		by := time.Duration(days) * 24 * time.Hour
		if rapid.Bool().Draw(rt, "with a period") {
			for i, at := range []time.Time{from, from.Add(by)} {
				period[i].Period = at.Format(time.DateOnly) + ".." + at.AddDate(0, 0, 2).Format(time.DateOnly)
			}
		} else {
			by += time.Duration(rapid.Int64Range(-86_400_000, 86_400_000).Draw(rt, "ms")) * time.Millisecond
		}
		var found [2]outcome
		for i, shift := range []time.Duration{0, by} { // both write their times alike: how fine a stamp is written is read as well
			v := hostileWorld{w.attempts.mapped(moved(shift), columns...), w.charges.mapped(moved(shift), columns...)}
			found[i] = auditTables(rt, t, v.files(), period[i])
		}
		same(rt, found[0], found[1], "charged_at")
	})
}

// hostileIDs are what may stand before an id without changing what it is.
var hostileIDs = []string{"r-", "'; DROP TABLE src_charges; --", "=1+1|", "<script>", "\x1b[2J", "a\nb", "../../", "\u202e", "%s%n", `"quoted"`, ", "}

// Ids are only compared: renamed one to one, to whatever texts, they say the same.
func TestRenamedIDsAreTheSame(t *testing.T) {
	columns := []string{"request_id", "charge_id", "vendor_request_id", "idempotency_key"}
	property(t, func(rt *rapid.T, w hostileWorld) {
		prefix := rapid.SampledFrom(hostileIDs).Draw(rt, "prefix")
		renamed := func(v string) string {
			if saysNothing(v) {
				return v
			}
			return prefix + v // not shuffled: of two that are equal otherwise the lower id comes first
		}
		v := hostileWorld{w.attempts.mapped(renamed, columns...), w.charges.mapped(renamed, columns...)}
		same(rt, auditTables(rt, t, w.files(), Options{}), auditTables(rt, t, v.files(), Options{}), "request_id", "charge_id", "delivered_charge_id", "source_line") // one of the prefixes breaks lines
	})
}

// So are the names of providers and models.
func TestRenamedProvidersAndModelsAreTheSame(t *testing.T) {
	// Before the name itself: a vendor's path and a date behind it are no part of it.
	renamed := func(v string) string {
		if v == "" {
			return v
		}
		i := strings.LastIndexByte(v, '/') + 1
		return v[:i] + "x" + v[i:]
	}
	property(t, func(rt *rapid.T, w hostileWorld) {
		before := auditTables(rt, t, w.files(), Options{})
		for _, l := range before.lines {
			l["provider"], l["model"] = renamed(l["provider"]), renamed(l["model"])
		}
		totals := map[string]string{}
		for k, v := range before.totals { // "northwind/bill USD excess"; what is no provider stays
			if !strings.HasPrefix(k, "all/") && !strings.HasPrefix(k, "unknown/") {
				k = "x" + k
			}
			totals[k] = v
		}
		before.totals = totals
		v := hostileWorld{w.attempts.mapped(renamed, "provider", "model"), w.charges.mapped(renamed, "provider", "model")}
		same(rt, before, auditTables(rt, t, v.files(), Options{}))
	})
}

// jsonLines and logfmt write a table in other syntaxes, field by field.
func (t csvTable) jsonLines() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, r := range t.rows {
		row := map[string]string{}
		for i, name := range t.header {
			if r[i] != "" {
				row[name] = r[i]
			}
		}
		_ = e.Encode(row) // a buffer takes all
	}
	return b.Bytes()
}

func (t csvTable) logfmt() []byte {
	var b bytes.Buffer
	for _, r := range t.rows {
		b.WriteString("level=INFO evt=llm_call")
		for i, name := range t.header {
			if r[i] != "" {
				fmt.Fprintf(&b, " %s=%q", name, r[i])
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// The same rows give the same verdicts, however they are written.
func TestOtherSyntaxesAreTheSame(t *testing.T) {
	file := func(name string, b []byte) File { return File{Input: source.BytesInput(name, b), Role: roleOf(name)} }
	property(t, func(rt *rapid.T, w hostileWorld) {
		tables := auditTables(rt, t, w.files(), Options{})
		var array bytes.Buffer
		array.WriteString(`{"data": [`)
		array.Write(bytes.ReplaceAll(bytes.TrimSpace(w.charges.jsonLines()), []byte("\n"), []byte(",\n")))
		array.WriteString("]}")
		for name, files := range map[string][]File{
			"JSON lines":            {file("attempts", w.attempts.jsonLines()), file("charges", w.charges.jsonLines())},
			"logfmt and JSON array": {file("attempts", w.attempts.logfmt()), file("charges", array.Bytes())},
		} {
			rt.Log(name)
			same(rt, tables, auditTables(rt, t, files, Options{}), "source_file", "source_line")
		}
	})
}
