package pipeline

import "context"

// mend takes out lines that could not be read and that a newer content of their file has whole.
func (r *ingestRun) mend(ctx context.Context) error {
	if err := runSteps(ctx, r.s, "60_src_rejects_mended.sql"); err != nil {
		return err
	}
	left, err := r.oldRejects(ctx)
	r.out.Mended = r.rejects - left
	return err
}

// oldRejects counts the lines that could not be read of the files that the database had.
func (r *ingestRun) oldRejects(ctx context.Context) (int64, error) {
	return r.s.Int(ctx, "SELECT count(*) FROM src_rejects WHERE file_no < ?", r.first)
}

// mayMend says whether a content that is there already comes under the path of another one that had
// lines that could not be read.
func (r *ingestRun) mayMend(ctx context.Context, f File, l look) (bool, error) {
	path := f.Input.Path()
	if path == "" {
		return false, nil
	}
	n, err := r.s.Int(ctx, `SELECT count(*) FROM src_files WHERE path = $1 AND rejected > 0 AND role IN ('attempts', 'charges')
		AND NOT EXISTS (FROM src_files WHERE path = $1 AND sha256 = $2)`, path, l.sha256)
	return n > 0, err
}

// mendByKnown takes out the lines that a content which is there already has whole: a bill that came
// mended under another name first. It is read again for its lines alone, and leaves no other trace.
func (r *ingestRun) mendByKnown(ctx context.Context) error {
	if len(r.again) == 0 {
		return nil
	}
	o := r.o
	o.again = true
	if _, err := landFiles(ctx, r.s, r.first, r.again, o); err != nil {
		return err
	}
	if err := runSteps(ctx, r.s, "50_src_contents.sql", "51_src_known.sql", "52_src_files_counted.sql", "59_src_rejects_known.sql", "60_src_rejects_mended.sql"); err != nil {
		return err
	}
	for _, table := range []string{"src_attempts", "src_charges", "src_bills", "src_retries", "src_rejects", "src_numbers", "src_prices", "src_files"} {
		if err := r.s.Exec(ctx, "DELETE FROM "+table+" WHERE file_no >= ?", r.first); err != nil {
			return err
		}
	}
	return r.s.Exec(ctx, "DELETE FROM src_nameless WHERE row_id >= CAST(? AS BIGINT) * 1099511627776", r.first)
}
