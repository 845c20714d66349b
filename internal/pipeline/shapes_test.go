package pipeline

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrytax/internal/store"
	"retrytax/queries"
)

// TestShapes holds queries/shapes.txt to what the queries make: the columns of every table
// that can be told to be empty. That the conditions are right is TestQueries' to show: it
// runs the files as an audit does, and a case with rows fails where they hold.
func TestShapes(t *testing.T) {
	const path = "../../queries/shapes.txt"
	b := newBench(t)
	defer b.s.Close()
	var got strings.Builder
	for _, stage := range headedFolders {
		for _, f := range queries.In(stage) {
			if f.Empty() == "" {
				continue
			}
			if err := b.s.Run(b.ctx, f.Path, f.SQL); err != nil {
				t.Fatal(err)
			}
			cols, err := b.describe("FROM " + store.Ident(f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			var list []string
			for _, c := range cols {
				list = append(list, c.name+" "+c.kind)
			}
			got.WriteString(f.Name() + " (" + strings.Join(list, ", ") + ")\n")
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("queries/shapes.txt (-expected +found); -update rewrites it:\n%s", d)
	}
}
