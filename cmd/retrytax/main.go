// Command retrytax finds what a team pays twice for LLM API calls.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // zones work on a machine without a zone database

	"github.com/spf13/cobra"

	"retrytax/internal/source"
	"retrytax/internal/ui"
)

func main() { os.Exit(run()) }

// run is main without the exit, for tests that run the command as it is.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A closed pipe is an error of the write, not the end of the process: temporary files
	// are still removed.
	signal.Ignore(syscall.SIGPIPE)
	ignoreFileLimit()
	e := env{in: os.Stdin, out: os.Stdout, err: os.Stderr, now: clock, done: ctx.Done()}
	cmd := newRootCommand(e)
	cmd.SetArgs(os.Args[1:])
	ran, err := cmd.ExecuteContextC(ctx)
	if err != nil {
		ui.PrintError(os.Stderr, explain(ctx, err))
		showGuess(ran, err)
	}
	return exitCode(err)
}

// showGuess prints on standard output what a table that fits nothing could be, unless that is
// for a script.
func showGuess(cmd *cobra.Command, err error) {
	var file *source.Error
	if !errors.As(err, &file) || file.Guess == nil {
		return
	}
	if f := cmd.Flags().Lookup("json"); f != nil && f.Value.String() == "true" {
		return
	}
	_ = ui.WriteGuess(os.Stdout, file.Guess, terminal(os.Stdout)) // the error has been said
}

// clock is the run's clock. RETRYTAX_NOW (RFC 3339) fixes it, so that a run can be repeated
// to the byte.
func clock() (time.Time, error) {
	v := os.Getenv("RETRYTAX_NOW")
	if v == "" {
		return time.Now().UTC(), nil
	}
	t, err := time.Parse(time.RFC3339, v)
	if err != nil {
		return t, &ui.Error{Code: ui.Usage, Msg: "RETRYTAX_NOW: found " + v + ", expected a time such as 2026-11-03T10:00:00Z",
			Hint: "unset RETRYTAX_NOW to use the machine's clock"}
	}
	return t, nil
}
