package parts

import (
	"flag"
	"fmt"
	"testing"
)

// Both runs together take every case once.
func TestTwoRunsTakeEveryCaseOnce(t *testing.T) {
	if named() {
		t.Skip("cases are named: all are taken")
	}
	was := *rest
	defer func() { *rest = was }()
	ordinary := 0
	for i := range 1000 {
		name := fmt.Sprintf("case_%d", i)
		*rest = false
		first := Takes(name, 4)
		*rest = true
		if second := Takes(name, 4); first == second {
			t.Errorf("%s: got %v in both runs, want it in one", name, first)
		}
		if first {
			ordinary++
		}
	}
	if ordinary < 200 || ordinary > 300 {
		t.Errorf("got %d of 1000 cases in the ordinary run, want about a quarter", ordinary)
	}
}

// The ordinary run has a case of each kind, and both together every case once.
func TestEachKindIsInTheOrdinaryRun(t *testing.T) {
	if named() {
		t.Skip("cases are named: all are taken")
	}
	was := *rest
	defer func() { *rest = was }()
	names := []string{"a_1", "a_2", "a_3", "a_4", "b_1", "c_2", "c_1"}
	kind := func(name string) string { return name[:1] }
	*rest = false
	ordinary := OfEach(t, names, kind, 3)
	*rest = true
	others := OfEach(t, names, kind, 3)
	if got := fmt.Sprint(ordinary, others); got != "[a_1 a_4 b_1 c_1] [a_2 a_3 c_2]" {
		t.Errorf("got %s", got)
	}
}

// A case that is named runs, whatever its share.
func TestNamedCasesAreTaken(t *testing.T) {
	run := flag.Lookup("test.run").Value
	was := run.String()
	defer run.Set(was)
	run.Set("TestX/y")
	for i := range 20 {
		if name := fmt.Sprintf("case_%d", i); !Takes(name, 4) {
			t.Errorf("%s was named and not taken", name)
		}
	}
}
