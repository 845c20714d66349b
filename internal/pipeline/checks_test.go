package pipeline

import (
	"context"
	"errors"
	"strings"
	"testing"

	"retrytax/internal/report"
)

// A book that does not add up must be refused, with the rows that show it.
func TestBooksThatDoNotAddUpAreRefused(t *testing.T) {
	ctx := context.Background()
	a := audit(t, "../../testdata/contract/four_charges_from_two_logged_attempts", true)
	defer a.Store.Close()
	for name, damage := range map[string]string{
		"every_line_has_one_verdict": "DELETE FROM fct_verdicts WHERE row_id = (SELECT min(row_id) FROM fct_verdicts)",
		"ledger_identity":            "UPDATE rpt_totals SET delivered = delivered + 0.000000000001",
		"excess_fits_the_verdict":    "UPDATE fct_verdicts SET excess = 0 WHERE verdict = 'timeout_retry'",
		"one_charge_per_attempt":     "INSERT INTO int_matches SELECT * REPLACE (-1 AS charge_no) FROM int_matches WHERE NOT hidden",
		"loaded_rows_are_there":      "DELETE FROM src_charges WHERE row_id = (SELECT min(row_id) FROM src_charges)",
	} {
		t.Run(name, func(t *testing.T) {
			var r *report.Audit
			err := a.Store.InTransaction(ctx, func() (err error) { // its error takes the damage back
				if err = a.Store.Exec(ctx, damage); err != nil {
					return err
				}
				r, err = a.Report(ctx)
				return err
			})
			var failed *ChecksError
			if !errors.As(err, &failed) {
				t.Fatalf("got error %v, expected failed checks", err)
			}
			if !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "=") {
				t.Errorf("the message names neither the check nor a row:\n%v", err)
			}
			if r == nil || len(r.Checks) < 16 {
				t.Error("the report to show is missing its checks")
			}
		})
	}
}
