package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readmeBlock is the first fenced block of a language in README.md.
func readmeBlock(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(text)
	if block == nil {
		t.Fatalf("README.md: found no block of %s", language)
	}
	return string(block[1])
}

// TestReadmeTimer has systemd look at the service and the timer of README.md.
func TestReadmeTimer(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is missing; with it the units of README.md are verified")
	}
	dir := t.TempDir()
	// systemd looks whether the program is there.
	service := regexp.MustCompile(`(?m)^ExecStart=\S+`).ReplaceAllString(readmeBlock(t, "systemd-service"), "ExecStart=/bin/true")
	for name, text := range map[string]string{"retrytax.service": service, "retrytax.timer": readmeBlock(t, "systemd-timer")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(analyze, "verify", "--man=no", filepath.Join(dir, "retrytax.service"), filepath.Join(dir, "retrytax.timer")).CombinedOutput()
	for _, line := range strings.Split(string(out), "\n") {
		if strings.Contains(line, "retrytax.") {
			t.Errorf("systemd-analyze: %s", line)
		}
	}
	if err != nil {
		t.Errorf("systemd-analyze: %v\n%s", err, out)
	}
	calendar := regexp.MustCompile(`(?m)^OnCalendar=(.*)`).FindStringSubmatch(readmeBlock(t, "systemd-timer"))
	if out, err := exec.Command(analyze, "calendar", calendar[1]).CombinedOutput(); err != nil {
		t.Errorf("systemd-analyze calendar %s: %v\n%s", calendar[1], err, out)
	}
}

// TestReadmeConfiguration checks the retrytax.yaml that the nights of README.md go by.
func TestReadmeConfiguration(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(text, -1) {
		file := filepath.Join(t.TempDir(), configName)
		if err := os.WriteFile(file, block[1], 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("retrytax", "config", "check", file).CombinedOutput(); err != nil {
			t.Errorf("retrytax config check: %v\n%s\n%s", err, out, block[1])
		}
		checked++
	}
	if checked < 2 {
		t.Errorf("README.md: found %d blocks of yaml, expected at least 2", checked)
	}
}

// TestReadmeContainer holds the container file to what it must have: containers are not
// built here.
func TestReadmeContainer(t *testing.T) {
	text := readmeBlock(t, "dockerfile")
	for _, want := range []string{"FROM golang:", "-tags duckdb_arrow", "USER ", "VOLUME ", `ENTRYPOINT ["retrytax"]`, `CMD ["nightly"`} {
		if !strings.Contains(text, want) {
			t.Errorf("README.md: the container file lacks %q", want)
		}
	}
}
