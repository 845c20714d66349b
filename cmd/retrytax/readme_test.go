package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var firstShell = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestReadme runs the audit that README.md says to run first, from the root of the repository.
func TestReadme(t *testing.T) {
	args := firstAudit(t)
	out := filepath.Join(t.TempDir(), "report")
	for i, a := range args {
		if a == "--out" && i+1 < len(args) {
			args[i+1] = out
		}
	}
	cmd := exec.Command("retrytax", args...)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "RETRYTAX_NOW="+fixedNow)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("retrytax %s: %v\n%s", strings.Join(args, " "), err, said)
	}
	for _, n := range outputs {
		if info, err := os.Stat(filepath.Join(out, n)); err != nil || info.Size() == 0 {
			t.Errorf("%s was not written (%v)", n, err)
		}
	}
}

// firstAudit is the arguments of the first "go run … ./cmd/retrytax audit …" in README.md.
func firstAudit(t *testing.T) []string {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := firstShell.FindSubmatch(text)
	if block == nil {
		t.Fatal("README.md: found no sh block, expected the commands to begin with")
	}
	for _, line := range strings.Split(string(block[1]), "\n") {
		if _, args, ok := strings.Cut(line, "./cmd/retrytax "); ok && strings.HasPrefix(args, "audit ") {
			fields := strings.Fields(args)
			if !strings.Contains(args, " --out ") {
				t.Fatalf("README.md: found %q, expected --out", line)
			}
			return fields
		}
	}
	t.Fatalf("README.md: found no audit command in\n%s", block[1])
	return nil
}
