// Package parts divides the tests that take long: an ordinary run takes one case in so many,
// `-rest` takes the others. It is for tests alone.
package parts

import (
	"flag"
	"strings"
	"testing"
)

var rest = flag.Bool("rest", false, "run the cases that an ordinary run of the long tests leaves out")

// Of are the cases that this run takes: an ordinary run the first and then one in so many, in their order. One in 1 are
// all, whatever the run. Whoever names cases (-run TestX/y) gets them. A run that takes none fails.
func Of[T any](t testing.TB, cases []T, oneIn int) []T {
	t.Helper()
	return OfEach(t, cases, oneIn, func(T) string { return "" })
}

// OfEach is Of for the cases of each kind, so that an ordinary run has the first of each.
func OfEach[T any](t testing.TB, cases []T, oneIn int, kind func(T) string) (taken []T) {
	t.Helper()
	all := oneIn == 1 || strings.Contains(asked(), "/")
	before := map[string]int{}
	for _, c := range cases {
		k := kind(c)
		if all || (before[k]%oneIn == 0) != *rest {
			taken = append(taken, c)
		}
		before[k]++
	}
	switch left := len(cases) - len(taken); {
	case len(taken) == 0:
		t.Fatalf("this run takes none of %d cases, expected some", len(cases))
	case left > 0 && *rest:
		t.Logf("%d of %d cases: the others are those of a run without -rest", len(taken), len(cases))
	case left > 0:
		t.Logf("%d of %d cases: -rest runs the others", len(taken), len(cases))
	}
	return taken
}

// Later leaves a test to a run with -rest, and to whoever names tests.
func Later(t testing.TB) {
	t.Helper()
	if !*rest && asked() == "" {
		t.Skip("takes long; -rest runs it")
	}
}

// asked is the pattern of tests that were asked for.
func asked() string {
	if f := flag.Lookup("test.run"); f != nil {
		return f.Value.String()
	}
	return ""
}
