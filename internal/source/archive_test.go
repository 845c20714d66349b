package source

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zip"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// zipOf is an archive of pairs of names and contents.
func zipOf(t tb, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: pairs[i], Method: zip.Deflate, NonUTF8: true})
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
	return b.Bytes()
}

// expand gives what an archive holds.
func expand(t *testing.T, content []byte, o Expansion) (names []string, ins []*Input, notes []string) {
	t.Helper()
	ins, notes, err := Expand(BytesInput("x.zip", content), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range ins {
		names = append(names, in.Name)
	}
	t.Cleanup(func() {
		for _, in := range ins {
			if err := in.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return names, ins, notes
}

// A bill is the same content within an archive and outside of it.
func TestZipMembers(t *testing.T) {
	gbk, _ := simplifiedchinese.GBK.NewEncoder().String("账单/十月.csv")
	names, ins, notes := expand(t, zipOf(t, "a/", "", "a/b.csv", bill, "c.csv.gz", string(gz(bill)), gbk, bill, "__MACOSX/._b.csv", "x", "a\\d.csv", bill), Expansion{})
	if want := []string{"x.zip/a/b.csv", "x.zip/c.csv.gz", "x.zip/账单/十月.csv", "x.zip/a/d.csv"}; !cmp.Equal(names, want) {
		t.Errorf("found %q, expected %q", names, want)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "1 file of a file manager left out") {
		t.Errorf("found notes %q", notes)
	}
	want := decode(t, bill, Options{})
	for _, in := range ins {
		rec, err := Recognise(in, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := decodeAs(t, in, rec, Options{}); !cmp.Equal(got, want) {
			t.Errorf("%s: %s", in.Name, cmp.Diff(want, got))
		}
		if in.Container() != "x.zip" {
			t.Errorf("%s lies in %q", in.Name, in.Container())
		}
	}
}

func TestZipMembersThatAreNamed(t *testing.T) {
	content := zipOf(t, "a/b.csv", bill, "a/c.csv", bill, "d.log", "x")
	for member, want := range map[string]string{"a/b.csv": "x.zip/a/b.csv", "b.csv": "x.zip/a/b.csv", "*.csv": "x.zip/a/b.csv x.zip/a/c.csv", "a/[bc].csv": "x.zip/a/b.csv x.zip/a/c.csv"} {
		if names, _, _ := expand(t, content, Expansion{Members: []string{member}}); strings.Join(names, " ") != want {
			t.Errorf("%s: found %q, expected %s", member, names, want)
		}
	}
	_, _, err := Expand(BytesInput("x.zip", content), Expansion{Members: []string{"e.csv"}})
	if !errors.Is(err, ErrNotExist) || !strings.Contains(err.Error(), "x.zip has the members a/b.csv, a/c.csv, d.log") {
		t.Errorf("found %v", err)
	}
	if _, _, err := Expand(BytesInput("x.csv", []byte(bill)), Expansion{Members: []string{"e.csv"}}); !errors.Is(err, ErrNotExist) {
		t.Errorf("found %v", err)
	}
}

// Archives that no export makes are refused before anything of them is believed.
func TestZipRefused(t *testing.T) {
	good := zipOf(t, "a.csv", strings.Repeat(bill, 100))
	damaged := bytes.Clone(good)
	copy(damaged[60:], "xxxxxxxxxxxx")
	encrypted := bytes.Clone(good)
	encrypted[6] |= 1
	encrypted[bytes.LastIndex(encrypted, []byte("PK\x01\x02"))+8] |= 1
	method := bytes.Clone(good)
	method[8] = 97
	method[bytes.LastIndex(method, []byte("PK\x01\x02"))+10] = 97
	sized := bytes.Clone(good)
	copy(sized[bytes.LastIndex(sized, []byte("PK\x01\x02"))+24:], "\xff\xff\xff\x7f")
	overlapping := bytes.Clone(good)
	copy(overlapping[bytes.LastIndex(overlapping, []byte("PK\x01\x02"))+20:], "\xff\xff\xff\x00")
	for _, c := range []struct {
		name    string
		content []byte
		kind    error
		found   string
	}{
		{"cut", good[:len(good)-30], ErrCorrupt, "broken zip data"},
		{"damaged", damaged, ErrCorrupt, "broken zip data"},
		{"encrypted", encrypted, ErrUnreadable, "an encrypted file"},
		{"a method of its own", method, ErrCorrupt, "compression method 97"},
		{"too dense by its directory", sized, ErrCorrupt, "more than 2047 MB packed into 1 KB"},
		{"overlapping", overlapping, ErrCorrupt, "members that overlap each other"},
		{"up", zipOf(t, "../a.csv", bill), ErrCorrupt, `a member named "../a.csv", which leads out of the archive`},
		{"up, from Windows", zipOf(t, `a\..\..\a.csv`, bill), ErrCorrupt, "which leads out of the archive"},
		{"absolute", zipOf(t, "/etc/a.csv", bill), ErrCorrupt, "which leads out of the archive"},
		{"a drive", zipOf(t, "C:/a.csv", bill), ErrCorrupt, "which leads out of the archive"},
		{"within another", zipOf(t, "b.zip", string(good)), ErrUnrecognised, "an archive within an archive"},
		{"empty", zipOf(t), ErrEmpty, "an archive without files"},
		{"only left behind", zipOf(t, ".DS_Store", "x"), ErrEmpty, "an archive without files"},
		{"a document", zipOf(t, "[Content_Types].xml", "", "word/document.xml", ""), ErrUnrecognised, "a Word document"},
		{"many", zipOf(t, strings.Split(strings.Repeat("a,b,", mostMembers+1), ",")[:2*mostMembers+2]...), ErrCorrupt, "an archive of 10001 files"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ins, _, err := Expand(BytesInput("x.zip", c.content), Expansion{})
			for _, in := range ins {
				if err == nil {
					_, err = Look(in, nil)
				}
			}
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, c.kind) || !strings.Contains(e.Found, c.found) || e.Hint == "" {
				t.Fatalf("found %v, expected %s", err, c.found)
			}
		})
	}
}

// A bomb is refused by what its directory says, and where that lies, by its bytes.
func TestZipBomb(t *testing.T) {
	defer func(n int64) { bombBytes = n }(bombBytes)
	bombBytes = 1 << 20
	b := zipOf(t, "a.csv", bill+strings.Repeat(" ", 8<<20))
	if _, _, err := Expand(BytesInput("x.zip", b), Expansion{}); err == nil || !strings.Contains(err.Error(), "more than 8 MB packed into") {
		t.Fatalf("found %v, expected that it is refused", err)
	}
	copy(b[bytes.LastIndex(b, []byte("PK\x01\x02"))+24:], "\x00\x00\x01\x00")
	_, ins, _ := expand(t, b, Expansion{})
	if _, err := Look(ins[0], nil); !errors.Is(err, ErrCorrupt) {
		t.Fatalf("found %v, expected that it is refused", err)
	}
}

func TestSplitMember(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "b.zip")
	if err := os.WriteFile(file, zipOf(t, "a.csv", bill), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{file: "", file + "/a.csv": "a.csv", file + "/x/a.csv": "x/a.csv", file + "/": "", dir + "/no/a.csv": "", dir: "", "a.csv": ""} {
		if _, member := SplitMember(name); member != want {
			t.Errorf("%s: found %q, expected %q", name, member, want)
		}
	}
}

// An archive that changes while it is read is no archive.
func TestZipThatChanges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b.zip")
	content := zipOf(t, "a.csv", strings.Repeat(bill, 100_000))
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := NewInput(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	ins, _, err := Expand(in, Expansion{})
	if err != nil {
		t.Fatal(err)
	}
	defer ins[0].Close()
	if want := file + "/a.csv"; ins[0].Path() != want {
		t.Errorf("found path %s, expected %s", ins[0].Path(), want)
	}
	if err := os.WriteFile(file, content[:200], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Look(ins[0], nil); !errors.Is(err, ErrChanged) {
		t.Errorf("found %v, expected that it has changed", err)
	}
}
