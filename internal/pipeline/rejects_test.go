package pipeline

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"retrytax/internal/source"
)

// However many rejects there are, they come back in order, and no more than a few are held.
func TestRejectsSpill(t *testing.T) {
	for _, n := range []int{0, 1, 5000, 30_000} {
		r := &rejects{}
		for i := range n {
			if err := r.add(source.Reject{Line: int64(i), Column: "amount", Reason: "why", Raw: strings.Repeat("x", 1000) + fmt.Sprint(i)}); err != nil {
				t.Fatal(err)
			}
			if r.size > heldRejects {
				t.Fatalf("found %d bytes held, expected at most %d", r.size, heldRejects)
			}
		}
		if r.Len() != int64(n) {
			t.Errorf("found %d, expected %d", r.Len(), n)
		}
		seen := int64(0)
		for {
			rows, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range rows.Lines {
				raw := source.Column(rows.Cols[2])
				if v, ok := raw.Value(i); line != seen || !ok || !strings.HasSuffix(v, fmt.Sprint("x", seen)) {
					t.Fatalf("found line %d with %q, expected %d", line, v, seen)
				}
				seen++
			}
		}
		if seen != int64(n) {
			t.Errorf("found %d back, expected %d", seen, n)
		}
		if err := r.close(); err != nil {
			t.Error(err)
		}
	}
}
