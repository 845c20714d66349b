package pipeline

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"retrytax/internal/store"
)

// owner is who works on a database. DuckDB holds the lock; this file beside the database
// only says in words whose it is, and means nothing where there is no lock.
type owner struct {
	PID     int       `json:"pid"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

func ownerFile(db string) string { return db + ".owner" }

// claim writes down who works on db. What cannot be written is left out: it is a courtesy.
func claim(db, command string, now time.Time) {
	b, err := json.Marshal(owner{PID: os.Getpid(), Command: command, Since: now.UTC().Truncate(time.Second)})
	if err == nil {
		_ = os.WriteFile(ownerFile(db), append(b, '\n'), 0o666)
	}
}

// release takes the note away again.
func release(db string) { _ = os.Remove(ownerFile(db)) }

// holder is what can be said of the process that holds db: the note is believed only if it
// is that process's.
func holder(db string, pid int) string {
	var o owner
	b, err := os.ReadFile(ownerFile(db))
	if err == nil && json.Unmarshal(b, &o) == nil && o.PID > 0 && (pid == 0 || o.PID == pid) {
		return fmt.Sprintf("retrytax %s (process %d, since %s)", o.Command, o.PID, o.Since.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
	if pid > 0 {
		return fmt.Sprintf("process %d", pid)
	}
	return "another process"
}

// InUseError says that another process holds a database.
type InUseError struct {
	Path   string
	Holder string // "retrytax ingest (process 77, since …)"
	Err    error
}

func (e *InUseError) Error() string {
	return fmt.Sprintf("%s: found it in use by %s, expected a database that nobody works on", e.Path, e.Holder)
}

// Hint says what to do about it.
func (e *InUseError) Hint() string { return "wait until the other run has ended; nothing was changed" }

func (e *InUseError) Unwrap() error { return e.Err }

func inUse(e *store.FileError) *InUseError {
	return &InUseError{Path: e.Path, Holder: holder(e.Path, e.PID), Err: e}
}
