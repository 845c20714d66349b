package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"retrytax/internal/config"
	"retrytax/internal/source"
	"retrytax/internal/store"
)

// gatewayRow writes the n-th row of a gateway's file: a try of a trace, which may name the caller's request.
type gatewayRow func(n int, at time.Time, trace, name string, failed bool) string

var gatewayRows = map[string]gatewayRow{
	"litellm-spend-logs": func(n int, at time.Time, trace, name string, failed bool) string {
		return fmt.Sprintf(`{"request_id":"id-%d","call_type":"acompletion","spend":0.001,"prompt_tokens":800,"completion_tokens":40,"startTime":%q,"endTime":%q,"model":"m-large","session_id":%q,"status":%q,"metadata":{"spend_logs_metadata":%s}}`,
			n, at.Format(time.RFC3339), at.Add(time.Second).Format(time.RFC3339), trace, word(failed, "failure", "success"), tagged(name))
	},
	"litellm-payloads": func(n int, at time.Time, trace, name string, failed bool) string {
		return fmt.Sprintf(`{"id":"id-%d","trace_id":%q,"call_type":"acompletion","response_cost":0.001,"prompt_tokens":800,"completion_tokens":40,"startTime":%d.5,"endTime":%d.5,"model":"m-large","status":%q,"metadata":{"spend_logs_metadata":%s}}`,
			n, trace, at.Unix(), at.Unix()+1, word(failed, "failure", "success"), tagged(name))
	},
	"langfuse-observations": func(n int, at time.Time, trace, name string, failed bool) string {
		return fmt.Sprintf(`{"id":"obs-%d","traceId":%q,"type":"GENERATION","startTime":%q,"endTime":%q,"level":%q,"model":"m-large","totalCost":0.001,"usageDetails":{"input":800,"output":40,"total":840},"metadata":%s}`,
			n, trace, at.Format(time.RFC3339), at.Add(time.Second).Format(time.RFC3339), word(failed, "ERROR", "DEFAULT"), tagged(name))
	},
}

func word(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

func tagged(name string) string {
	if name == "" {
		return "{}"
	}
	return fmt.Sprintf(`{"request_id":%q}`, name)
}

// A failed try that takes its trace's request id is the same row in every export: with the row that has the
// id or without, on whatever night and in whatever order they come, and as in one file.
func TestTracesInAnyOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a few ingests")
	}
	t.Parallel()
	fewWorlds.Do(func() { setUnasked(t) })
	rapid.Check(t, func(rt *rapid.T) {
		format := rapid.SampledFrom(slices.Sorted(maps.Keys(gatewayRows))).Draw(rt, "format")
		rows := drawTraces(rt, gatewayRows[format])
		want := landedRows(rt, format, []string{strings.Join(rows, "\n") + "\n"}, 1)
		var files []string
		for i := range 4 { // three parts, and one more; together they hold every row
			from, to := len(rows)*i/3, len(rows)*(i+1)/3
			if i == 3 {
				from, to = rapid.IntRange(0, len(rows)-1).Draw(rt, "from"), len(rows)
			}
			from = max(0, from-rapid.IntRange(0, 3).Draw(rt, "overlap"))
			if from < to {
				files = append(files, strings.Join(rows[from:to], "\n")+"\n")
			}
		}
		order := rapid.Permutation(files).Draw(rt, "order")
		got := landedRows(rt, format, order, rapid.IntRange(1, len(order)).Draw(rt, "nights"))
		if d := cmp.Diff(want, got); d != "" {
			rt.Fatalf("rows of %s (-once +in parts):\n%s", format, d)
		}
	})
}

// drawTraces makes the rows of some traces: no name in one, one name in most, two in a few.
func drawTraces(rt *rapid.T, row gatewayRow) (rows []string) {
	at := time.Date(2026, 10, 3, 12, 0, 0, 0, time.UTC)
	for trace := range rapid.IntRange(1, 4).Draw(rt, "traces") {
		names := []string{"", fmt.Sprintf("order-%d", trace), fmt.Sprintf("other-%d", trace)}[:rapid.IntRange(1, 3).Draw(rt, "names")]
		for range rapid.IntRange(1, 4).Draw(rt, "tries") {
			at = at.Add(10 * time.Second)
			rows = append(rows, row(len(rows), at, fmt.Sprintf("trace-%d", trace), rapid.SampledFrom(names).Draw(rt, "name"), rapid.Bool().Draw(rt, "failed")))
		}
	}
	return rows
}

// landedRows delivers the files on so many nights, and shows the rows that are there in the end.
func landedRows(rt *rapid.T, format string, files []string, nights int) (lines []string) {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Threads: 1})
	if err != nil {
		rt.Fatal(err)
	}
	defer s.Close()
	for night := range nights {
		var tonight []File
		for i, text := range files {
			if i*nights/len(files) == night {
				tonight = append(tonight, File{Input: source.BytesInput(fmt.Sprintf("export-%d.jsonl", i), []byte(text))})
			}
		}
		out, err := Ingest(ctx, &Living{Store: s}, tonight, Options{Config: config.Default(), Now: testClock, Threads: 1})
		if err != nil {
			rt.Fatalf("night %d: %v", night, err)
		}
		for _, f := range out.Files {
			if f.Format != "" && f.Format != format || f.Rows != f.Loaded+f.Known+f.Ignored+f.Rejected {
				rt.Fatalf("%+v: not of %s, or its rows do not add up", f, format)
			}
		}
	}
	err = s.Query(ctx, `SELECT concat_ws(' ', 'attempt', request_id, vendor_request_id, started_at, outcome) FROM src_attempts
		UNION ALL SELECT concat_ws(' ', 'charge', charge_id, request_id, charged_at, amount) FROM src_charges WHERE superseded_by IS NULL ORDER BY 1`,
		scanText(&lines))
	if err != nil {
		rt.Fatal(err)
	}
	return lines
}
