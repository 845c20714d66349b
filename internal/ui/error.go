package ui

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Error is what a command returns: what went wrong, what the user can do, and the code to
// exit with. Msg is lower case and has no full stop; Hint names a flag, a file or a command.
type Error struct {
	Code int
	Msg  string
	Hint string
	Err  error // the cause; its text follows Msg
}

// Error is the message and its cause on one line.
func (e *Error) Error() string {
	switch {
	case e.Err == nil:
		return e.Msg
	case e.Msg == "":
		return e.Err.Error()
	}
	return e.Msg + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// ExitCode is the code to exit with: that of the first Error in the chain, else Failed.
func ExitCode(err error) int {
	if err == nil {
		return OK
	}
	var e *Error
	if errors.As(err, &e) {
		return known(e.Code)
	}
	return Failed
}

// PrintError writes an error as `retrytax: error: …` and `retrytax: hint: …`. An error that
// holds several, as that of a configuration file does, is one such pair for each of them;
// a hint that is the same for several in a row, or stands over all, is said once, behind them.
func PrintError(w io.Writer, err error) {
	if err == nil {
		return
	}
	many, prefix, shared := several(err), "", ""
	if many == nil {
		many = []error{err}
	} else if e := over(err); e != nil {
		if shared = e.Hint; e.Msg != "" {
			prefix = e.Msg + ": "
		}
	}
	for i, one := range many {
		fmt.Fprintf(w, "retrytax: error: %s\n", sentence(prefix+one.Error()))
		hint := hintOf(one)
		if hint == "" || hint == shared || i+1 < len(many) && hintOf(many[i+1]) == hint {
			continue
		}
		fmt.Fprintf(w, "retrytax: hint: %s\n", sentence(hint))
	}
	if shared != "" {
		fmt.Fprintf(w, "retrytax: hint: %s\n", sentence(shared))
	}
}

// over is the Error above those that stand side by side in err, or nil: its message and hint are
// those of all. One among them speaks for itself alone.
func over(err error) *Error {
	for err != nil {
		if e, ok := err.(*Error); ok {
			return e
		}
		if _, many := err.(interface{ Unwrap() []error }); many {
			return nil
		}
		err = errors.Unwrap(err)
	}
	return nil
}

// PrintWarning writes something that does not stop the run.
func PrintWarning(w io.Writer, text string) {
	fmt.Fprintf(w, "retrytax: warning: %s\n", sentence(text))
}

// several is the errors that err holds side by side, or nil.
func several(err error) []error {
	for err != nil {
		if many, ok := err.(interface{ Unwrap() []error }); ok && len(many.Unwrap()) > 0 {
			return many.Unwrap()
		}
		err = errors.Unwrap(err)
	}
	return nil
}

// hintOf asks the first error of the chain that can give a hint.
func hintOf(err error) string {
	var e *Error
	if errors.As(err, &e) && e.Hint != "" {
		return e.Hint
	}
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

// sentence makes a message safe and drops its full stop. A message of several lines, such
// as a database's, keeps them, set in, so that no line of it can pass for one of ours.
func sentence(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\r\n\t "), "\n")
	for i, line := range lines {
		lines[i] = Clean(strings.TrimRight(line, "\r"))
	}
	joined := strings.Join(lines, "\n  ")
	if strings.HasSuffix(joined, ".") && !strings.HasSuffix(joined, "..") {
		joined = strings.TrimSuffix(joined, ".")
	}
	return joined
}
