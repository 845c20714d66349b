package source

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A file that changes between two readings, or in the midst of one, is refused; one that has
// grown gives what it had.
func TestFilesThatChange(t *testing.T) {
	const text = "charge_id,charged_at,amount\nc1,t,1\nc2,t,2\n"
	write := func(t *testing.T, path, s string) {
		if err := os.WriteFile(path, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		change func(t *testing.T, path string)
		found  string // "" where the file is read
	}{
		"it grew":   {func(t *testing.T, path string) { write(t, path, text+"c3,t,3\n") }, ""},
		"it shrank": {func(t *testing.T, path string) { write(t, path, text[:30]) }, "shrank from 42 bytes to 30"},
		"written again": {func(t *testing.T, path string) {
			write(t, path, strings.ToUpper(text))
			if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}, "written again"},
		"removed": {func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}, "removed"},
		"replaced": {func(t *testing.T, path string) {
			write(t, path+".new", text)
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		}, "another file"},
	} {
		for moment, inside := range map[string]bool{"between two readings": false, "in the midst of one": true} {
			t.Run(name+" "+moment, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "f.csv")
				write(t, path, text)
				in, err := NewInput(path, nil)
				if err != nil {
					t.Fatal(err)
				}
				got, err := readAround(in, inside, func() { c.change(t, path) })
				c := c
				if inside && (name == "removed" || name == "replaced") {
					c.found = "" // what is open stays as it was
				}
				if c.found == "" {
					if err != nil || got != text {
						t.Fatalf("found %q and %v, expected the file as it was", got, err)
					}
					_, grew := in.Grew()
					if grew != (name == "it grew") {
						t.Errorf("Grew says %v", grew)
					}
					return
				}
				var e *Error
				if !errors.Is(err, ErrChanged) || !errors.As(err, &e) || e.Hint == "" || !strings.Contains(e.Found, c.found) {
					t.Fatalf("found %v, expected one of %q with a hint", err, c.found)
				}
			})
		}
	}
}

// readAround reads an input with a change before it or after the first ten bytes.
func readAround(in *Input, inside bool, change func()) (string, error) {
	if !inside {
		change()
	}
	c, err := openContent(in)
	if err != nil {
		return "", err
	}
	defer c.Close()
	head := make([]byte, 10)
	if _, err := io.ReadFull(c, head); err != nil {
		return "", err
	}
	if inside {
		change()
	}
	rest, err := io.ReadAll(c)
	return string(head) + string(rest), err
}
