package pipeline

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"retrytax/internal/source"
)

// FuzzFormatQueries lands samples that are changed anyhow: a format's query must take whatever its
// columns hold, and the rows must add up (landCase looks at that).
func FuzzFormatQueries(f *testing.F) {
	paths, err := filepath.Glob(formatCases + "/*/*")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no samples (%v)", err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		if filepath.Ext(p) != ".expect" {
			f.Add(text)
		}
	}
	s := newFormatStore(f)
	f.Fuzz(func(t *testing.T, content []byte) {
		in := source.BytesInput("f", content)
		in.Priced = true
		if rec, err := source.Recognise(in, ""); err != nil || rec.Vendor() == nil {
			t.Skip("nothing of a vendor's")
		}
		var known *source.Error
		if _, err := landCase(s, in); err != nil && !errors.As(err, &known) {
			t.Fatalf("%v", err)
		}
	})
}
