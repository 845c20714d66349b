// Package parts divides the tests that take long: an ordinary run takes one case in so many,
// `-rest` takes the others. It is for tests alone.
package parts

import (
	"flag"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
)

var rest = flag.Bool("rest", false, "run the cases that an ordinary run of the long tests leaves out")

// Takes is whether this run takes the case of this name, of which an ordinary run takes one in so many.
// The name alone decides. Whoever names cases (-run TestX/y) gets them.
func Takes(name string, oneIn uint32) bool {
	if named() {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return (h.Sum32()%oneIn == 0) != *rest
}

// Of are the names that this run takes. It fails the test if that is none, and says how many are left out.
func Of(t testing.TB, names []string, oneIn uint32) (taken []string) {
	t.Helper()
	for _, n := range names {
		if Takes(n, oneIn) {
			taken = append(taken, n)
		}
	}
	Told(t, len(taken), len(names))
	return taken
}

// OfEach are the names that this run takes of each kind: an ordinary run takes the first in the order of names, and
// then one in so many.
func OfEach(t testing.TB, names []string, kind func(name string) string, oneIn int) (taken []string) {
	t.Helper()
	before := map[string]int{}
	for _, n := range slices.Sorted(slices.Values(names)) {
		if k := kind(n); named() || (before[k]%oneIn == 0) != *rest {
			taken = append(taken, n)
		}
		before[kind(n)]++
	}
	Told(t, len(taken), len(names))
	return taken
}

// Later leaves a test to a run with -rest, and to whoever names tests.
func Later(t testing.TB) {
	t.Helper()
	if !*rest && asked() == "" {
		t.Skip("takes long; -rest runs it")
	}
}

// Told fails a test that took no case, and says how many it left out.
func Told(t testing.TB, taken, all int) {
	t.Helper()
	switch {
	case taken == 0:
		t.Fatalf("this run takes none of %d cases, expected some", all)
	case taken < all && *rest:
		t.Logf("%d of %d cases: the others are those of a run without -rest", taken, all)
	case taken < all:
		t.Logf("%d of %d cases: -rest runs the others", taken, all)
	}
}

func named() bool { return strings.Contains(asked(), "/") }

// asked is the pattern of tests that were asked for.
func asked() string {
	if f := flag.Lookup("test.run"); f != nil {
		return f.Value.String()
	}
	return ""
}
