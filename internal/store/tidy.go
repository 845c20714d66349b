package store

import (
	"context"
	"fmt"
)

// Tidy says whether the checkpoints to come may rewrite rows that earlier runs have written. Each run that opens a
// database writes its rows to pieces (row groups) of their own, and a checkpoint joins pieces as soon as
// fewer could hold them: a run would pay for the rows of two or three others.
// Source: https://duckdb.org/docs/stable/configuration/overview (max_vacuum_tasks)
func (s *Store) Tidy(ctx context.Context, may bool) error {
	tasks := 0
	if may {
		tasks = 100 // DuckDB's own
	}
	return s.Exec(ctx, fmt.Sprintf("SET max_vacuum_tasks = %d", tasks))
}
