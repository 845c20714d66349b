//go:build unix

package main

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// snapshot is the files below the folder of work, with a hash of what they hold.
func (b *badRun) snapshot(t *testing.T) map[string]string {
	found := map[string]string{}
	err := filepath.WalkDir(b.work, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(b.work, path)
		found[rel] = d.Type().String()
		if !d.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		found[rel] = fmt.Sprintf("%x", sha256.Sum256(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// checkSaid looks at the form of the messages: no panic, no stack, each error with a hint.
func (b *badRun) checkSaid(t *testing.T, code int, said string) {
	for _, noise := range []string{"panic", "goroutine", ".go:", "%!", "duckdb.org", ".sql", "runtime error"} {
		if strings.Contains(said, noise) {
			t.Errorf("found %q, expected a message for users:\n%s", noise, said)
		}
	}
	if strings.Contains(said, "retrytax: error: ") != (code != 0) {
		t.Errorf("exit code %d does not fit the message:\n%s", code, said)
	}
	for line := range strings.Lines(said) {
		if !strings.HasPrefix(line, "retrytax: error: ") && !strings.HasPrefix(line, "retrytax: hint: ") && !strings.HasPrefix(line, "retrytax: warning: ") {
			t.Errorf("found the line %q, expected an error, a hint or a warning", line)
		}
	}
	lines := strings.Split(strings.TrimRight(said, "\n"), "\n")
	if last := lines[len(lines)-1]; code != 0 && !strings.HasPrefix(last, "retrytax: hint: ") {
		t.Errorf("found %q at the end, expected a hint", last)
	}
}

// checkNothing asserts that a run which failed left no file, and no older report changed.
func (b *badRun) checkNothing(t *testing.T, before, after map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, was := before[name]; !was && name != "new.csv" {
			t.Errorf("a run that failed left %s, expected nothing", name)
		}
		if strings.HasPrefix(name, "report/") && before[name] != after[name] {
			t.Errorf("a run that failed changed %s", name)
		}
	}
	if left, err := os.ReadFile(b.left); b.full != "" && (err != nil || len(left) > 0) {
		t.Errorf("found %q on the disk that was full, expected nothing (%v)", left, err)
	}
}

// checkReport asserts that the report is whole and what was in the folder besides is not touched.
func (b *badRun) checkReport(t *testing.T, before, after map[string]string) {
	for _, n := range outputs {
		if _, there := after["report/"+n]; !there && n != "report.xlsx" {
			t.Errorf("found no %s, expected a report", n)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if !strings.HasPrefix(name, "report") || slices.Contains(outputs, strings.TrimPrefix(name, "report/")) || strings.HasPrefix(name, "report/dispute-") {
			continue // letters are there where a vendor owes something
		}
		if was, there := before[name]; name != "report" && (!there || was != after[name]) {
			t.Errorf("found %s, which was not there or is not what it was", name)
		}
	}
}

// inputWarnings are those that speak of the files; others belong to matching.
var inputWarnings = []string{"input", "rejected_rows", "unknown_amounts", "unknown_currency", "joined_exports", "repeated_file",
	"overlapping_files", "skipped_times", "repeated_times"}

// shownRejects is how many rejects said.txt lists.
const shownRejects = 30

// account says what became of every row, and proves that none was lost. It is "" where there
// is no report.
func (b *badRun) account(t *testing.T) string {
	var audit struct {
		Inputs []struct {
			File                                   string
			Rows, Loaded, Known, Ignored, Rejected int64
		}
		Warnings []struct{ Code, Text string }
	}
	text, err := os.ReadFile(filepath.Join(b.work, "report", "audit.json"))
	if err != nil || json.Unmarshal(text, &audit) != nil {
		return ""
	}
	var out strings.Builder
	rejected := int64(0)
	for _, in := range audit.Inputs {
		if in.Rows != in.Loaded+in.Known+in.Ignored+in.Rejected {
			t.Errorf("%s: the rows do not add up: %+v", in.File, in)
		}
		rejected += in.Rejected
		fmt.Fprintf(&out, "%s: %d rows = %d loaded + %d known + %d ignored + %d rejected\n", in.File, in.Rows, in.Loaded, in.Known, in.Ignored, in.Rejected)
	}
	for _, w := range audit.Warnings {
		if slices.Contains(inputWarnings, w.Code) {
			fmt.Fprintf(&out, "warning: %s\n", w.Text)
		}
	}
	rows := b.rejects(t)
	if int64(len(rows)) != rejected {
		t.Errorf("found %d rows in rejects.csv, expected %d", len(rows), rejected)
	}
	for i, r := range rows {
		if r[1] == "" || !strings.Contains(r[3], "found ") || !strings.Contains(r[3], "expected ") || r[4] == "" {
			t.Errorf("found the reject %q, expected a file, a line, what was found, what was expected and the text", r)
		}
		if len(r[4]) > 4<<10+200 {
			t.Errorf("%s:%s: found %d bytes of text, expected at most 4 KiB", r[0], r[1], len(r[4]))
		}
		if i >= shownRejects {
			continue
		}
		place := strings.TrimSuffix(r[0]+":"+r[1]+": "+r[2], ": ")
		fmt.Fprintf(&out, "%s: %s\n", place, r[3])
	}
	if more := len(rows) - shownRejects; more > 0 {
		fmt.Fprintf(&out, "… and %d more\n", more)
	}
	return printable(out.String())
}

func (b *badRun) rejects(t *testing.T) [][]string {
	f, err := os.Open(filepath.Join(b.work, "report", "rejects.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("rejects.csv: found %d rows, expected a header and more (%v)", len(rows), err)
	}
	return rows[1:]
}

// printable keeps a golden file a text file.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7f {
			return '\uFFFD'
		}
		return r
	}, s)
}

// badPage is the catalogue on one page.
func badPage(t *testing.T, cases []badCase) string {
	var b strings.Builder
	b.WriteString(`# What retrytax says of bad input

Each case is a folder here: what is wrong, the command, and word for word what it prints. Beside the files of a case, the commands find
those of [good](good), an attempt log and a bill that are as they should be. The tests run them all
(` + "`go test ./cmd/retrytax -run TestBadInput`" + `) and write this page (` + "`-update`" + `).

Whatever happens: a message names the file, the line where there is one, what was found, what was expected and what to do. A run that
fails leaves nothing behind, neither report nor database nor temporary files. A run that goes on accounts for every row: read = loaded +
known + ignored + rejected, and ` + "`rejects.csv`" + ` has each rejected row with file, line, column, reason and text. The exit codes are
those of the [README](../../README.md#exit-codes).

`)
	for _, g := range badGroups {
		fmt.Fprintf(&b, "- [%s](#%s)\n", g.title, anchor(g.title))
	}
	for _, g := range badGroups {
		fmt.Fprintf(&b, "\n## %s\n", g.title)
		for _, c := range cases {
			if c.group != g.key {
				continue
			}
			said, err := os.ReadFile(filepath.Join(badInputs, c.name, "said.txt"))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "\n### %s\n\n%s\n\n```console\n$ %s\n%s```\n", c.name, c.about, c.command, said)
		}
	}
	return b.String()
}

// anchor is the name under which a heading is linked to.
func anchor(title string) string {
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if r == ',' {
			return -1
		}
		return r
	}, strings.ToLower(title)), " ", "-")
}
