package report

import (
	"context"
	"os"
	"path/filepath"
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
