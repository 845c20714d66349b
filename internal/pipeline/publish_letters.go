package pipeline

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"retrytax/internal/config"
	"retrytax/internal/letter"
	"retrytax/internal/report"
	"retrytax/internal/source"
)

// oldTables are the dispute-VENDOR.csv that an earlier run has written to a folder, by name, with what stands in them.
func oldTables(dir string) (map[string][]report.Handled, error) {
	paths, err := filepath.Glob(filepath.Join(config.LiteralPattern(dir), "dispute-*.csv"))
	if err != nil {
		return nil, err
	}
	out := map[string][]report.Handled{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			continue // a folder, or no right to read it: renaming finds out
		}
		header, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))).Read()
		if err != nil || !slices.Contains(header, "finding") || !slices.Contains(header, "state") {
			continue
		}
		states, err := report.ReadStates(bytes.NewReader(text))
		if err != nil {
			states = []report.Handled{{State: "?"}} // somebody has worked on it
		}
		out[filepath.Base(p)] = states
	}
	return out, nil
}

// spareStates fails if a table of an earlier run holds states that this run was not told of: writing it
// anew would lose them.
func spareStates(dir string, told []report.Handled, names []string) error {
	old, err := oldTables(dir)
	if err != nil {
		return err
	}
	known := map[string]report.State{}
	for _, h := range told {
		known[h.Finding] = h.State
	}
	for _, name := range names {
		for _, h := range old[name] {
			if h.State != report.StateOpen && known[h.Finding] != h.State {
				path := filepath.Join(dir, name)
				return &source.Error{File: path, Found: "states of findings that would be written over", Expected: "--states with this file",
					Hint: "--states " + path + " takes its states into this report; or name another --out", Kind: source.ErrUnreadable}
			}
		}
	}
	return nil
}

// removeOldLetters removes what an earlier run has written for vendors that this one claims nothing from:
// it would contradict the report. A table in which somebody has noted a state stays.
func removeOldLetters(dir string, names []string) error {
	old, err := oldTables(dir)
	if err != nil {
		return err
	}
	for name, states := range old {
		touched := slices.ContainsFunc(states, func(h report.Handled) bool { return h.State != report.StateOpen || h.Note != "" })
		if !isOurs(filepath.Join(dir, name)) {
			continue
		}
		gone := []string{strings.TrimSuffix(name, ".csv") + ".md"}
		if !touched {
			gone = append(gone, name)
		}
		for _, n := range gone {
			if slices.Contains(names, n) {
				continue
			}
			if err := os.Remove(filepath.Join(dir, n)); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
	}
	return nil
}

// isOurs says whether a table has the header that letters have.
func isOurs(path string) bool {
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(string(text), "\ufeff"), "\n")
	return strings.TrimSpace(first) == strings.Join(letter.Header, ",")
}
