package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"retrytax/internal/source"
	"retrytax/internal/ui"
	"retrytax/queries"
	"retrytax/testdata"
)

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

// printVendor says what a format gives, or why it is not read; in full, also what is read of it and how.
func printVendor(w io.Writer, f *source.Format, full bool) {
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
	if !full {
		return
	}
	head := queries.Head(f.Query.SQL)
	for _, part := range []struct{ name, key string }{{"units", "Units"}, {"traps", "Rule"}, {"columns", "Columns"}} {
		if head[part.key] != "" {
			fmt.Fprintf(w, "  %s: %s\n", part.name, head[part.key])
		}
	}
	fmt.Fprintf(w, "  the query: queries/%s\n", f.Query.Path)
	printSample(w, testdata.Sample(f.Name))
}

// What is shown of a sample: its first lines, and the beginning of a long one.
const (
	sampleLines = 12
	sampleWidth = 320
)

// printSample prints the head of a file.
func printSample(w io.Writer, text string) {
	if text == "" {
		return
	}
	fmt.Fprintln(w, "  a sample:")
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		if n++; n > sampleLines {
			fmt.Fprintln(w, "    …")
			return
		}
		line = strings.TrimRight(line, "\r\n")
		if r := []rune(line); len(r) > sampleWidth {
			line = string(r[:sampleWidth]) + "…"
		}
		fmt.Fprintf(w, "    %s\n", line)
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
			printVendor(w, f.Vendor, len(args) == 1)
		case len(args) == 1:
			printDetails(w, f)
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
		fmt.Fprintln(w, "\nany of them in")
		for _, p := range packings {
			fmt.Fprintf(w, "  %-12s %s\n", p.name, p.what)
		}
		fmt.Fprintln(w, "\nretrytax formats NAME shows a format's ids, traps, a sample, its columns and their aliases.\n"+
			"retrytax ingest FILE --dry-run says what a file is taken for; --map reads a table of other columns.")
	}
	return nil
}

// printDetails prints what to know of a format, and a file of it.
func printDetails(w io.Writer, f format) {
	fmt.Fprintf(w, "  ids: %s\n  traps:\n", f.IDs)
	for _, t := range f.Traps {
		fmt.Fprintf(w, "    - %s\n", t)
	}
	printSample(w, f.Sample)
}
