package pipeline

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"retrytax/internal/report"
	"retrytax/internal/store"
)

// KeptReport is the report of a period whose rows prune has taken out, as it was kept: the
// text of audit.json, byte for byte. It is nil where the rows are there. A period of which rows
// are gone and no report was kept is a *NothingError.
func KeptReport(ctx context.Context, so store.Options, o Options) (text []byte, err error) {
	if o.Period == "" {
		return nil, nil
	}
	from, _, err := ParsePeriod(o.Period, o.zone())
	if err != nil {
		return nil, err
	}
	s, err := openReading(ctx, so)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	gone, err := s.Int(ctx, "SELECT count(*) FROM src_meta WHERE pruned_before > ?", from.UTC())
	if err != nil || gone == 0 {
		return nil, fileError(err)
	}
	if o.Scope == (Scope{}) {
		err = s.Query(ctx, "SELECT json FROM pub_reports WHERE period = ? AND zone = ? AND closed ORDER BY report_no", func(r *sql.Rows) error {
			var kept string
			err := r.Scan(&kept)
			text = []byte(kept)
			return err
		}, o.Period, o.zone())
	}
	if err != nil || text != nil {
		return text, fileError(err)
	}
	kept := ""
	err = s.Query(ctx, "SELECT period, zone FROM pub_reports WHERE closed ORDER BY report_no", func(r *sql.Rows) error {
		var period, zone string
		err := r.Scan(&period, &zone)
		kept += fmt.Sprintf(" %s (%s)", period, zone)
		return err
	})
	if err != nil {
		return nil, fileError(err)
	}
	return nil, &NothingError{"rows that were pruned and no report that was kept of " + o.Period + " in " + o.zone(), "one of those that are kept:" + kept,
		"retrytax report --period MONTH --zone ZONE of one of these"}
}

// DecodeKept reads a kept report again.
func DecodeKept(text []byte) (*report.Audit, error) { return report.Decode(text) }
