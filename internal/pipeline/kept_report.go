package pipeline

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
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

// KeptFindings are the lines of a kept report that should not have been paid or are in doubt, as findings.csv: the columns of
// verdicts.csv, in its order.
func KeptFindings(ctx context.Context, so store.Options, o Options) (text []byte, err error) {
	s, err := openReading(ctx, so)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	columns := []string{"provider", "book", "charge_id", "line_item", "charged_at", "model", "request_id", "attempt", "verdict", "recovery", "rerouted",
		"amount", "currency", "excess", "settled", "match", "confidence", "delivered_charge_id", "reason", "source_file", "source_line"}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if err := w.Write(columns); err != nil {
		return nil, err
	}
	err = s.Query(ctx, `SELECT cell_text(provider), book, cell_text(charge_id), cell_text(line_item), time_text(charged_at), cell_text(model), cell_text(request_id),
			CAST(attempt AS VARCHAR), verdict, recovery, CAST(rerouted AS VARCHAR), money_text(amount), currency, CASE WHEN excess = 0 THEN '0' ELSE money_text(excess) END,
			CAST(settled AS VARCHAR), match, CASE WHEN confidence = 1 THEN '1' ELSE money_text(confidence) END, cell_text(delivered_charge_id), reason, cell_text(source_file),
			CAST(source_line AS VARCHAR)
		FROM pub_findings WHERE report_no = (SELECT max(report_no) FROM pub_reports WHERE period = ? AND zone = ? AND closed) ORDER BY line_no`, func(r *sql.Rows) error {
		cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := r.Scan(into...); err != nil {
			return err
		}
		line := make([]string, len(columns))
		for i, c := range cells {
			line[i] = c.String
		}
		return w.Write(line)
	}, o.Period, o.zone())
	if err != nil {
		return nil, fileError(err)
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// DecodeKept reads a kept report again.
func DecodeKept(text []byte) (*report.Audit, error) { return report.Decode(text) }
