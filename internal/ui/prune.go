package ui

import (
	"io"
	"strings"

	"retrytax/internal/report"
)

// WritePruned prints what prune has kept and what it has taken out.
func WritePruned(w io.Writer, x *report.Pruned, opts Options) error {
	p := newPage(opts)
	p.text("retrytax prune · "+Clean(x.Database)+" · run "+count(x.Run), "  ", bold)
	p.blank()
	p.text("Taken out: "+counted(x.Attempts, "attempt", "attempts")+", "+counted(x.Charges, "charge line", "charge lines")+
		" before "+x.Before.Format("2006-01-02 15:04")+" ("+short(x.Zone)+")", "  ", normal)
	if len(x.Reports) > 0 {
		p.text("Kept before, with their findings: the reports of "+strings.Join(x.Reports, ", "), "  ", normal)
	}
	p.text(counted(x.Kept, "report is", "reports are")+" kept in all; retrytax report --period answers from them", "  ", normal)
	p.blank()
	next := "retrytax status --db " + Clean(x.Database) + ConfigFlag(x.ConfigFile) + " shows what is left"
	if !x.Reconciled {
		next = "retrytax reconcile --db " + Clean(x.Database) + ConfigFlag(x.ConfigFile) + " takes out what was derived from the rows that went"
	}
	p.text("Next: "+next, "  ", normal)
	_, err := io.WriteString(w, p.b.String())
	return err
}
