package main

import (
	"fmt"
	"regexp"

	"github.com/spf13/pflag"

	"retrytax/internal/ui"
)

// addMemoryLimit and addThreads say the same of every command that opens a database.
func addMemoryLimit(f *pflag.FlagSet, limit *string) {
	f.StringVar(limit, "memory-limit", "", "memory that DuckDB may use, such as 4GB; the rest is spilled to disk")
}

func addThreads(f *pflag.FlagSet, threads *int) {
	f.IntVar(threads, "threads", 0, "processors to use (default all, and one where there is little to do)")
}

var memoryLimit = regexp.MustCompile(`(?i)^[0-9]+(\.[0-9]+)? ?([KMGT]i?)?B$`)

func checkMemoryLimit(v string) error {
	if v == "" || memoryLimit.MatchString(v) {
		return nil
	}
	return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--memory-limit: found %q, expected a size such as 4GB", v),
		Hint: "leave --memory-limit out to use four fifths of the machine's memory"}
}

func checkThreads(n int) error {
	if n >= 0 {
		return nil
	}
	return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--threads: found %d, expected 1 or more", n), Hint: "leave --threads out to use all processors"}
}

// checkMachine checks both.
func checkMachine(limit string, threads int) error {
	if err := checkMemoryLimit(limit); err != nil {
		return err
	}
	return checkThreads(threads)
}
