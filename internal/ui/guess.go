package ui

import (
	"fmt"
	"io"
	"strings"

	"retrytax/internal/source"
)

// guessColumns is of how many columns a guess tells.
const guessColumns = 60

// WriteGuess prints what a table that fits nothing could be: its columns, what is missing, and
// a mapping to paste, as a flag and for the configuration.
func WriteGuess(w io.Writer, g *source.Guess, opts Options) error {
	p := newPage(opts)
	what := "a bill"
	switch g.Role {
	case source.Attempts:
		what = "an attempt log"
	case source.Bills:
		what = "a file of totals"
	}
	p.blank()
	p.text("The columns of "+Clean(g.File)+", and what they could be if it is "+what, "  ", bold)
	t := table{cols: []column{{title: "column", min: 12, tail: true}, {title: "looks like", drop: true}, {title: "could be"}}}
	for _, c := range g.Columns[:min(len(g.Columns), guessColumns)] {
		t.add(Clean(c.Name), Clean(c.Shape), c.To)
	}
	t.write(p)
	if more := len(g.Columns) - guessColumns; more > 0 {
		p.item("and "+count(int64(more))+" more columns", "  ", dim)
	}
	if len(g.Missing) > 0 {
		p.blank()
		p.text("No column looks like", "  ", bold)
		for _, m := range g.Missing {
			p.item(m, "  ", normal)
		}
		p.text("If one is there all the same, name it: --map '"+strings.FieldsFunc(g.Missing[0], func(r rune) bool { return r == ',' || r == ':' || r == ' ' })[0]+"=NAME,…'", "  ", normal)
	}
	for _, d := range g.Doubts {
		p.marked(cell{"  ! ", yellow}, Clean(d), "    ", normal)
	}
	if _, err := io.WriteString(w, p.b.String()); err != nil || g.Map == nil {
		return err
	}
	// Not on a page: what is to be pasted must not be broken into lines.
	_, err := fmt.Fprintf(w, "\nIf that is right, this reads it:\n  %s\nor in the file that --config names:\n  %s\n", Clean(g.Flag()), cleanLines(g.YAML()))
	return err
}

func cleanLines(lines []string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = Clean(l)
	}
	return strings.Join(out, "\n  ")
}
