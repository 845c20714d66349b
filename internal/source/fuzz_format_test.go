package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// formatSamples are the samples of all formats.
func formatSamples(f testing.TB) (out [][]byte) {
	paths, err := filepath.Glob("../../testdata/formats/*/*")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no samples (%v)", err)
	}
	for _, p := range paths {
		if filepath.Ext(p) == ".expect" {
			continue
		}
		text, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

// formatNamed is a format by its name.
func formatNamed(name string) *Format {
	all := allFormats()
	i := slices.IndexFunc(all, func(f *Format) bool { return f.Name == name })
	return all[i]
}

// FuzzFormatDecoders feeds anything to the decoders that only formats use: records inside records,
// objects that pass as their text, lines that a pattern takes apart.
func FuzzFormatDecoders(f *testing.F) {
	for _, s := range formatSamples(f) {
		if len(s) <= 4096 {
			f.Add(s)
		}
	}
	nested, raw := formatNamed("otlp-spans"), formatNamed("litellm-spend-logs")
	fuzzDecode(f, Recognised{Role: Attempts, Syntax: JSONL, vendor: nested}, Recognised{Role: Bills, Syntax: JSONL, vendor: formatNamed("openai-costs"), shape: jsonDocument, array: true, outer: 1},
		Recognised{Syntax: JSONL, vendor: raw}, Recognised{Role: Attempts, Syntax: JSONL, vendor: formatNamed("pino-json")},
		Recognised{Role: Attempts, Syntax: Lines, vendor: formatNamed("envoy-text")}, Recognised{Role: Retries, Syntax: Lines, vendor: formatNamed("sdk-retries")})
}

// FuzzRecogniseFormats feeds samples that are changed anyhow to all that happens before the
// database: every row of what is recognised is accounted for, whatever the threads.
func FuzzRecogniseFormats(f *testing.F) {
	for _, s := range formatSamples(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		in := BytesInput("f", content)
		in.Priced = true
		rec, err := Recognise(in, "")
		if err != nil || rec.vendor == nil {
			t.Skip("nothing of a vendor's")
		}
		decodeAs(t, in, rec, Options{Threads: 1})
	})
}
