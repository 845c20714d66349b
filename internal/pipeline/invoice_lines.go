package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"retrytax/internal/report"
	"retrytax/internal/source"
)

// shownLines is how many lines a warning names; rejects.csv has all.
const shownLines = 5

// say adds a warning.
func (x *InvoiceAudit) say(code, text string) {
	x.Result.Warnings = append(x.Result.Warnings, report.Warning{Code: code, Text: text})
}

// unread names the lines of the invoice that could not be read, and why. What they say of money is in no sum, so the
// invoice is not shown to agree.
func (x *InvoiceAudit) unread(ctx context.Context) error {
	of := "FROM src_rejects r JOIN src_files f USING (file_no) WHERE f.role = 'bills' AND r.file_no >= coalesce(setting('invoice_from'), 0)"
	if !x.named { // a database has files of other months, too
		of += " AND (f.first_at IS NULL OR " + meets("f.first_at", "f.last_at + INTERVAL 1 MICROSECOND") + ")"
	}
	n, err := x.Store.Int(ctx, "SELECT count(*) "+of)
	if err != nil || n == 0 {
		return err
	}
	x.Result.CouldNotRead(n)
	err = x.Store.Query(ctx, "SELECT f.file || ':' || r.source_line || coalesce(': ' || r.reject_column, '') || ': ' || r.reason "+of+
		fmt.Sprintf(" ORDER BY f.file, r.source_line LIMIT %d", shownLines), func(r *sql.Rows) error {
		var text string
		err := r.Scan(&text)
		x.say("rejected_rows", text+": this line of the invoice is in no sum")
		return err
	})
	if err == nil && n > shownLines {
		x.say("rejected_rows", source.Counted(n-shownLines, "more line", "more lines")+" of the invoice could not be read; --out DIR writes them to rejects.csv")
	}
	return err
}

// undated says of which files no column tells a period, and which columns were passed over; their lines were taken for the
// period that was asked for.
func (x *InvoiceAudit) undated(ctx context.Context, first int64) error {
	for _, t := range x.taken {
		if t.dated {
			continue
		}
		var file string
		var n int64
		// Over a database the numbers of these files follow its own.
		err := x.Store.Query(ctx, `SELECT f.file, (SELECT count(*) FROM src_bills b WHERE b.file_no = f.file_no AND b.kind = 'usage' AND b.amount IS NOT NULL)
			FROM src_files f WHERE f.file_no = CAST($1 AS INTEGER) + greatest($2 - 1, 0) AND f.role = 'bills'`, func(r *sql.Rows) error { return r.Scan(&file, &n) }, t.no, first)
		if err != nil {
			return err
		}
		if n == 0 {
			continue // the next file may have some
		}
		x.Result.Undated += n
		text := file + ": no column tells a period: " + source.Counted(n, "line was", "lines were") + " taken for " + x.opts.Period
		if len(t.unread) > 0 {
			text += ". Not read: " + strings.Join(t.unread[:min(len(t.unread), 10)], ", ") + "; if one of them is the period, --map 'period_start=NAME' reads it"
		}
		x.say("no_period", text)
	}
	return nil
}

// replaced says which lines of the invoice were left out because a newer file of it tells the same otherwise.
func (x *InvoiceAudit) replaced(ctx context.Context) error {
	var lines []string
	var tied string
	err := x.Store.Query(ctx, `SELECT f.file || ':' || o.source_line || coalesce(' (' || money_text(o.amount) || ')', ''), n.file || ':' || s.source_line || coalesce(' (' || money_text(s.amount) || ')', ''),
			f.last_at IS NOT DISTINCT FROM n.last_at AND f.run_no = n.run_no
		FROM src_bills o JOIN src_files f ON f.file_no = o.file_no JOIN src_files n ON n.file_no = o.superseded_by
		JOIN src_bills s ON s.file_no = o.superseded_by AND s.provider IS NOT DISTINCT FROM o.provider AND s.api_key IS NOT DISTINCT FROM o.api_key AND s.model IS NOT DISTINCT FROM o.model
			AND s.token_type IS NOT DISTINCT FROM o.token_type AND s.period_start = o.period_start AND s.period_end = o.period_end
		WHERE o.file_no >= coalesce(setting('invoice_from'), 0) AND o.superseded_by >= coalesce(setting('invoice_from'), 0)
			AND (getvariable('invoice_named') IS NOT NULL OR `+meets("o.period_start", "o.period_end")+`)
			AND NOT EXISTS (SELECT 1 FROM src_bills e WHERE e.file_no = o.superseded_by AND e.provider IS NOT DISTINCT FROM o.provider AND e.api_key IS NOT DISTINCT FROM o.api_key
				AND e.model IS NOT DISTINCT FROM o.model AND e.token_type IS NOT DISTINCT FROM o.token_type AND e.period_start = o.period_start AND e.period_end = o.period_end
				AND e.amount IS NOT DISTINCT FROM o.amount AND e.quantity IS NOT DISTINCT FROM o.quantity AND e.currency = o.currency AND e.kind = o.kind)
		ORDER BY f.file, o.source_line, n.file, s.source_line`, func(r *sql.Rows) error {
		var old, new string
		var tie bool
		err := r.Scan(&old, &new, &tie)
		lines = append(lines, old+" → "+new)
		if tie && tied == "" {
			tied = old + " and " + new
		}
		return err
	})
	if err != nil || len(lines) == 0 {
		return err
	}
	if tied != "" {
		return &source.Error{File: strings.SplitN(tied, ":", 2)[0], Found: "two files that tell the same total otherwise, and neither is newer: " + tied, Expected: "one of them", Kind: source.ErrUnrecognised,
			Hint: "name the one that counts; of exports that follow each other the one counts that reaches furthest"}
	}
	x.say("replaced_lines", "lines of the invoice that were left out for those of a file that reaches further: "+strings.Join(lines[:min(len(lines), shownLines)], ", "))
	if more := len(lines) - shownLines; more > 0 {
		x.say("replaced_lines", "and "+source.Counted(int64(more), "more line", "more lines"))
	}
	return nil
}
