package main

import (
	"bytes"
	"context"

	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/ui"
)

// finishKept answers from a report that prune has kept: the same bytes as when its rows were
// there, its summary as text, and its findings. Workbook, page, letters and verdicts.csv need the rows.
func finishKept(ctx context.Context, e env, o ReportOptions, text []byte, limit *failLimit, opts pipeline.Options, err error) error {
	if err != nil {
		return err
	}
	r, err := pipeline.DecodeKept(text)
	if err != nil {
		return err
	}
	var written []string
	if o.Out != "" {
		if written, err = writeKept(ctx, o, text, r, opts); err != nil {
			return err
		}
	}
	if o.JSON {
		_, err = e.out.Write(text)
	} else {
		err = ui.WriteSummary(e.out, r, ui.Extra{Written: written, Command: "report", PaidBook: opts.Config.PaidBook.Value,
			Next: keptNext(o.Out)}, terminalIn(e.out, o.output.lang))
	}
	if err != nil {
		return unprinted(err, written)
	}
	return limit.check(r, opts.Config.PaidBook.Value)
}

// writeKept writes what is kept of a report to its folder.
func writeKept(ctx context.Context, o ReportOptions, text []byte, r *report.Audit, opts pipeline.Options) ([]string, error) {
	findings, err := pipeline.KeptFindings(ctx, o.store(), opts)
	if err != nil {
		return nil, err
	}
	if o.output.BOM {
		findings = append([]byte("\ufeff"), findings...)
	}
	var summary bytes.Buffer
	if err := ui.WriteSummary(&summary, r, ui.Extra{Command: "report", PaidBook: opts.Config.PaidBook.Value, Next: keptNext(o.Out)}, ui.Options{Lang: o.output.lang}); err != nil {
		return nil, err
	}
	return pipeline.WriteKept(ctx, o.Out, []pipeline.NamedFile{{Name: "audit.json", Content: text}, {Name: "findings.csv", Content: findings}, {Name: "summary.txt", Content: summary.Bytes()}})
}

// keptNext says what of a pruned period there is, and what is not.
func keptNext(out string) string {
	if out == "" {
		return "the rows of this period were pruned; --out DIR writes what is kept of it: the report as audit.json, its summary, and its findings"
	}
	return "the rows of this period were pruned: findings.csv has every line that should not have been paid or is in doubt; workbook, page, letters and verdicts.csv cannot be written without the rows"
}
