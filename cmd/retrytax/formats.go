package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"retrytax/internal/source"
	"retrytax/internal/ui"
)

func newFormatsCommand(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "formats [NAME]",
		Short: "List what can be read, how it is recognised, and all column aliases",
		Args:  cobra.MaximumNArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return runFormats(e.out, args) },
	}
}

func formatNames() string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

func runFormats(w io.Writer, args []string) error {
	found := false
	for _, f := range formats {
		if len(args) == 1 && args[0] != f.Name {
			continue
		}
		found = true
		fmt.Fprintf(w, "%s\n  %s\n  recognised by: %s\n", f.Name, f.What, f.Marks)
		if len(args) == 1 {
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
	fmt.Fprintln(w, "  a sample:")
	for line := range strings.Lines(f.Sample) {
		fmt.Fprintf(w, "    %s\n", strings.TrimRight(line, "\n"))
	}
}
