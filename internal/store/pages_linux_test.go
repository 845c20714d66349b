package store

import (
	"context"
	"testing"
)

// TestFindsTheReserve: what DuckDB keeps for blocks is found among the pieces of memory.
func TestFindsTheReserve(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Spread(ctx, 2*RowGroup); err != nil {
		t.Fatal(err)
	}
	if len(blockRegions()) == 0 {
		t.Error("got no piece of memory as large as the reserve")
	}
}
