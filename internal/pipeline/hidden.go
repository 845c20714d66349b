package pipeline

import (
	"context"
	"strings"

	"retrytax/internal/store"
	"retrytax/queries"
)

// checkClaims holds the confidences of matches by tokens against the user's own data: the ids
// of some calls are hidden, the match runs again, and what it says is compared with what the
// ids say (int_known_claims). Nothing of it stays but that table. Where hardly a charge (fewer than one in
// a hundred) was matched by tokens, or none by an id, there is nothing to check.
func checkClaims(ctx context.Context, s *store.Store, o Options) error {
	used, err := claimsToCheck(ctx, s)
	if err != nil || !used {
		return err
	}
	o.progress("checking confidences", 0)
	return matchHidden(ctx, s, "hidden,main", "main")
}

// checkClaimsOver does the same for the period asked for of a database that is open for reading: what is made
// stands in memory. It costs as much as matching the period again, so a night does without.
func checkClaimsOver(ctx context.Context, s *store.Store, o Options) error {
	if used, err := claimsToCheck(ctx, s); err != nil || !used {
		return err
	}
	for _, f := range []queries.File{
		queries.Get(queries.Hidden + "/05_period.sql"), queries.Get(queries.Measure + "/16_int_usable_pairs.sql"),
		queries.Get(queries.Match + "/49_int_known_claims.sql"),
	} {
		if err := s.Run(ctx, f.Path, f.SQL); err != nil {
			return err
		}
	}
	if used, err := claimsToCheck(ctx, s); err != nil {
		return err
	} else if used {
		o.progress("checking confidences", 0)
		if err := matchHidden(ctx, s, "memory.hidden,memory.main,kept.main", "memory,kept"); err != nil {
			return err
		}
	}
	for _, table := range []string{"int_charges", "int_windows", "int_matches", "fct_charges"} {
		if err := s.Exec(ctx, "DROP TABLE memory.main."+table); err != nil {
			return err
		}
	}
	return nil
}

// claimsToCheck says whether charges were matched by tokens, and others by an id.
func claimsToCheck(ctx context.Context, s *store.Store) (used bool, err error) {
	err = s.Query(ctx, `SELECT coalesce(count(*) FILTER (WHERE match = 'tokens' AND NOT lead) * 100 >= count(*) AND count(*) FILTER (WHERE match <> 'tokens') > 0, false) FROM int_matches`, scanOne(&used))
	return used, err
}

// matchHidden hides ids, matches again with tables that are found before all others on the path within, and compares; then
// it drops them and goes back to the path without.
func matchHidden(ctx context.Context, s *store.Store, within, without string) error {
	hide := queries.Get(queries.Hidden + "/10_hide.sql")
	if err := s.Run(ctx, hide.Path, hide.SQL); err != nil {
		return err
	}
	if err := s.Exec(ctx, "SET search_path = "+store.Literal(within)); err != nil {
		return err
	}
	for _, f := range queries.In(queries.Match) {
		if name := f.Path[len(queries.Match)+1:]; name < "40" || strings.HasPrefix(name, "49") {
			continue
		}
		if err := s.Run(ctx, f.Path, f.SQL); err != nil {
			return err
		}
	}
	if err := s.Exec(ctx, "SET search_path = "+store.Literal(without)); err != nil {
		return err
	}
	compare := queries.Get(queries.Hidden + "/20_compare.sql")
	if err := s.Run(ctx, compare.Path, compare.SQL); err != nil {
		return err
	}
	return s.Exec(ctx, "DROP SCHEMA hidden CASCADE")
}
