package pipeline

import (
	"context"
	"fmt"

	"retrytax/internal/source"
	"retrytax/internal/store"
)

// landAside loads the files into a database of their own, beside the one that is only read.
func landAside(ctx context.Context, path string, files []File, o Options) (notes []string, err error) {
	s, err := store.Open(ctx, store.Options{Path: path, Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := s.Close(); err == nil {
			err = cerr
		}
	}()
	from, to, err := ParsePeriod(o.Period, o.zone())
	if err != nil {
		return nil, err
	}
	err = s.InTransaction(ctx, func() (err error) {
		if err = prepare(ctx, s, o); err != nil {
			return err
		}
		if err = spreadOverFiles(ctx, s, files); err != nil {
			return err
		}
		if err = setVariables(ctx, s, invoicePeriod(from, to)); err != nil {
			return err
		}
		findPriceLists(files, o)
		notes, err = landFiles(ctx, s, 1, files, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	var other []string
	if err := s.Query(ctx, "SELECT file FROM src_files WHERE role NOT IN ('bills', 'prices') ORDER BY file", scanText(&other)); err != nil {
		return nil, err
	}
	if len(other) > 0 {
		return nil, &source.Error{File: other[0], Found: "a log or a billing export beside --db", Expected: "the invoice and price lists", Kind: source.ErrUnrecognised,
			Hint: "retrytax ingest takes logs and exports into the database; or leave --db out and name all files"}
	}
	return notes, s.Checkpoint(ctx)
}

// joinAside lays the rows of the database aside beside those of the one that is read, in memory, and returns the number of the
// first file of them; 0 where it brought no invoice.
func joinAside(ctx context.Context, s *store.Store, aside string) (first int64, err error) {
	if err := s.Exec(ctx, "ATTACH "+store.Literal(aside)+" AS aside (READ_ONLY)"); err != nil {
		return 0, err
	}
	last, err := s.Int(ctx, "SELECT coalesce(max(file_no), 0) FROM kept.main.src_files")
	if err != nil {
		return 0, err
	}
	run, err := s.Int(ctx, "SELECT coalesce(max(run_no), 0) FROM kept.main.src_files")
	if err != nil {
		return 0, err
	}
	for table, replace := range map[string]string{
		"src_files":  fmt.Sprintf("file_no + %d AS file_no, run_no + %d AS run_no, source_no + %d AS source_no", last, run, last),
		"src_bills":  fmt.Sprintf("file_no + %d AS file_no, row_id + %d * 1099511627776 AS row_id, NULL AS superseded_by", last, last),
		"src_prices": fmt.Sprintf("file_no + %d AS file_no", last),
		// What the files of the database could not tell is no news here.
		"src_rejects": fmt.Sprintf("file_no + %d AS file_no", last),
	} {
		kept := "SELECT * FROM kept.main." + table
		if table == "src_rejects" {
			kept += " LIMIT 0"
		}
		if err := s.Exec(ctx, "CREATE TABLE memory.main."+table+" AS ("+kept+") UNION ALL SELECT * REPLACE ("+replace+") FROM aside.main."+table); err != nil {
			return 0, err
		}
	}
	if err := runSteps(ctx, s, "57_src_bills_replaced.sql"); err != nil {
		return 0, err
	}
	bills, err := s.Int(ctx, "SELECT count(*) FROM aside.main.src_files WHERE role = 'bills'")
	if err != nil {
		return 0, err
	}
	if err := s.Exec(ctx, "DETACH aside"); err != nil {
		return 0, err
	}
	if bills == 0 {
		return 0, nil
	}
	return last + 1, nil
}
