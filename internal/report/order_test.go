package report

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRowsAreWrittenInTheOrderOfTheirPlaces(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"none":                     {"place,a,b\n", "a,b\n"},
		"shuffled":                 {"place,a,b\n3,x,1\n1,y,2\n2,,\n", "a,b\ny,2\n,\nx,1\n"},
		"line ends inside quotes":  {"place,a\n2,\"p\n1,q\"\n1,\"\"\"\n\"\n", "a\n\"\"\"\n\"\n\"p\n1,q\"\n"},
		"a place twice":            {"place,a\n1,x\n1,y\n", ""},
		"a place that is too high": {"place,a\n2,x\n", ""},
	} {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
		if err := os.WriteFile(from, []byte(c.in), 0o666); err != nil {
			t.Fatal(err)
		}
		err := orderRows(context.Background(), from, to)
		got, _ := os.ReadFile(to)
		if (err != nil) != (c.want == "") || string(got) != c.want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, c.want)
		}
	}
}

// Rows of several blocks, far from their neighbours or beside them, and one longer than what is read at a time.
func TestManyRowsAreWrittenInTheOrderOfTheirPlaces(t *testing.T) {
	const n = 2*orderBlock + 1000
	random := rand.New(rand.NewPCG(1, 0))
	near := make([]int, n) // shuffled within a few rows only
	for i := range near {
		near[i] = i
	}
	for i := 0; i+8 <= n; i += 8 {
		random.Shuffle(8, func(a, b int) { near[i+a], near[i+b] = near[i+b], near[i+a] })
	}
	row := func(place int) string {
		if place == 70_000 {
			return "\"" + strings.Repeat("long,\n", readSpan/4) + "\"\n"
		}
		return fmt.Sprintf("row %d\n", place)
	}
	for name, places := range map[string][]int{"anywhere": random.Perm(n), "near": near} {
		dir := t.TempDir()
		from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
		var in, want strings.Builder
		in.WriteString("place,a\n")
		want.WriteString("a\n")
		for i, p := range places {
			fmt.Fprintf(&in, "%d,%s", p+1, row(p))
			want.WriteString(row(i))
		}
		if err := os.WriteFile(from, []byte(in.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := orderRows(context.Background(), from, to); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(to); err != nil || string(got) != want.String() {
			t.Errorf("%s: got another order in %d bytes, want %d bytes in order (%v)", name, len(got), want.Len(), err)
		}
	}
}
