//go:build unix

package nightly

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"retrytax/internal/pipeline"
	"retrytax/internal/ui"
)

// lockFile is held for a whole night, since the database itself is let go between its steps.
func lockFile(db string) string { return db + ".nightly.lock" }

// lock takes the night of a database. The system lets go of it when the process ends, however it
// ends; the file stays, and means nothing by itself. Held by another: *pipeline.InUseError.
func lock(db string, now time.Time) (release func(), err error) {
	f, err := os.OpenFile(lockFile(db), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, &ui.Error{Code: ui.Failed, Err: err, Hint: "nightly.database names a file in a folder that is there and can be written"}
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		b := make([]byte, 200)
		n, _ := f.ReadAt(b, 0)
		f.Close()
		holder := ui.Clean(strings.TrimSpace(string(b[:n])))
		if holder == "" {
			holder = "another nightly run"
		}
		return nil, &pipeline.InUseError{Path: db, Holder: holder, Err: err}
	}
	// A courtesy to whoever finds it in use.
	_ = f.Truncate(0)
	_, _ = f.WriteAt(fmt.Appendf(nil, "retrytax nightly (process %d, since %s)\n", os.Getpid(), now.UTC().Format("2006-01-02 15:04:05 UTC")), 0)
	return func() { _ = f.Close() }, nil
}
