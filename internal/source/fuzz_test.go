package source

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// fuzzDecode feeds a decoder anything: it must not panic, every row must be accounted for,
// and the size of the blocks must not matter.
func fuzzDecode(f *testing.F, recs ...Recognised) {
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 4096 {
			t.Skip("more of the same")
		}
		in := BytesInput("f", content)
		for _, rec := range recs {
			whole := decodeAs(t, in, rec, Options{Threads: 1, BlockSize: 8192, maxLine: 100})
			if cut := decodeAs(t, in, rec, Options{BlockSize: 16, maxLine: 100}); !cmp.Equal(whole, cut) {
				t.Fatal(cmp.Diff(whole, cut))
			}
		}
	})
}

func FuzzCSV(f *testing.F) { fuzzDecode(f, csvRec) }

func FuzzJSON(f *testing.F) {
	fuzzDecode(f, Recognised{Role: Charges, Syntax: JSONL}, Recognised{Role: Attempts, Syntax: JSONL},
		Recognised{Role: Charges, Syntax: JSONL, shape: jsonDocument, array: true, outer: 1},
		Recognised{Role: Charges, Syntax: JSONL, shape: jsonDocument})
}

// FuzzJSONObject compares with encoding/json.
func FuzzJSONObject(f *testing.F) {
	d := newJSONDecoder(Recognised{Role: Charges}, maxLine)
	f.Fuzz(func(t *testing.T, text []byte) {
		if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '{' {
			checkJSON(t, d, text)
		}
	})
}

func FuzzLogfmt(f *testing.F) {
	fuzzDecode(f, Recognised{Role: Attempts, Syntax: Logfmt}, Recognised{Role: Attempts, Syntax: Logfmt, marked: true})
}

func FuzzPythonText(f *testing.F) {
	fuzzDecode(f, Recognised{Role: Attempts, Syntax: Logfmt, python: true}, Recognised{Role: Attempts, Syntax: Logfmt})
}

func FuzzPythonJSON(f *testing.F) {
	fuzzDecode(f, Recognised{Role: Attempts, Syntax: JSONL, prefixed: true})
}

// FuzzRecognise feeds whole files, of which some are compressed, and decodes those that are
// taken for something.
func FuzzRecognise(f *testing.F) {
	f.Fuzz(func(t *testing.T, content []byte) {
		in := BytesInput("f", content)
		for _, role := range []Role{"", Attempts, Charges} {
			rec, err := Recognise(in, role)
			if err != nil {
				continue
			}
			r, err := Open(t.Context(), in, rec, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for err == nil {
				_, err = r.Next()
			}
			r.Close()
			if _, err := RawLines(in, []int64{1, 2, 5}, false); err != nil && r.Stats().SHA256 != "" {
				t.Fatal(err)
			}
		}
	})
}

// FuzzOpen feeds compressed data that may be damaged: it is read to its end or refused, and
// what was compressed comes back.
func FuzzOpen(f *testing.F) {
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, in := range []*Input{BytesInput("raw", content), BytesInput("zstd", append([]byte{0x28, 0xb5, 0x2f, 0xfd}, content...)),
			BytesInput("gzip", append([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}, content...))} {
			c, err := openContent(in)
			if err == nil {
				_, err = io.Copy(io.Discard, c)
				c.Close()
			}
			var e *Error
			if err != nil && (!errors.As(err, &e) || e.Found == "" || e.Hint == "") {
				t.Fatalf("%s: found %v, expected an error with a hint", in.Name, err)
			}
		}
		if len(content) > 0 && content[0] < 0x80 && content[0] > 0 { // no mark, no second compression
			c, err := openContent(BytesInput("f", gz(string(content))))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			back, err := io.ReadAll(c)
			// of another encoding it comes back as UTF-8, for which FuzzEncoding stands
			r, _ := toUTF8(content[:min(len(content), encodingBytes)], bytes.NewReader(content))
			text, _ := io.ReadAll(r)
			if err != nil || !bytes.Equal(back, text) {
				t.Fatalf("found %q back (%v), expected %q", back, err, text)
			}
		}
	})
}

// FuzzRawLines compares the lines that are read again with what splitting gives.
func FuzzRawLines(f *testing.F) {
	f.Fuzz(func(t *testing.T, content []byte, a, b uint8) {
		if len(content) == 0 || !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0 || bytes.HasPrefix(content, utf8Mark) {
			return
		}
		if len(bytes.TrimSpace(content)) == 0 {
			return
		}
		lines := strings.Split(string(content), "\n")
		found, err := RawLines(BytesInput("f", content), []int64{int64(a), int64(b)}, true)
		if err != nil {
			t.Skip("a compression that is broken")
		}
		for _, n := range []int64{int64(a), int64(b)} {
			got, has := found[n]
			if want := n >= 1 && n <= int64(len(lines)); has != want && !(n == int64(len(lines)) && lines[n-1] == "") {
				t.Fatalf("line %d of %d: found %v", n, len(lines), has)
			}
			if has && len(got) < maxRaw && got != strings.TrimSuffix(lines[n-1], "\r") {
				t.Fatalf("line %d: found %q, expected %q", n, got, lines[n-1])
			}
		}
	})
}
