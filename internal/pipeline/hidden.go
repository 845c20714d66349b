package pipeline

import (
	"context"
	"database/sql"
	"strings"

	"retrytax/internal/store"
	"retrytax/queries"
)

// checkClaims holds the confidences of matches by tokens against the user's own data: the ids
// of some calls are hidden, the match runs again, and what it says is compared with what the
// ids say (int_known_claims). Nothing of it stays but that table. Where hardly a charge (fewer than one in
// a hundred) was matched by tokens, or none by an id, there is nothing to check.
func checkClaims(ctx context.Context, s *store.Store, o Options) error {
	var used bool
	err := s.Query(ctx, `SELECT coalesce(count(*) FILTER (WHERE match = 'tokens' AND NOT lead) * 100 >= count(*) AND count(*) FILTER (WHERE match <> 'tokens') > 0, false) FROM int_matches`, func(r *sql.Rows) error {
		return r.Scan(&used)
	})
	if err != nil || !used {
		return err
	}
	o.progress("checking confidences", 0)
	hide := queries.Get(queries.Hidden + "/10_hide.sql")
	if err := s.Run(ctx, hide.Path, hide.SQL); err != nil {
		return err
	}
	if err := s.Exec(ctx, "SET search_path = 'hidden,main'"); err != nil {
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
	if err := s.Exec(ctx, "SET search_path = 'main'"); err != nil {
		return err
	}
	compare := queries.Get(queries.Hidden + "/20_compare.sql")
	if err := s.Run(ctx, compare.Path, compare.SQL); err != nil {
		return err
	}
	return s.Exec(ctx, "DROP SCHEMA hidden CASCADE")
}
