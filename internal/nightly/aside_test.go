package nightly

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A run that was killed while it wrote leaves a file aside; the next one removes it, and leaves
// alone what may still be written.
func TestWhatAKilledRunLeftIsSwept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "of [metrics]")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * longestWrite)
	for name, at := range map[string]time.Time{".retrytax-1": long, ".retrytax-2": time.Now(), "other.prom": long} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeAside(filepath.Join(dir, "t.prom"), []byte("x 1\n")); err != nil {
		t.Fatal(err)
	}
	var names []string
	found, _ := os.ReadDir(dir)
	for _, f := range found {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); got != ".retrytax-2 other.prom t.prom" {
		t.Errorf("found %s", got)
	}
}
