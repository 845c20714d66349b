//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"retrytax/internal/parts"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata/badinput; read the diff")

const badInputs = "../../testdata/badinput"

// badGroups are the groups of the catalogue, in the order of its page.
var badGroups = []struct{ key, title string }{
	{"files", "No such file, or nothing in it"},
	{"rubbish", "Files of another kind"},
	{"columns", "Columns and headers"},
	{"text", "Characters and line ends"},
	{"lines", "Broken and cut lines"},
	{"values", "Values that cannot be true"},
	{"changes", "Files that change while they are read"},
	{"names", "Names of files"},
	{"output", "Where the results go"},
	{"usage", "Flags"},
	{"nothing", "Nothing to audit"},
	{"stopped", "Stopped from outside"},
}

// badCase is one folder of testdata/badinput: case.txt and the files that the command finds
// beside those of the folder good. What cannot be committed is made by badMakers.
type badCase struct {
	name, about, group, command string
	full                        string // "FOLDER SIZE BLOCKS": a disk of that size, or a limit of so many blocks on each file
	noRoot                      bool   // run without the power to read what is not readable
}

func readBadCases(t *testing.T) (cases []badCase) {
	found, err := filepath.Glob(badInputs + "/*/case.txt")
	if err != nil || len(found) == 0 {
		t.Fatalf("found no %s/*/case.txt, expected cases (%v)", badInputs, err)
	}
	for _, f := range found {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		c := badCase{name: filepath.Base(filepath.Dir(f))}
		about, fields, _ := strings.Cut(string(b), "\n\n")
		c.about = about
		for line := range strings.Lines(fields) {
			key, value, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
			switch key {
			case "group:":
				c.group = value
			case "full:":
				c.full = value
			case "root:":
				c.noRoot = true
			case "$":
				c.command = value
			default:
				t.Fatalf("%s: found %q, expected group:, full:, root: or $", f, line)
			}
		}
		if c.about == "" || c.command == "" || !slices.ContainsFunc(badGroups, func(g struct{ key, title string }) bool { return g.key == c.group }) {
			t.Fatalf("%s: found group %q and command %q, expected a sentence, a group and a command", f, c.group, c.command)
		}
		cases = append(cases, c)
	}
	return cases
}

// TestBadInput runs the catalogue. Whatever a command is given, it ends with the right code,
// says what was found, what was expected and what to do, leaves nothing half written, and
// accounts for every row. What it says is in said.txt of each case, and on one page.
func TestBadInput(t *testing.T) {
	cases := readBadCases(t)
	for name := range badMakers {
		if !slices.ContainsFunc(cases, func(c badCase) bool { return c.name == name }) {
			t.Errorf("found a maker of files for %s, expected a case of that name", name)
		}
	}
	t.Run("cases", func(t *testing.T) {
		oneIn := 6
		if *update {
			oneIn = 1
		}
		for _, c := range parts.Of(t, cases, oneIn) {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				checkBadCase(t, c)
			})
		}
	})
	page := badPage(t, cases)
	golden(t, badInputs+"/README.md", page)
}

func golden(t *testing.T, file, found string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(found), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; -update writes it", err)
	}
	if d := cmp.Diff(string(want), found); d != "" {
		t.Errorf("%s (-expected +found), -update rewrites it:\n%s", file, d)
	}
}

func checkBadCase(t *testing.T, c badCase) {
	b := setUpBad(t, c)
	before := b.snapshot(t)
	code, said := b.run(t)
	after := b.snapshot(t)
	b.checkSaid(t, code, said)
	if left := files(t, b.temp); len(left) > 0 {
		t.Errorf("left %v in the folder for temporary files, expected nothing", left)
	}
	if code == 0 || strings.Contains(said, "was written all the same") {
		b.checkReport(t, before, after)
	} else {
		b.checkNothing(t, before, after)
	}
	text := fmt.Sprintf("exit %d\n%s%s", code, said, b.account(t))
	golden(t, filepath.Join(badInputs, c.name, "said.txt"), text)
}

// badRun is one case at work.
type badRun struct {
	badCase
	work, temp, left string // folders; left is a file: what a disk that was full holds at the end
}

// setUpBad lays the files of a case out.
func setUpBad(t *testing.T, c badCase) *badRun {
	b := &badRun{badCase: c, work: t.TempDir(), temp: t.TempDir()}
	b.left = filepath.Join(t.TempDir(), "left")
	for _, from := range []string{"good", c.name} {
		if err := copyTree(filepath.Join(badInputs, from), b.work); err != nil {
			t.Fatal(err)
		}
	}
	if c.full != "" {
		if err := os.Mkdir(filepath.Join(b.work, strings.Fields(c.full)[0]), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if f := badMakers[c.name]; f != nil {
		f(t, b.work)
	}
	return b
}

// copyTree copies the files of a folder over those of another one.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case rel == "case.txt" || rel == "said.txt":
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), b, 0o666)
	})
}

// run runs the command and returns its code and what it said on standard error.
func (b *badRun) run(t *testing.T) (int, string) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c"}, b.script(t)...)...)
	cmd.Dir = b.work
	cmd.Env = append(os.Environ(), "RETRYTAX_NOW="+fixedNow, "TMPDIR="+b.temp)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	var e *exec.ExitError
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("found no end, expected one; so far it said\n%s", said.String())
	}
	if i := slices.IndexFunc([]byte(out.String()+said.String()), func(c byte) bool { return c < ' ' && c != '\n' || c == 0x7f }); i >= 0 {
		t.Errorf("found a control character in what was printed:\n%q", out.String()+said.String())
	}
	return cmd.ProcessState.ExitCode(), strings.ReplaceAll(said.String(), b.temp, "$TMPDIR")
}

// script wraps the command in what the case needs, as the arguments of sh -c.
func (b *badRun) script(t *testing.T) []string {
	switch {
	case b.full != "":
		return b.fullScript(t)
	case b.noRoot && os.Getuid() == 0:
		if _, err := exec.LookPath("setpriv"); err != nil {
			t.Skip("SKIPPED: whoever runs the tests may read everything, and there is no setpriv to give that up")
		}
		return []string{`exec setpriv --bounding-set=-dac_override,-dac_read_search sh -c "$0"`, b.command}
	}
	return []string{b.command}
}

// fullScript gives the command a small disk of its own, where the system lets us make one,
// and a limit on the size of files elsewhere, which has the same effect.
func (b *badRun) fullScript(t *testing.T) []string {
	dir, size, _ := strings.Cut(b.full, " ")
	size, blocks, _ := strings.Cut(size, " ")
	const end = `sh -c "$3"; code=$?; find "$1" -mindepth 1 > "$4"; exit $code`
	if exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", b.work).Run() == nil {
		return []string{`exec unshare -rm sh -c 'mount -t tmpfs -o size="$2" none "$1" && { ` + end + `; }' "$@"`, "sh", "sh", dir, size, b.command, b.left}
	}
	if exec.Command("sh", "-c", "ulimit -f 1").Run() != nil {
		t.Skip("SKIPPED: found neither a way to mount a small disk nor ulimit -f, expected one of them")
	}
	return []string{"ulimit -f " + blocks + "; " + end, "sh", dir, size, b.command, b.left}
}
