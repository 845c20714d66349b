package pipeline

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrytax/internal/parts"
	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
)

// roundTrips are cases in which something could be lost on the way: what a log implies,
// numbers from 0, several files, stages that were derived, cached tokens, exact money.
var roundTrips = []string{
	"../october", "bill_in_local_time_by_profile", "cached_tokens_outside_the_input", "connect_timeout_billed_without_output",
	"estimate_beside_the_bill", "gateway_and_sdk_lines_beside_the_application", "ids_that_say_nothing",
	"last_line_is_retryable_below_the_maximum", "line_items_of_one_charge", "line_without_a_date_after_midnight",
	"lines_of_both_articles_in_one_log", "log_counts_from_0_and_bill_from_1", "lost_line_with_a_timeout_in_between",
	"python_json_has_no_request_id", "python_text_attempt_0_was_refused", "refund_larger_than_the_excess", "same_line_twice",
	"timed_out_and_recovered_by_a_query", "twenty_digit_ids_that_differ_in_the_last_digit",
}

// The tables that an audit writes give the same audit when they are read again.
func TestParquetRoundTrip(t *testing.T) {
	for _, name := range parts.Of(t, roundTrips, 6) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("../../testdata/contract", name)
			first := auditOf(t, dir, dir)
			defer first.Store.Close()
			out := t.TempDir()
			if err := report.WriteParquet(context.Background(), first.Store, out); err != nil {
				t.Fatal(err)
			}
			second := auditOf(t, dir, out)
			defer second.Store.Close()
			want, got := unplaced(t, first.Store), unplaced(t, second.Store)
			if len(want) == 0 {
				t.Fatal("no line has a verdict")
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("verdicts (-from the files +from Parquet):\n%s", d)
			}
		})
	}
}

// unplaced are the lines of verdicts.csv without file and line.
func unplaced(t *testing.T, s *store.Store) (lines []string) {
	t.Helper()
	err := s.Query(context.Background(), `SELECT CAST(to_json(v) AS VARCHAR) FROM (SELECT * EXCLUDE (source_file, source_line, sort_row) FROM rpt_verdicts) v ORDER BY 1`,
		func(r *sql.Rows) error {
			var l string
			err := r.Scan(&l)
			lines = append(lines, l)
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// The same inputs give the same bytes, whatever the number of threads, and no type is lost.
func TestParquetFiles(t *testing.T) {
	ctx := context.Background()
	dirs := []string{t.TempDir(), t.TempDir()}
	for i, dir := range dirs {
		a := auditOf(t, "../../testdata/october", "../../testdata/october")
		defer a.Store.Close()
		if err := a.Store.Exec(ctx, "SET threads = "+string(rune('1'+i))); err != nil {
			t.Fatal(err)
		}
		if err := report.WriteParquet(ctx, a.Store, dir); err != nil {
			t.Fatal(err)
		}
	}
	s, err := store.Open(ctx, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var types []string
	for _, f := range report.ParquetFiles {
		one, err := os.ReadFile(filepath.Join(dirs[0], f))
		if err != nil {
			t.Fatal(err)
		}
		if two, _ := os.ReadFile(filepath.Join(dirs[1], f)); !bytes.Equal(one, two) {
			t.Errorf("%s differs between one and two threads", f)
		}
		err = s.Query(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet("+store.Literal(filepath.Join(dirs[0], f))+"))", func(r *sql.Rows) error {
			var name, kind string
			err := r.Scan(&name, &kind)
			if kind == "DOUBLE" || kind == "FLOAT" || strings.HasSuffix(name, "_at") && kind != "TIMESTAMP WITH TIME ZONE" {
				t.Errorf("%s: %s is %s", f, name, kind)
			}
			if f != "verdicts.parquet" {
				types = append(types, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	// The contract's order; what a reader needs besides stands behind it.
	want := "request_id, attempt, max_attempts, layer, kind, started_at, ended_at, elapsed_ms, stage, outcome, reason, " +
		"http_status, retry_after_ms, provider, model, vendor_request_id, idempotency_key, input_tokens, cached_input_tokens, output_tokens, " +
		"streamed, api_key, source_file, source_line, retryable, counts_from, unlogged, " +
		"provider, book, charge_id, line_item, request_id, attempt, vendor_request_id, idempotency_key, charged_at, model, " +
		"input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, unit_price, amount, currency, kind, " +
		"finish_reason, cancelled, generation_ms, api_key, source_file, source_line, counts_from, cache_write_tokens, service_tier"
	if d := cmp.Diff(want, strings.Join(types, ", ")); d != "" {
		t.Error(d)
	}
}

// auditOf audits the files of a folder under the configuration of another.
func auditOf(t *testing.T, configDir, dir string) *Audit {
	t.Helper()
	cfg := caseConfig(t, configDir)
	var files []File
	names, err := filepath.Glob(filepath.Join(dir, "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if base := filepath.Base(n); !strings.HasPrefix(base, "attempts") && !strings.HasPrefix(base, "charges") && filepath.Ext(base) != ".log" {
			continue
		}
		in, err := source.NewInput(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		in.Name = filepath.Base(n)
		files = append(files, File{Input: in})
	}
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Run(ctx, s, files, Options{Config: cfg, Now: testClock, Threads: 1})
	if err != nil {
		s.Close()
		t.Fatal(err)
	}
	return a
}
