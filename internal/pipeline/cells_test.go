package pipeline

import (
	"context"
	"database/sql"
	"testing"

	"retrytax/internal/letter"
	"retrytax/internal/store"
	"retrytax/queries"
)

// TestCellsOfLettersAreThoseOfTables: one rule says which text of the data gets an apostrophe in a CSV file, in the tables that the
// database writes and in those that letters bring.
func TestCellsOfLettersAreThoseOfTables(t *testing.T) {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := runFolder(ctx, s, queries.Schema); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"": "", "r-7": "r-7", "007": "007", "é": "é", ":x": ":x", "/p": "/p", "'x": "'x", "模型": "模型",
		"-5": "-5", "-": "-", "+": "+", "-0.5": "-0.5", "+49": "+49", "-abc_1": "-abc_1", // numbers, and ids that begin with a sign
		"=1": "'=1", "@SUM(A1)": "'@SUM(A1)", "+1+1": "'+1+1", "-2+3": "'-2+3", "-1e+3": "'-1e+3", `+cmd|' /C calc'!A0`: `'+cmd|' /C calc'!A0`, "-é": "'-é", "--": "--",
	} {
		got := ""
		if err := s.Query(ctx, "SELECT cell_text(CAST(? AS VARCHAR))", func(r *sql.Rows) error { return r.Scan(&got) }, text); err != nil {
			t.Fatal(err)
		}
		if cell := letter.Cell(text); cell != want || got != want {
			t.Errorf("%q: letters write %q, tables %q, expected %q", text, cell, got, want)
		}
	}
}
