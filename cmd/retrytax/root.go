package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"retrytax/internal/config"
	"retrytax/internal/pipeline"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/internal/ui"
)

// env is what a command touches of the world.
type env struct {
	in       io.Reader
	out, err io.Writer
	now      func() (time.Time, error)
	done     <-chan struct{} // closed when the run is interrupted; nil is never
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
		if bad := (*pflag.InvalidValueError)(nil); errors.As(err, &bad) {
			return badValue(c, bad)
		}
		hint := c.CommandPath() + " --help lists the flags"
		if name := dashedFile(err); name != "" {
			hint = name + " is a file, too: name it ./" + name
		}
		return &ui.Error{Code: ui.Usage, Msg: err.Error(), Hint: hint}
	})
	cmd.AddCommand(newAuditCommand(e), newIngestCommand(e), newReconcileCommand(e), newReportCommand(e), newInvoiceCommand(e), newStatusCommand(e), newPruneCommand(e), newNightlyCommand(e), newExplainCommand(e), newProjectCommand(e), newDemoCommand(e), newFormatsCommand(e), newInitCommand(e), newConfigCommand(e))
	return cmd
}

// badValue says what a flag expects in the words of the other errors, not in those of Go's parsers.
func badValue(c *cobra.Command, err *pflag.InvalidValueError) error {
	expected := map[string]string{"int": "a whole number", "int64": "a whole number", "uint64": "a whole number that is not negative",
		"float64": "a number", "bool": "true or false", "duration": "a duration such as 30s"}[err.GetFlag().Value.Type()]
	if expected == "" {
		expected = "another value (" + err.Unwrap().Error() + ")"
	}
	return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--%s: found %q, expected %s", err.GetFlag().Name, ui.Clean(err.GetValue()), expected),
		Hint: c.CommandPath() + " --help says what it is for"}
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
	var night *nightError
	switch {
	case err == nil:
		return ui.OK
	case errors.As(err, &night):
		return night.code
	case errors.As(err, &checks):
		return ui.ChecksFailed
	case errors.As(err, &nothing):
		return ui.NothingAudited
	case errors.As(err, new(*pipeline.InUseError)):
		return ui.InUse
	case errors.As(err, &period), errors.As(err, new(*pipeline.ConfigError)), errors.As(err, new(*pipeline.NoFolderError)), errors.As(err, new(*pipeline.OutsideError)), isUsage(err):
		return ui.Usage
	}
	return ui.ExitCode(err)
}

// dashedFile is the file whose name was taken for a flag, or "".
func dashedFile(err error) string {
	_, name, ok := strings.Cut(err.Error(), " in ")
	if !ok {
		_, name, ok = strings.Cut(err.Error(), "unknown flag: ")
	}
	if _, serr := os.Stat(name); !ok || serr != nil {
		return ""
	}
	return name
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
		if strings.HasPrefix(msg, p) {
			return true
		}
	}
	return false
}

// errInterrupted is what an interruption means to a command that writes at its end.
var errInterrupted error = &ui.Error{Code: ui.Failed, Msg: "interrupted; nothing was written", Hint: "run it again: an audit starts from its beginning"}

// explain says in the user's words what an error means where the error itself does not.
func explain(ctx context.Context, err error) error {
	if errors.As(err, new(*nightError)) {
		return err // its parts are explained
	}
	// What an interruption broke off is no fault of what was under way.
	if ctx.Err() != nil && (!errors.As(err, new(*ui.Error)) || errors.Is(err, context.Canceled)) {
		return errInterrupted
	}
	// It names the file and the place itself; the errors that it wraps only tell its kind.
	var file *source.Error
	if errors.As(err, &file) {
		return &ui.Error{Code: ui.Failed, Msg: ui.Clean(file.Error()), Hint: ui.Clean(file.Hint)}
	}
	// So do these; what was under way when it happened says nothing to the user.
	var folder *pipeline.PublishError
	var machine *store.ResourceError
	var database *pipeline.DatabaseError
	var busy *pipeline.InUseError
	switch {
	case errors.As(err, &busy):
		return &ui.Error{Code: ui.InUse, Msg: ui.Clean(busy.Error()), Hint: busy.Hint()}
	case errors.As(err, &database):
		return &ui.Error{Code: ui.Failed, Msg: ui.Clean(database.Error()), Hint: ui.Clean(database.Hint())}
	case errors.As(err, &folder):
		return &ui.Error{Code: ui.Failed, Msg: folder.Error(), Hint: folder.Hint()}
	case errors.As(err, &machine):
		return &ui.Error{Code: ui.Failed, Msg: machine.Error(), Hint: machine.Hint()}
	case isUsage(err):
		return usage(err)
	}
	return unforeseen(err)
}

// unforeseen gives a hint to what nothing here has foreseen, such as an error of the database.
func unforeseen(err error) error {
	var checks *pipeline.ChecksError
	var hinted interface{ Hint() string }
	var problems config.Problems
	if errors.As(err, new(*ui.Error)) || errors.As(err, &hinted) || errors.As(err, &problems) || errors.As(err, &checks) {
		return err
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) { // what the system refused is no fault of retrytax
		return &ui.Error{Code: ui.Failed, Msg: ui.Clean(fmt.Sprintf("%s: found no way to %s it (%v), expected one", at.Path, at.Op, at.Err)),
			Hint: ui.Clean("ls -ld " + at.Path + " " + filepath.Dir(at.Path) + " shows what is there, and who may read and write it")}
	}
	return &ui.Error{Code: ui.Failed, Err: err,
		Hint: "this is a fault of retrytax: find the file that causes it by leaving the others out, and report it"}
}

// usage makes one sentence and a hint of a complaint of cobra's, which brings its
// suggestions along on lines of their own.
func usage(err error) error {
	msg, more, _ := strings.Cut(err.Error(), "\n")
	hint := "retrytax --help lists the commands and their flags"
	if _, names, ok := strings.Cut(more, "Did you mean this?"); ok {
		hint = "did you mean " + strings.Join(strings.Fields(names), " or ") + "? " + hint
	}
	return &ui.Error{Code: ui.Usage, Msg: msg, Hint: hint}
}
