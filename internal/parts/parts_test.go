package parts

import (
	"flag"
	"fmt"
	"testing"
)

// as sets the flags of a run, and sets them back at the end.
func as(t *testing.T, isRest bool, asked string) {
	run, wasRest := flag.Lookup("test.run").Value, *rest
	wasAsked := run.String()
	t.Cleanup(func() { *rest = wasRest; run.Set(wasAsked) })
	*rest = isRest
	run.Set(asked)
}

// Both runs together take every case once, and the ordinary run one of each kind.
func TestTwoRunsTakeEveryCaseOnce(t *testing.T) {
	names := []string{"a_1", "a_2", "a_3", "a_4", "b_1", "c_1", "c_2"}
	kind := func(name string) string { return name[:1] }
	for _, want := range []struct {
		rest     bool
		of, each string
	}{{false, "[a_1 a_4 c_2]", "[a_1 a_4 b_1 c_1]"}, {true, "[a_2 a_3 b_1 c_1]", "[a_2 a_3 c_2]"}} {
		as(t, want.rest, "")
		if of, each := fmt.Sprint(Of(t, names, 3)), fmt.Sprint(OfEach(t, names, 3, kind)); of != want.of || each != want.each {
			t.Errorf("rest %v: got %s and %s, want %s and %s", want.rest, of, each, want.of, want.each)
		}
	}
}

// Whoever names cases or asks for all gets all, in both runs.
func TestNamedCasesAreTaken(t *testing.T) {
	names := []string{"a", "b", "c"}
	for _, isRest := range []bool{false, true} {
		as(t, isRest, "TestX/y")
		if got := Of(t, names, 3); len(got) != 3 {
			t.Errorf("rest %v: %v were named, got %v", isRest, names, got)
		}
		as(t, isRest, "")
		if got := Of(t, names, 1); len(got) != 3 {
			t.Errorf("rest %v: one in one of %v: got %v", isRest, names, got)
		}
	}
}
