package ui

import (
	"io"
	"strings"

	"retrytax/internal/report"
)

// WriteReconciled says what a reconcile of a database has done.
func WriteReconciled(w io.Writer, r *report.Reconciled) error {
	many := func(n int64, one, more string) string {
		return strings.ReplaceAll(counted(n, one, more), string(noBreak), " ")
	}
	lines := many(r.Attempts, "log line", "log lines") + " and " + many(r.Charges, "bill line", "bill lines")
	them := "them"
	if r.Changes == 1 {
		them = "it"
	}
	text := ""
	switch {
	case !r.Everything && r.Changes == 0:
		text = Clean(r.Database) + ": nothing has changed since the last reconcile\n"
	case r.Everything:
		text = Clean(r.Database) + ": looked at everything: " + lines + "\n"
	default:
		text = Clean(r.Database) + ": " + many(r.Changes, "change", "changes") + "; looked at " + lines + " that hang on " + them + "\n"
	}
	for _, n := range r.Warnings {
		text += "  " + Clean(n) + "\n"
	}
	_, err := io.WriteString(w, text+"next: retrytax report --db "+Clean(r.Database)+ConfigFlag(r.ConfigFile)+"\n")
	return err
}
