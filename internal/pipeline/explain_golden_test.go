package pipeline

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrytax/internal/ui"
	"retrytax/internal/words"
)

// goldenIDs are one id of each kind of story, in the folder of testdata/contract that tells it.
var goldenIDs = []struct{ folder, id string }{
	{"timeout_then_success_billed_in_full", "9f2c7a1b4d6e8f03"},
	{"four_charges_from_two_logged_attempts", "9f2c7a1b4d6e8f03"},
	{"hedged_loser_answered_second", "9f2c7a1b4d6e8f03"},
	{"one_id_reused_and_one_call_retried", "trace-5"},
	{"bill_stops_at_40_percent", "9f2c7a1b4d6e8f03"},
	{"cut_when_the_client_left", "9f2c7a1b4d6e8f03"},
	{"other_calls_under_a_known_id", "9f2c7a1b4d6e8f03"},
	{"known_id_far_from_its_attempts", "ch-2"},
	{"outside_the_time_of_the_log", "r-before"},
	{"lost_line_without_a_timeout_in_between", "9f2c7a1b4d6e8f03"},
	{"bill_ends_before_the_retry", "9f2c7a1b4d6e8f03"},
	{"same_line_twice", "ch-1"},
	{"refund_that_names_the_charge", "9f2c7a1b4d6e8f03"},
	{"timed_out_and_recovered_by_a_query", "9f2c7a1b4d6e8f03"},
	{"sdk_retried_inside_one_attempt", "9f2c7a1b4d6e8f03"},
	{"stands_in_where_the_vendor_deduplicated", "9f2c7a1b4d6e8f03"},
	{"connect_timeout_billed_by_number", "9f2c7a1b4d6e8f03"},
	{"gateway_and_sdk_lines_beside_the_application", "9f2c7a1b4d6e8f03"},
	{"vendor_broke_its_idempotency", "9f2c7a1b4d6e8f03"},
	{"one_receipt_under_two_requests", "req-77"},
}

// goldenCase compares what is printed for a person of the ids that are listed for a labelled
// case (TestContract has audited it); -update rewrites the files.
func goldenCase(t *testing.T, a *Audit, folder string) {
	t.Helper()
	for _, g := range goldenIDs {
		if g.folder != folder {
			continue
		}
		goldenStory(t, a, g.id, g.folder+".golden", words.English)
		goldenStory(t, a, g.id, g.folder+".zh", words.Chinese)
	}
}

// goldenStory compares what is printed of one id in a language. The catalogue must have every sentence of it.
func goldenStory(t *testing.T, a *Audit, id, name string, lang words.Lang) {
	t.Helper()
	x, err := a.Explain(context.Background(), id, ExplainOptions{Lang: lang})
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := ui.WriteExplanation(&got, x, ui.Options{Width: 100, Lang: lang}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "explain", name)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("%s (-expected +found):\n%s", path, d)
	}
}

// TestEveryGoldenHasItsCase keeps goldenCase from comparing nothing.
func TestEveryGoldenHasItsCase(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "explain", "*.golden"))
	if err != nil || len(files) != len(goldenIDs) {
		t.Errorf("found %d golden files, expected %d (%v)", len(files), len(goldenIDs), err)
	}
	for _, g := range goldenIDs {
		if _, err := os.Stat(filepath.Join("../../testdata/contract", g.folder, "expect.csv")); err != nil {
			t.Error(err)
		}
	}
}
