package pipeline

import (
	"context"
	"strings"

	"retrytax/internal/config"
	"retrytax/internal/store"
)

// Audit is a finished run over files: the database still open for the reports.
type Audit struct {
	Store *store.Store
	Notes []string // sentences for the user, from reading the files
	opts  Options
	// judged are the parameters of a reconcile, where the user named no configuration of their own.
	judged []config.Parameter
}

// Run loads the files into s in one transaction and reconciles them.
func Run(ctx context.Context, s *store.Store, files []File, o Options) (*Audit, error) {
	a := &Audit{Store: s, opts: o}
	err := s.InTransaction(ctx, func() (err error) {
		if err = prepare(ctx, s, o); err != nil {
			return err
		}
		if err = spreadOverFiles(ctx, s, files); err != nil {
			return err
		}
		a.Notes, err = landAndCompare(ctx, s, files, o)
		if err != nil {
			return err
		}
		return noteRun(ctx, s, 1, "audit", o, strings.Join(a.Notes, "\n"))
	})
	if err != nil {
		return nil, err
	}
	if err := s.SpreadOverAll(ctx); err != nil {
		return nil, err
	}
	// The derived tables belong to this run alone, so nothing is lost if it stops half-way,
	// and DuckDB plans joins far better over tables that are committed.
	if err := reconcile(ctx, s, o); err != nil {
		return nil, err
	}
	if err := checkClaims(ctx, s, o); err != nil {
		return nil, err
	}
	if err := ask(ctx, s, o); err != nil {
		return nil, err
	}
	return a, keepSettings(ctx, s, o.Config)
}
