package source

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
)

const bill = "charge_id,charged_at,amount\nc1,t,1\nc2,t,2é\n"

func gz(parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		w := gzip.NewWriter(&b)
		w.Write([]byte(p))
		w.Close()
	}
	return b.Bytes()
}

// The same bill in every wrapping gives the same records and the same hash.
func TestWrappings(t *testing.T) {
	z, _ := zstd.NewWriter(nil)
	utf16 := func(e unicode.Endianness, bom unicode.BOMPolicy) []byte {
		b, _ := unicode.UTF16(e, bom).NewEncoder().Bytes([]byte(bill))
		return b
	}
	want := decode(t, bill, Options{})
	for name, content := range map[string][]byte{
		"gzip":                gz(bill),
		"gzip in two members": gz(bill[:40], bill[40:]),
		"zstd":                z.EncodeAll([]byte(bill), nil),
		"a mark":              []byte("\uFEFF" + bill),
		"UTF-16":              utf16(unicode.LittleEndian, unicode.UseBOM),
		"UTF-16 big":          utf16(unicode.BigEndian, unicode.UseBOM),
		"UTF-16 bare":         utf16(unicode.LittleEndian, unicode.IgnoreBOM),
		"UTF-16 gzip":         gz(string(utf16(unicode.LittleEndian, unicode.UseBOM))),
		"CRLF":                []byte(strings.ReplaceAll(bill, "\n", "\r\n")),
	} {
		t.Run(name, func(t *testing.T) {
			got := decode(t, string(content), Options{BlockSize: 16})
			if strings.Contains(name, "gzip") && !strings.Contains(name, "UTF") || name == "zstd" {
				if got.Stats != want.Stats {
					t.Errorf("stats %+v, expected %+v", got.Stats, want.Stats)
				}
			}
			if diff := cmp.Diff(want.String(), got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPathsAndStandardInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bill.txt")
	if err := os.WriteFile(path, []byte(bill), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, "-"} {
		in, err := NewInput(p, io.MultiReader(strings.NewReader(bill[:9]), strings.NewReader(bill[9:])))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // it can be read again
			rec, err := Recognise(in, "")
			if err != nil {
				t.Fatal(err)
			}
			if got := decodeAs(t, in, rec, Options{}); in.Name != p || len(got.Records) != 2 {
				t.Errorf("%s: %v", in.Name, got)
			}
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	cut := filepath.Join(dir, "cut.gz")
	whole := gz(strings.Repeat(bill, 1000))
	os.WriteFile(cut, whole[:len(whole)-20], 0o600)
	secret := filepath.Join(dir, "secret")
	os.WriteFile(secret, []byte(bill), 0)

	check := func(path string, kind error, found string) {
		t.Helper()
		in, err := NewInput(path, nil)
		if err == nil {
			_, err = Recognise(in, "")
		}
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, kind) || !strings.Contains(e.Found, found) || e.File != path {
			t.Errorf("%s: %v", path, err)
		}
	}
	check(filepath.Join(dir, "none"), ErrNotExist, "no such file")
	check(dir, ErrDirectory, "a directory")
	check(cut, ErrCorrupt, "broken gzip data")
	if runtime.GOOS != "windows" && os.Geteuid() != 0 {
		check(secret, ErrUnreadable, "a file that you may not read")
	}
}

// A file that breaks off behind its sample breaks the reading, not just the hash.
func TestCorruptLater(t *testing.T) {
	var text strings.Builder
	text.WriteString(bill)
	for i := range 200_000 {
		text.WriteString("c" + sha(string(rune(i)))[:20] + ",t,1\n")
	}
	whole := gz(text.String())
	in := BytesInput("f", whole[:len(whole)/2])
	rec, err := Recognise(in, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(context.Background(), in, rec, Options{BlockSize: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
	if _, again := r.Next(); again != err {
		t.Error("the error does not last:", again)
	}
}

func TestCancelAndClose(t *testing.T) {
	in := BytesInput("f", []byte(bill+strings.Repeat("c3,t,3\n", 300_000)))
	rec, _ := Recognise(in, "")
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Open(ctx, in, rec, Options{BlockSize: 1 << 12})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	cancel()
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r.Close()
	r.Close()
}

func TestRawLines(t *testing.T) {
	lines := `{"id":1,"prompt":"p"}` + "\n\n" + `{"id":3}` + "\r\n" + strings.Repeat("x", 300_000) + "\nlast"
	got, err := RawLines(BytesInput("f", gz(lines)), []int64{3, 1, 4, 5, 9}, false)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 300_000)
	want := map[int64]string{1: `{"id":1,"prompt":[redacted]}`, 3: `{"id":3}`, 5: "last",
		4: long[:maxRaw] + "… [300000 bytes, sha256 " + sha(long) + "]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// A table with a column of prompts shows no such cell.
	table := "charge_id,charged_at,amount,prompt\nc1,t,x,secret text\nc2,t,x,\"open secret\n"
	got, err = RawLines(BytesInput("f", []byte(table)), []int64{2, 3}, false)
	if err != nil {
		t.Fatal(err)
	}
	want = map[int64]string{2: "c1,t,x,[redacted]", 3: "[redacted] … [19 bytes, sha256 " + sha(`c2,t,x,"open secret`) + "]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got, _ = RawLines(BytesInput("f", []byte(table)), []int64{2}, true)
	if got[2] != "c1,t,x,secret text" {
		t.Error(got)
	}
}
