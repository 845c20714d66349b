package nightly

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/internal/ui"
)

// stateSchema names the shape of the state file.
const stateSchema = "retrytax.nights/v1"

// state is what one night leaves for the next. It lies beside the database, since alerts are noted one by
// one, when the database may be read by others. Lost, it costs no number: the next night is
// taken for the first one, which knows of no news.
type state struct {
	Schema      string   `json:"schema"`
	Night       night    `json:"night"`        // the last one that began
	Before      *facts   `json:"before"`       // what had been told when it began; nil is nothing
	Now         *facts   `json:"now"`          // what the last finished night has seen
	Through     int64    `json:"through_run"`  // the last run that the night may have made
	Due         []string `json:"due"`          // months whose reports are to be made
	LastSuccess string   `json:"last_success"` // RFC 3339; "" is never

	path string // "" is not to be written
}

// night is one night.
type night struct {
	Date      string              `json:"date"`       // 2026-11-03, in the report's zone
	FilesFrom int64               `json:"files_from"` // runs from this one on have brought its files
	LinesFrom int64               `json:"lines_from"` // and its lines, with those of nights before that did not finish
	Finished  bool                `json:"finished"`
	Alerts    map[string]delivery `json:"alerts"` // by condition and channel
}

// delivery is what became of one alert.
type delivery struct {
	State string `json:"state"`
	Tries int    `json:"tries"`
}

// facts are what later nights are compared with.
type facts struct {
	Months    map[string]month `json:"months"`    // by 2026-10: the books as they were last reported
	Causes    []string         `json:"causes"`    // verdicts with settled excess that were ever seen
	Providers []string         `json:"providers"` // that a bill has named
}

// month is the books of one month.
type month struct {
	Totals []report.Total `json:"totals"`
	Open   bool           `json:"open"` // something of it is not settled
}

func stateFile(db string) string { return db + ".nights.json" }

// loadState reads the state file of a database. One that cannot be read is put aside, and said.
func loadState(db string, write bool) (s *state, warning string, err error) {
	path := stateFile(db)
	s = &state{Schema: stateSchema}
	if write {
		s.path = path
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	kept := s.path
	if json.Unmarshal(b, s) == nil && s.Schema == stateSchema {
		s.path = kept
		return s, "", nil
	}
	s = &state{Schema: stateSchema, path: kept}
	aside := ""
	if write {
		if err := os.Rename(path, path+".bad"); err != nil {
			return nil, "", err
		}
		aside = "it was put aside as " + path + ".bad, and "
	}
	return s, fmt.Sprintf("%s: found no state of nights that can be read, expected %s; %sthis night is taken for the first", path, stateSchema, aside), nil
}

// save writes the state aside and renames it.
func (s *state) save() error {
	if s.path == "" {
		return nil
	}
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return writeAside(s.path, append(b, '\n'))
}

// open begins the night of a date. The same date again goes on with the same night: what it
// has told stays told. A night that was not finished leaves its news to this one.
func (s *state) open(date string) {
	if s.Night.Date != date {
		n := night{Date: date}
		if s.Night.Date == "" || s.Night.Finished {
			s.Before = s.Now
		} else {
			n.LinesFrom = s.Night.LinesFrom
		}
		s.Night = n
	}
	if s.Night.Alerts == nil {
		s.Night.Alerts = map[string]delivery{}
	}
	s.Night.Finished = false
}

// number says which runs are this night's, once the database is open: next is the number of the next one.
// Files that came in a night before are not this one's, finished or not: that something came
// yesterday says nothing of today. Lines are, if that night did not finish.
func (s *state) number(next int64) {
	n := &s.Night
	if n.FilesFrom == 0 {
		n.FilesFrom = next
		if s.Through > 0 && s.Through < next {
			n.FilesFrom = s.Through + 1 // loaded by hand since
		}
	}
	if n.LinesFrom == 0 {
		n.LinesFrom = n.FilesFrom
	}
	// A database that was put back from a copy has fewer runs.
	n.FilesFrom = min(n.FilesFrom, next)
	n.LinesFrom = min(n.LinesFrom, n.FilesFrom)
	s.Through = next
}

// addDue adds months to those that are to be reported.
func (s *state) addDue(months ...string) {
	s.Due = append(s.Due, months...)
	slices.Sort(s.Due)
	s.Due = slices.Compact(s.Due)
}

// aside is how the names of files begin that are not in their place yet.
const aside = ".retrytax-"

// longestWrite is after how long a file aside is one that a killed run has left.
const longestWrite = time.Minute

// writeAside writes a file beside its place and renames it. The error is a *ui.Error.
func writeAside(path string, text []byte) error {
	sweep(filepath.Dir(path), longestWrite, time.Now(), fs.FileMode.IsRegular)
	err := writeBeside(path, text)
	var at *fs.PathError
	switch {
	case err == nil:
		return nil
	case store.NoRoom(err):
		return &ui.Error{Code: ui.Failed, Msg: path + ": found no room left on its disk, expected room for it", Hint: "df " + filepath.Dir(path) + " shows it; what was there is as it was"}
	case errors.As(err, &at):
		err = at.Err // the name aside says nothing
	}
	return &ui.Error{Code: ui.Failed, Msg: fmt.Sprintf("%s: found a place that cannot be written (%v), expected a folder that is there and takes files", path, err),
		Hint: "ls -ld " + filepath.Dir(path) + " shows who may write there; nightly: of the configuration names another"}
}

// sweep removes what killed runs have left aside in a folder: nothing is written for so long. of tells what it may
// take: a folder's own time stands still while a file in it is written, so that it is left for longer than a file.
func sweep(dir string, older time.Duration, now time.Time, of func(fs.FileMode) bool) {
	left, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range left {
		if !strings.HasPrefix(e.Name(), aside) || !of(e.Type()) {
			continue
		}
		if st, err := e.Info(); err == nil && now.Sub(st.ModTime()) > older {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

func writeBeside(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), aside)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if serr := f.Sync(); err == nil {
		err = serr
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644) // node_exporter runs as another user
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
