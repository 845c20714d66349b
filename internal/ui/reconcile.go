package ui

import (
	"fmt"
	"io"

	"retrytax/internal/report"
)

// WriteReconciled says what a reconcile of a database has done.
func WriteReconciled(w io.Writer, r *report.Reconciled) error {
	text := ""
	switch {
	case !r.Everything && r.Changes == 0:
		text = fmt.Sprintf("%s: nothing has changed since the last reconcile\n", Clean(r.Database))
	case r.Everything:
		text = fmt.Sprintf("%s: looked at everything: %d log lines and %d bill lines\n", Clean(r.Database), r.Attempts, r.Charges)
	default:
		text = fmt.Sprintf("%s: %d changes; looked at %d log lines and %d bill lines that they concern\n", Clean(r.Database), r.Changes, r.Attempts, r.Charges)
	}
	for _, n := range r.Warnings {
		text += "  " + Clean(n) + "\n"
	}
	_, err := io.WriteString(w, text+"next: retrytax report --db "+Clean(r.Database)+"\n")
	return err
}
