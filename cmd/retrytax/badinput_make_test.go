//go:build unix

package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zip"
	"github.com/klauspost/compress/zstd"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/simplifiedchinese"

	"retrytax/internal/synth"
)

// badMakers make what cannot be committed: links, pipes, names that a repository does not
// take, rights, compressed and large files.
var badMakers = map[string]func(t *testing.T, dir string){
	"link_to_nothing": func(t *testing.T, dir string) { link(t, "gone.csv", dir, "latest.csv") },
	"link_loop": func(t *testing.T, dir string) {
		link(t, "one.csv", dir, "two.csv")
		link(t, "two.csv", dir, "one.csv")
	},
	"not_readable": func(t *testing.T, dir string) {
		put(t, dir, "secret.csv", goodBill(t, dir))
		chmod(t, 0, dir, "secret.csv")
	},
	"file_named_twice": func(t *testing.T, dir string) { put(t, dir, "again.csv", goodBill(t, dir)) },
	"pipe":             func(t *testing.T, dir string) { pipe(t, dir, "pipe") },

	"xlsx_without_parts": func(t *testing.T, dir string) {
		put(t, dir, "charges.xlsx", zipped(t, "[Content_Types].xml", "<Types/>", "xl/workbook.xml", "<workbook/>"))
	},
	"xlsx":                      func(t *testing.T, dir string) { workbookOf(t, dir, nil) },
	"xlsx_ids_that_are_numbers": func(t *testing.T, dir string) { workbookOf(t, dir, map[string]any{"C3": 1.2345678901234567e19}) },
	"xlsx_formula_without_value": func(t *testing.T, dir string) {
		workbookOf(t, dir, map[string]any{"H4": excelize.Cell{Formula: "H2+H3"}})
	},
	"xlsx_of_no_table": func(t *testing.T, dir string) {
		workbookOf(t, dir, map[string]any{"D1": "colour", "H1": "=cmd|' /C calc'!A0"})
	},
	"xlsx_binary": func(t *testing.T, dir string) {
		put(t, dir, "charges.xlsb", zipped(t, "[Content_Types].xml", "<Types/>", "xl/workbook.bin", ""))
	},
	"zip": func(t *testing.T, dir string) {
		put(t, dir, "charges.zip", zipped(t, "october/charges.csv", string(goodBill(t, dir)), "__MACOSX/october/._charges.csv", "\x00\x05"))
	},
	"zip_of_a_text": func(t *testing.T, dir string) {
		put(t, dir, "charges.zip", zipped(t, "charges.csv", string(goodBill(t, dir)), "README.txt", "Dear customer, this is your bill."))
	},
	"zip_within_a_zip": func(t *testing.T, dir string) {
		put(t, dir, "charges.zip", zipped(t, "inner.zip", string(zipped(t, "charges.csv", string(goodBill(t, dir))))))
	},
	"zip_that_leads_out": func(t *testing.T, dir string) {
		put(t, dir, "charges.zip", zipped(t, "../charges.csv", string(goodBill(t, dir))))
	},
	"zip_name_with_escapes": func(t *testing.T, dir string) {
		put(t, dir, "charges.zip", zipped(t, "a\x1b[2J\nretrytax: error: all is lost.csv", "a poem, and no bill\n"))
	},
	"zip_bomb": func(t *testing.T, dir string) {
		put(t, dir, "charges.zip", zipped(t, "charges.csv", string(goodBill(t, dir))+strings.Repeat(" ", 300<<20)))
	},
	"zip_cut_short": func(t *testing.T, dir string) {
		b := zipped(t, "charges.csv", string(goodBill(t, dir)))
		put(t, dir, "charges.zip", b[:len(b)*2/3])
	},
	"zip_encrypted": func(t *testing.T, dir string) {
		b := zipped(t, "charges.csv", string(goodBill(t, dir)))
		b[6] |= 1
		b[bytes.LastIndex(b, []byte("PK\x01\x02"))+8] |= 1
		put(t, dir, "charges.zip", b)
	},
	"zip_without_that_file": func(t *testing.T, dir string) {
		put(t, dir, "charges.zip", zipped(t, "charges.csv", string(goodBill(t, dir))))
	},
	"gbk": func(t *testing.T, dir string) {
		bill := strings.ReplaceAll(string(goodBill(t, dir)), ",app", ",\u751f\u4ea7\u73af\u5883")
		b, err := simplifiedchinese.GBK.NewEncoder().Bytes([]byte(bill))
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, "charges.csv", b)
	},
	"gzip_cut_short": func(t *testing.T, dir string) {
		b := gzipped(t, goodBill(t, dir))
		put(t, dir, "charges.csv.gz", b[:len(b)*2/3])
	},
	"gzip_damaged": func(t *testing.T, dir string) {
		b := gzipped(t, goodBill(t, dir))
		b[len(b)-6] ^= 1 // its checksum
		put(t, dir, "charges.csv.gz", b)
	},
	"zstd_cut_short": func(t *testing.T, dir string) {
		b := zstded(t, goodBill(t, dir), 1)
		put(t, dir, "charges.csv.zst", b[:len(b)*2/3])
	},
	"zstd_bomb": func(t *testing.T, dir string) {
		put(t, dir, "charges.csv.zst", zstded(t, goodBill(t, dir), 1), zstded(t, bytes.Repeat([]byte(" "), 1<<20), 300))
	},
	"zstd_of_a_huge_window": func(t *testing.T, dir string) {
		// A frame that says: window of 2 GiB, size unknown, one raw block of one byte.
		put(t, dir, "charges.csv.zst", []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x09, 0x00, 0x00, 'x'})
	},

	"line_of_100_MB": func(t *testing.T, dir string) {
		log, end := goodLog(t, dir)
		put(t, dir, "app.log", log, []byte("ts=2026-10-03T12:05:00Z evt=llm_call rid=a1 attempt=1/1 result=fatal reason="), hundredMB(), []byte("\n"), end)
	},
	"first_line_of_100_MB": func(t *testing.T, dir string) {
		log, end := goodLog(t, dir)
		put(t, dir, "app.log", hundredMB(), []byte("\n"), log, end)
	},
	"field_of_100_MB": func(t *testing.T, dir string) {
		bill := goodBill(t, dir)
		put(t, dir, "charges.csv", bill, []byte(`acme,c5,a1b2c3d4e5f60001,2026-10-03T12:00:00.100Z,m-large,100,50,0.01,USD,"`), hundredMB(), []byte("\",app\n"),
			[]byte("acme,c6,,2026-10-03T12:03:00.100Z,m-small,100,50,0.01,USD,stop,app\n"))
	},

	"log_grows":      func(t *testing.T, dir string) { pipe(t, dir, "z.pipe") },
	"bill_shrinks":   func(t *testing.T, dir string) { pipe(t, dir, "z.pipe") },
	"bill_replaced":  func(t *testing.T, dir string) { pipe(t, dir, "z.pipe") },
	"bill_rewritten": func(t *testing.T, dir string) { pipe(t, dir, "z.pipe") },
	"bill_removed":   func(t *testing.T, dir string) { pipe(t, dir, "z.pipe") },

	"name_with_quotes_and_blanks": func(t *testing.T, dir string) { rename(t, dir, "charges.csv", `it's; DROP TABLE x -- "now".csv`) },
	"name_with_a_line_break": func(t *testing.T, dir string) {
		put(t, dir, "bill\nretrytax: error: all is lost.csv", []byte("a poem, and no bill\n"))
	},
	"name_that_is_not_utf8":        func(t *testing.T, dir string) { rename(t, dir, "app.log", "caf\xe9.log") },
	"name_that_begins_with_a_dash": func(t *testing.T, dir string) { rename(t, dir, "app.log", "-app.log") },
	"name_behind_two_dashes":       func(t *testing.T, dir string) { rename(t, dir, "app.log", "-app.log") },
	"name_of_glob_characters": func(t *testing.T, dir string) {
		rename(t, dir, "charges.csv", "charges[1]*.csv")
		put(t, dir, "charges1.csv", []byte("not this one"))
	},

	"out_not_writable": func(t *testing.T, dir string) {
		if err := os.Mkdir(filepath.Join(dir, "report"), 0o555); err != nil {
			t.Fatal(err)
		}
	},
	// The two headers of a database lie at 4 KiB and 8 KiB, each behind its checksum.
	"db_damaged": func(t *testing.T, dir string) {
		b := database(t, dir)
		b[4096+16] ^= 0xff
		b[8192+16] ^= 0xff
		put(t, dir, "books.duckdb", b)
	},
	"db_cut_short": func(t *testing.T, dir string) {
		b := database(t, dir)
		put(t, dir, "books.duckdb", b[:len(b)/2])
	},
	"stdin_disk_full": func(t *testing.T, dir string) {
		put(t, dir, "large.csv", bytes.Repeat(goodBill(t, dir), 500))
	},
	"spill_disk_full": func(t *testing.T, dir string) {
		c := synth.Mixed(7)
		c.Requests = 20_000
		w := synth.Generate(c)
		var attempts, charges bytes.Buffer
		if err := w.WriteAttempts(&attempts, synth.JSONL); err != nil {
			t.Fatal(err)
		}
		if err := w.WriteCharges(&charges, synth.CSV); err != nil {
			t.Fatal(err)
		}
		put(t, dir, "attempts.jsonl", attempts.Bytes())
		put(t, dir, "large.csv", charges.Bytes())
	},

	"interrupted_while_reading_a_pipe": func(t *testing.T, dir string) { pipe(t, dir, "pipe") },
	"terminated_while_opening_a_pipe": func(t *testing.T, dir string) {
		pipe(t, dir, "a.pipe")
		pipe(t, dir, "b.pipe")
	},
}

// database is a database of retrytax into which the good files were loaded.
func database(t *testing.T, dir string) []byte {
	t.Helper()
	cmd := exec.Command("retrytax", "ingest", "app.log", "charges.csv", "--db", "books.duckdb")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return read(t, dir, "books.duckdb")
}

func put(t *testing.T, dir, name string, parts ...[]byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), bytes.Join(parts, nil), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func goodBill(t *testing.T, dir string) []byte { return read(t, dir, "charges.csv") }

// goodLog is the good log in two halves.
func goodLog(t *testing.T, dir string) (begin, end []byte) {
	lines := strings.SplitAfter(string(read(t, dir, "app.log")), "\n")
	return []byte(strings.Join(lines[:3], "")), []byte(strings.Join(lines[3:], ""))
}

func hundredMB() []byte { return bytes.Repeat([]byte("x"), 100<<20) }

func link(t *testing.T, to, dir, name string) {
	t.Helper()
	if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func pipe(t *testing.T, dir, name string) {
	t.Helper()
	if err := syscall.Mkfifo(filepath.Join(dir, name), 0o666); err != nil {
		t.Fatal(err)
	}
}

func chmod(t *testing.T, mode os.FileMode, dir, name string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Skipf("SKIPPED: this file system takes no such name: %v", err)
	}
}

func gzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// zstded compresses b, so many times over.
func zstded(t *testing.T, b []byte, times int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	for range times {
		if _, err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// workbookOf writes the good bill as charges.xlsx, with some cells changed.
func workbookOf(t *testing.T, dir string, changed map[string]any) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(goodBill(t, dir))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	f := excelize.NewFile()
	set := func(at string, v any) {
		var err error
		if c, ok := v.(excelize.Cell); ok {
			err = f.SetCellFormula("Sheet1", at, c.Formula)
		} else {
			err = f.SetCellValue("Sheet1", at, v)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for r, row := range rows {
		for c, v := range row {
			at, err := excelize.CoordinatesToCellName(c+1, r+1)
			if err != nil {
				t.Fatal(err)
			}
			if _, other := changed[at]; !other {
				set(at, v)
			}
		}
	}
	for at, v := range changed {
		set(at, v)
	}
	if err := f.SaveAs(filepath.Join(dir, "charges.xlsx")); err != nil {
		t.Fatal(err)
	}
}

// zipped is an archive of pairs of names and contents.
func zipped(t *testing.T, pairs ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(pairs); i += 2 {
		f, err := w.Create(pairs[i])
		if err == nil {
			_, err = f.Write([]byte(pairs[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
