package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrytax/internal/source"
	"retrytax/internal/store"
)

// A vendor's table as Parquet, with the types that a database gives its columns, gives the rows
// of the same table as CSV.
func TestParquetOfFormats(t *testing.T) {
	s := newFormatStore(t)
	defer s.Close()
	lines := regexp.MustCompile(`source_line=\d+ `)
	for _, name := range []string{"aws-cur/sample.csv", "focus-bill/sample.csv", "focus-bill/sample_cloud.csv", "litellm-spend-logs/sample.csv", "litellm-daily/sample.csv"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "table.parquet")
			query := "COPY (FROM read_csv(" + store.Literal(filepath.Join(formatCases, name)) + ", header = true)) TO " + store.Literal(path) + " (FORMAT parquet)"
			if err := s.Exec(context.Background(), query); err != nil {
				t.Fatal(err)
			}
			in, err := source.NewInput(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := landCase(s, in)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(formatCases, name+".expect"))
			if err != nil {
				t.Fatal(err)
			}
			rows := func(text string) string { return lines.ReplaceAllString(text, "") }
			if d := cmp.Diff(strings.Split(strings.TrimSpace(rows(string(want))), "\n"), strings.Split(strings.TrimSpace(rows(strings.Join(got, "\n"))), "\n")); d != "" {
				t.Errorf("(-CSV +Parquet):\n%s", d)
			}
		})
	}
}
