//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"retrytax/internal/synth"
)

// TestInterrupt stops an audit with SIGINT or SIGTERM at several moments. Whenever that is, the older
// report stands as it was, or the new one is there whole; nothing else is left behind.
func TestInterrupt(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some audits of 20 000 requests")
	}
	dir := t.TempDir()
	writeWorld(t, dir, 20_000)
	for name, c := range map[string]struct {
		signal syscall.Signal
		moment func(out string)
	}{
		"at once":        {syscall.SIGINT, func(string) { time.Sleep(100 * time.Millisecond) }},
		"while reading":  {syscall.SIGTERM, func(string) { time.Sleep(300 * time.Millisecond) }},
		"while matching": {syscall.SIGINT, func(string) { time.Sleep(1200 * time.Millisecond) }},
		"while writing":  {syscall.SIGTERM, waitAside},
	} {
		t.Run(name, func(t *testing.T) { interrupt(t, dir, c.signal, c.moment) })
	}
}

func writeWorld(t *testing.T, dir string, requests int) {
	c := synth.Mixed(7)
	c.Requests = requests
	w := synth.Generate(c)
	var attempts, charges bytes.Buffer
	if err := w.WriteAttempts(&attempts, synth.JSONL); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteCharges(&charges, synth.CSV); err != nil {
		t.Fatal(err)
	}
	for n, b := range map[string][]byte{"attempts.jsonl": attempts.Bytes(), "charges.csv": charges.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, n), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// waitAside waits until the report is being written beside the older one.
func waitAside(out string) {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if found, _ := filepath.Glob(filepath.Join(out, ".retrytax-*")); len(found) > 0 {
			return
		}
	}
}

func interrupt(t *testing.T, dir string, signal syscall.Signal, moment func(out string)) {
	out, temp, db := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "new.duckdb")
	for _, n := range outputs {
		if err := os.WriteFile(filepath.Join(out, n), []byte("older"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("retrytax", "audit", "attempts.jsonl", "charges.csv", "--out", out, "--db", db)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "RETRYTAX_NOW="+fixedNow, "TMPDIR="+temp)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	moment(out)
	_ = cmd.Process.Signal(signal)
	sent := time.Now()
	err := cmd.Wait()
	t.Logf("ended %v after the signal: %v\n%s", time.Since(sent).Round(time.Millisecond), err, said.String())
	if took := time.Since(sent); took > 10*time.Second {
		t.Errorf("ended %v after the signal, expected a few seconds at most", took)
	}
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() && said.Len() == 0 {
		leftAsItWas(t, out, db) // it had not begun: on a busy machine that takes a moment
	} else if err != nil {
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(said.String(), "retrytax: error: interrupted; nothing was written") {
			t.Errorf("exited with %d, expected 1 and a sentence", cmd.ProcessState.ExitCode())
		}
		leftAsItWas(t, out, db)
	} else if names := slices.DeleteFunc(files(t, out), isLetter); !slices.Equal(names, outputs) {
		t.Errorf("a finished run left %v, expected %v", names, outputs)
	}
	if left := files(t, temp); len(left) > 0 {
		t.Errorf("left %v in the folder for temporary files, expected nothing", left)
	}
}

// leftAsItWas asserts that the older report is untouched and that there is no database.
func leftAsItWas(t *testing.T, out, db string) {
	if names := files(t, out); !slices.Equal(names, outputs) {
		t.Errorf("found %v in the folder of the report, expected the older %v", names, outputs)
	}
	for _, n := range outputs {
		if b, err := os.ReadFile(filepath.Join(out, n)); err != nil || string(b) != "older" {
			t.Errorf("the older %s is no more (%v)", n, err)
		}
	}
	if left := files(t, filepath.Dir(db)); len(left) > 0 {
		t.Errorf("found %v, expected no database of a run that was interrupted", left)
	}
}

// isLetter says whether a file goes to a vendor: which there are hangs on what was found.
func isLetter(name string) bool { return strings.HasPrefix(name, "dispute-") }

func files(t *testing.T, dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
