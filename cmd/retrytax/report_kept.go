package main

import (
	"context"

	"retrytax/internal/pipeline"
	"retrytax/internal/ui"
)

// finishKept answers from a report that prune has kept: the same bytes as when its rows were
// there. Its verdicts and its workbook are not written again.
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
		if written, err = pipeline.WriteFolder(ctx, o.Out, []pipeline.NamedFile{{Name: "audit.json", Content: text}}); err != nil {
			return err
		}
	}
	if o.JSON {
		_, err = e.out.Write(text)
	} else {
		err = ui.WriteSummary(e.out, r, ui.Extra{Written: written, Command: "report", PaidBook: opts.Config.PaidBook.Value,
			Next: "the rows of this period were pruned; its findings are in the table pub_findings of the database"}, terminal(e.out))
	}
	if err != nil {
		return unprinted(err, written)
	}
	return limit.check(r, opts.Config.PaidBook.Value)
}
