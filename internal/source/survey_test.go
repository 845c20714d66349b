package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sumOf(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

func TestLook(t *testing.T) {
	const text = "one\ntwo\nthree"
	for name, c := range map[string]struct {
		content string
		sizes   []int64
		want    Survey
	}{
		"open end":        {text, []int64{4, 6, 13, 99}, Survey{Size: 13, SHA256: sumOf(text), Lines: 8, LinesSHA256: sumOf("one\ntwo\n"), Prefixes: map[int64]Prefix{4: {sumOf("one\n"), false}, 6: {sumOf("one\ntw"), true}, 13: {sumOf(text), false}}}},
		"whole lines":     {"one\ntwo\n", []int64{3}, Survey{Size: 8, SHA256: sumOf("one\ntwo\n"), Lines: 8, LinesSHA256: sumOf("one\ntwo\n"), Prefixes: map[int64]Prefix{3: {sumOf("one"), false}}}},
		"no line end":     {"one", nil, Survey{Size: 3, SHA256: sumOf("one"), LinesSHA256: sumOf(""), Prefixes: map[int64]Prefix{}}},
		"UTF-16":          {"\xff\xfea\x00\n\x00b\x00", nil, Survey{Size: 8, SHA256: sumOf("\xff\xfea\x00\n\x00b\x00"), Lines: 8, LinesSHA256: sumOf("\xff\xfea\x00\n\x00b\x00"), Prefixes: map[int64]Prefix{}}},
		"byte order mark": {"\xef\xbb\xbfa\nb", nil, Survey{Size: 6, SHA256: sumOf("\xef\xbb\xbfa\nb"), Lines: 5, LinesSHA256: sumOf("\xef\xbb\xbfa\n"), Prefixes: map[int64]Prefix{}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Look(BytesInput("f", []byte(c.content)), c.sizes)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// What Look says of a file is what decoding it says, of all of it and of its whole lines.
func TestLookAgreesWithTheDecoder(t *testing.T) {
	content := []byte("request_id,ts,outcome\nr1,2026-10-03T12:00:00Z,success\nr2,2026-10-03T12:00:01Z,succ")
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	in, err := NewInput(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Look(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(bytes.LastIndexByte(content, '\n') + 1); s.Lines != want || !in.Growing(s) || !s.OpenEnd() {
		t.Fatalf("found %+v, expected whole lines up to %d", s, want)
	}
	for _, c := range []struct {
		in   *Input
		sum  string
		rows int64
	}{{in, s.SHA256, 2}, {in.Limited(s.Lines), s.LinesSHA256, 1}} {
		rec, err := Recognise(c.in, Attempts)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Open(t.Context(), c.in, rec, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = r.Next()
		}
		if st := r.Stats(); st.SHA256 != c.sum || st.Rows != c.rows {
			t.Errorf("found %d rows of %s, expected %d of %s", st.Rows, st.SHA256, c.rows, c.sum)
		}
		r.Close()
	}
}
