package store

import (
	"context"
	"testing"
)

// TestKeepsMemoryForManyRows: whatever the system grants, the work on many rows goes on, asks once, and
// ends in the middle of the asking.
func TestKeepsMemoryForManyRows(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Spread(ctx, 2*RowGroup); err != nil {
			t.Fatal(err)
		}
	}
	if s.pages == nil {
		t.Error("got no blocks kept, want some for two row groups")
	}
	if n, err := s.Int(ctx, "SELECT sum(i) FROM range(1001) r(i)"); n != 500_500 || err != nil {
		t.Errorf("got %d, %v, want 500500", n, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestKeepsNoMemoryForFewRows: a small run starts without the reserve.
func TestKeepsNoMemoryForFewRows(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Spread(ctx, RowGroup); err != nil || s.pages != nil {
		t.Errorf("got blocks kept for one row group, or %v", err)
	}
}
