package main

import (
	"context"
	"errors"
	"io"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"retrytax/internal/config"
	"retrytax/internal/pipeline"
	"retrytax/internal/source"
	"retrytax/internal/ui"
)

// env is what a command touches of the world.
type env struct {
	in       io.Reader
	out, err io.Writer
	now      func() (time.Time, error)
}

func newRootCommand(e env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "retrytax",
		Short: "Find what is paid twice for LLM API calls",
		Long: "retrytax reads an application's attempt logs and a vendor's billing export, gives every\n" +
			"charge one verdict, proves that the verdicts add up to the bill, and says what was paid twice.\n\n" + ui.ExitHelp,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	cmd.SetIn(e.in)
	cmd.SetOut(e.out)
	cmd.SetErr(e.err)
	cmd.CompletionOptions.HiddenDefaultCmd = true
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &ui.Error{Code: ui.Usage, Msg: err.Error(), Hint: c.CommandPath() + " --help lists the flags"}
	})
	cmd.AddCommand(newAuditCommand(e), newExplainCommand(e), newFormatsCommand(e), newInitCommand(e), newConfigCommand(e))
	return cmd
}

// version is the module's, or the commit's where it was built from a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}

// exitCode maps an error to the documented exit code.
func exitCode(err error) int {
	var checks *pipeline.ChecksError
	var nothing *pipeline.NothingError
	var period *pipeline.PeriodError
	switch {
	case err == nil:
		return ui.OK
	case errors.As(err, &checks):
		return ui.ChecksFailed
	case errors.As(err, &nothing):
		return ui.NothingAudited
	case errors.As(err, &period), isUsage(err):
		return ui.Usage
	}
	return ui.ExitCode(err)
}

// isUsage recognises cobra's own complaints, which have no type.
func isUsage(err error) bool {
	var known *ui.Error
	var problems config.Problems
	if errors.As(err, &known) || errors.As(err, &problems) {
		return false
	}
	msg := err.Error()
	for _, p := range []string{"unknown command", "unknown flag", "requires at least", "accepts "} {
		if len(msg) >= len(p) && msg[:len(p)] == p {
			return true
		}
	}
	return false
}

// explain says in the user's words what an error means where the error itself does not.
func explain(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.As(err, new(*ui.Error)) {
		return &ui.Error{Code: ui.Failed, Msg: "interrupted; nothing was written"}
	}
	// It names the file and the place itself; the errors that it wraps only tell its kind.
	var file *source.Error
	if errors.As(err, &file) {
		return &ui.Error{Code: ui.Failed, Msg: file.Error(), Hint: file.Hint}
	}
	return err
}
