package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"retrytax/internal/source"
	"retrytax/internal/ui"
)

// format is one thing that can be read, and how it is told from others.
type format struct {
	Name, What, Marks string
	Role              source.Role
	Vendor            *source.Format // nil where columns are found by their names
}

var formats = []format{
	{"retrytax-attempts", "attempt log in the canonical columns: CSV (comma, semicolon, tab), JSON lines, JSON array, Parquet (its lines are row numbers)",
		"columns for a time and for one of outcome, status, http_status, reason; more of an attempt's own columns than of a bill's", source.Attempts, nil},
	{"retrytax-charges", "billing export in the canonical columns: CSV (comma, semicolon, tab), JSON lines, JSON array, Parquet (its lines are row numbers)",
		"columns for charged_at and for amount", source.Charges, nil},
	{"retrytax-bills", "totals by the day, key and model, or lines of an invoice, in the canonical columns: CSV (comma, semicolon, tab), JSON lines, JSON array, Parquet (its lines are row numbers)",
		"columns for period_start and for one of amount, quantity, requests, where there are none of a log or a billing export; with requests, where no column names single requests", source.Bills, nil},
	{"logfmt", "log lines of key=value pairs, whatever prefix stands before them",
		"evt=llm_call, or a request id with one of result, outcome, status, reason, attempt, elapsed_ms; other lines are ignored and counted", source.Attempts, nil},
	{"python-text", "log lines of a Python client: request_id=… attempt=0 success cost=1.23s, and request_id=… attempt=0 timeout=60.06 error=… status=None",
		"these words in this order, behind any prefix that has a time: one with a zone counts first, then one with a date; attempts count from 0, status is an earlier attempt's, and refused attempts have no line", source.Attempts, nil},
	{"python-json", "log lines of a time and a JSON object, as logging's %(asctime)s %(message)s writes them",
		"an object behind a prefix without pairs, with a model or an id and one of status, error, latency_ms; the time ahead of it counts; prompt_len is characters and is not read", source.Attempts, nil},
}

// allFormats are those above, and those that have a query file.
func allFormats() []format {
	all := slices.Clone(formats)
	for _, f := range source.AllFormats() {
		all = append(all, format{Name: f.Name, What: f.What, Marks: f.Marks(), Role: f.Roles[0], Vendor: f})
	}
	return all
}

func newFormatsCommand(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "formats [NAME]",
		Short: "List what can be read, how it is recognised, and all column aliases",
		Args:  cobra.MaximumNArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return runFormats(e.out, args) },
	}
}

func formatNames() string {
	all := allFormats()
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

// printVendor says what a format gives, or why it is not read.
func printVendor(w io.Writer, f *source.Format) {
	var roles []string
	for _, r := range f.Roles {
		roles = append(roles, string(r))
	}
	switch {
	case f.Refused != "":
		fmt.Fprintf(w, "  not read: expected %s\n", f.Refused)
	case f.Priced:
		fmt.Fprintf(w, "  gives: %s; the amounts come from a price list (--prices)\n", strings.Join(roles, ", "))
	default:
		fmt.Fprintf(w, "  gives: %s\n", strings.Join(roles, ", "))
	}
}

func runFormats(w io.Writer, args []string) error {
	found := false
	for _, f := range allFormats() {
		if len(args) == 1 && args[0] != f.Name {
			continue
		}
		found = true
		fmt.Fprintf(w, "%s\n  %s\n  recognised by: %s\n", f.Name, f.What, f.Marks)
		switch {
		case f.Vendor != nil:
			printVendor(w, f.Vendor)
		case len(args) == 1:
			fmt.Fprintf(w, "  columns, and the names under which they are found (case, dots, dashes and underscores do not matter):\n")
			for _, a := range source.Aliases(f.Role) {
				fmt.Fprintf(w, "    %-20s %s\n", a.Column, strings.Join(a.Names, ", "))
			}
		}
	}
	if !found {
		return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("found no format %q, expected one of %s", args[0], formatNames()),
			Hint: "retrytax formats lists them"}
	}
	if len(args) == 0 {
		fmt.Fprintln(w, "\nretrytax formats NAME lists a format's columns and their aliases.")
	}
	return nil
}
