package pipeline

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"

	"retrytax/internal/report"
	"retrytax/internal/ui"
)

var (
	explainCases = flag.Bool("explain", true, "explain the ids of the labelled cases")
	explainAll   = flag.Bool("explain-all", false, "explain each id of the labelled cases by itself as well")
)

// explainCase explains the ids of a labelled case (TestContract has audited it). Each charge
// is told with the verdict that the audit gives it, and each explanation can be printed. Every
// id is looked up by itself, and what all of them found is told at once: one explanation takes
// a dozen queries, however much it tells.
func explainCase(t *testing.T, a *Audit) {
	t.Helper()
	ctx := context.Background()
	ids := everyID(t, a)
	told := map[string]string{}
	if *explainAll {
		for _, id := range ids {
			x, err := a.Explain(ctx, id, ExplainOptions{})
			if err != nil {
				t.Fatalf("%q: %v", id, err)
			}
			explanation(t, id, x, told)
		}
	}
	x, err := explainTogether(ctx, a, ids)
	if err != nil {
		t.Fatal(err)
	}
	explanation(t, strings.Join(ids, ", "), x, told)
	for line, want := range verdictsByLine(t, a) {
		if told[line] == "" && !strings.HasSuffix(line, " no id") {
			t.Errorf("%s: told under no id, expected %s", line, want)
		}
		if got := told[line]; got != "" && got != want {
			t.Errorf("%s: told as %s, expected %s", line, got, want)
		}
	}
}

// explainTogether looks every id up and tells what all of them found as if one had.
func explainTogether(ctx context.Context, a *Audit, ids []string) (*report.Explanation, error) {
	for i, id := range ids {
		if _, err := find(ctx, a.Store, id, ExplainOptions{}); err != nil {
			return nil, fmt.Errorf("%q: %w", id, err)
		}
		into := "INSERT INTO every_hit"
		if i == 0 {
			into = "CREATE OR REPLACE TEMP TABLE every_hit AS"
		}
		if err := a.Store.Exec(ctx, into+" FROM "+hitsTable); err != nil {
			return nil, err
		}
	}
	if err := a.Store.Exec(ctx, "CREATE OR REPLACE TABLE "+hitsTable+" AS SELECT DISTINCT * FROM every_hit"); err != nil {
		return nil, err
	}
	x, err := tell(ctx, a.Store, a.Location(), "")
	if err != nil {
		return nil, err
	}
	x.ID = "all ids"
	x.Note()
	return x, nil
}

// explanation holds one explanation to telling all of its calls, with reasons, in print.
func explanation(t *testing.T, id string, x *report.Explanation, told map[string]string) {
	t.Helper()
	if len(x.Calls) == 0 || int64(len(x.Calls)) != x.Named {
		t.Errorf("%q: told %d of %d calls, expected all", id, len(x.Calls), x.Named)
	}
	for _, c := range x.Calls {
		explained(t, id, c, told)
	}
	printed(t, id, x)
}

// explained holds every charge to having a reason, and notes its verdict by its lines.
func explained(t *testing.T, id string, c report.ExplainedCall, told map[string]string) {
	t.Helper()
	for _, ch := range c.Charges {
		if ch.Why == "" || strings.Contains(ch.Why, "%!") {
			t.Errorf("%q, charge %q: why is %q, expected a sentence", id, ch.ChargeID, ch.Why)
		}
		if !ch.Settled && len(ch.Unsettled) == 0 {
			t.Errorf("%q, charge %q is not settled, and nothing says why", id, ch.ChargeID)
		}
		for _, change := range ch.Changes {
			if strings.Contains(change.Text, "%!") || strings.Contains(change.Text, "unknown time") {
				t.Errorf("%q, charge %q: would have changed it: %q", id, ch.ChargeID, change.Text)
			}
		}
		for _, l := range ch.Lines {
			told[fmt.Sprintf("%s:%d", l.SourceFile, l.SourceLine)] = fmt.Sprintf("%s %s %s %s settled=%v",
				ch.Verdict, ch.Reason, ch.Recovery, ch.Match, ch.Settled)
		}
	}
}

// printed holds both outputs to being made, and no line to being wider than asked for.
func printed(t *testing.T, id string, x *report.Explanation) {
	t.Helper()
	b, err := x.JSON()
	if err != nil || !json.Valid(b) {
		t.Errorf("%q: JSON: %v", id, err)
	}
	for _, width := range []int{60, 97} {
		var out bytes.Buffer
		if err := ui.WriteExplanation(&out, x, ui.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if ui.Width(line) > width {
				t.Errorf("%q: a line of %d columns, expected at most %d: %s", id, ui.Width(line), width, line)
			}
		}
	}
}

func verdictsByLine(t *testing.T, a *Audit) map[string]string {
	out := map[string]string{}
	err := a.Store.Query(context.Background(), `SELECT f.file, v.source_line, v.verdict, v.reason, v.recovery, v.match, v.settled,
			coalesce(v.charge_id, c.request_id, c.vendor_request_id) IS NULL
		FROM fct_verdicts v JOIN src_files f USING (file_no) JOIN int_charge_lines c ON c.row_id = v.row_id`, func(r *sql.Rows) error {
		var file, verdict, reason, recovery, match string
		var line int64
		var settled, nameless bool
		err := r.Scan(&file, &line, &verdict, &reason, &recovery, &match, &settled, &nameless)
		key := fmt.Sprintf("%s:%d", file, line)
		if nameless {
			key += " no id"
		}
		out[key] = fmt.Sprintf("%s %s %s %s settled=%v", verdict, reason, recovery, match, settled)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// everyID lists the ids of a case: request ids, receipts and charge ids.
func everyID(t *testing.T, a *Audit) (out []string) {
	err := a.Store.Query(context.Background(), `SELECT DISTINCT id FROM (
			SELECT request_id AS id FROM src_attempts UNION ALL SELECT vendor_request_id FROM src_attempts
			UNION ALL SELECT request_id FROM int_charge_lines UNION ALL SELECT vendor_request_id FROM int_charge_lines
			UNION ALL SELECT charge_id FROM fct_verdicts)
		WHERE id IS NOT NULL ORDER BY id`, func(r *sql.Rows) error {
		var id string
		err := r.Scan(&id)
		out = append(out, id)
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("found no ids (%v)", err)
	}
	return out
}
