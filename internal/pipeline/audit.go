package pipeline

import (
	"context"

	"retrytax/internal/store"
	"retrytax/queries"
)

// Audit is a finished run over files: the database still open for the reports.
type Audit struct {
	Store *store.Store
	Notes []string // sentences for the user, from reading the files
	opts  Options
}

// Run loads the files into s and reconciles them, each in one transaction.
func Run(ctx context.Context, s *store.Store, files []File, o Options) (*Audit, error) {
	a := &Audit{Store: s, opts: o}
	err := s.InTransaction(ctx, func() (err error) {
		if err = prepare(ctx, s, o); err != nil {
			return err
		}
		a.Notes, err = landFiles(ctx, s, files, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = s.InTransaction(ctx, func() error {
		if err := reconcile(ctx, s, o); err != nil {
			return err
		}
		return runFolder(ctx, s, queries.Reports)
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}
