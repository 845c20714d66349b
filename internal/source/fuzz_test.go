package source

import (
	"bytes"
	"testing"

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
