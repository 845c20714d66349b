package pipeline

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/source"
	"retrytax/internal/store"
)

// Ingest loads new files into a database that lives, in one transaction: killed at any
// instant, the database is as before or as after. A content that is there already is no
// news, whatever its name or compression; rows that are there already are known.
//
//  1. look: every file is read once for its hash; known contents are left out, and of a log that
//     is still being written the last line waits until it has its end.
//  2. land: as an audit does (queries/20_formats).
//  3. compare: with each other and with the database, at the times of the new rows.
//  4. note: what has changed (src_changes), for reconcile, and the run (src_runs).
func Ingest(ctx context.Context, l *Living, files []File, o Options) (*report.Ingested, error) {
	out, _, err := ingest(ctx, l, files, o, false)
	return out, err
}

// ingestRun is one run of Ingest at work.
type ingestRun struct {
	s     *store.Store
	o     Options
	out   *report.Ingested
	first int // the number of the first new file
	runNo int64
	looks map[int]look // by the number of the file

	again []File // contents that are there already, under the path of one with lines that could not be read

	rejects int64 // lines that could not be read, of the files that were there before

	passOver bool // a file that cannot be read is left out, and stands in left
	left     *leftOut
}

func (r *ingestRun) run(ctx context.Context, files []File) error {
	if err := prepare(ctx, r.s, r.o); err != nil {
		return err
	}
	if err := sameLoading(ctx, r.s, r.out.Database, r.o.Config); err != nil {
		return err
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	files, err := r.look(ctx, files)
	if err != nil {
		return err
	}
	if err := r.mendByKnown(ctx); err != nil {
		return err
	}
	if err := spreadOverFiles(ctx, r.s, files); err != nil {
		return err
	}
	notes, err := landFiles(ctx, r.s, r.first, files, r.o)
	r.out.Warnings = append(r.out.Warnings, notes...)
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		r.verify, r.leaveOutPruned, r.withdrawHalfLines,
		r.price,
		func(ctx context.Context) error { return compareFiles(ctx, r.s) },
		func(ctx context.Context) error { return lendIDs(ctx, r.s) },
		r.warnOfMissing, r.mend, r.noteChanges, r.read, r.end,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// begin numbers the run and its first file.
func (r *ingestRun) begin(ctx context.Context) error {
	first, err := r.s.Int(ctx, "SELECT coalesce(max(file_no), 0) + 1 FROM src_files")
	if err != nil {
		return err
	}
	if r.runNo, err = nextRun(ctx, r.s); err != nil {
		return err
	}
	r.first = int(first)
	r.out.Run = r.runNo
	if r.rejects, err = r.oldRejects(ctx); err != nil {
		return err
	}
	if r.out.ConfigFile, err = lastConfig(ctx, r.s, r.o.ConfigFile); err != nil {
		return err
	}
	return setVariables(ctx, r.s, map[string]string{"first_file": number(first), "run_no": number(r.runNo)})
}

// nextRun is the number of a new run. Runs are ordered by it, since clocks jump.
func nextRun(ctx context.Context, s *store.Store) (int64, error) {
	return s.Int(ctx, "SELECT coalesce(max(run_no), 0) + 1 FROM src_runs")
}

// verify holds what was decoded against what was looked at.
func (r *ingestRun) verify(ctx context.Context) error {
	return r.s.Query(ctx, "SELECT file_no, sha256 FROM src_files WHERE file_no >= ?", func(q *sql.Rows) error {
		var no int
		var sum string
		if err := q.Scan(&no, &sum); err != nil {
			return err
		}
		if l := r.looks[no]; l.sha256 != sum {
			return &source.Error{File: l.name, Found: "a file that changed while it was read", Expected: "one that stays as it is",
				Kind: source.ErrChanged, Hint: "run again when nothing rewrites it, or ingest a copy (cp)"}
		}
		return nil
	}, r.first)
}

// leaveOutPruned drops new rows of a time whose rows were pruned: whether they are new is not
// known any more, and the reports of that time are closed.
func (r *ingestRun) leaveOutPruned(ctx context.Context) error {
	n, err := r.s.Int(ctx, "SELECT count(*) FROM src_meta WHERE pruned_before IS NOT NULL")
	if err != nil || n == 0 {
		return err
	}
	var left int64
	for _, t := range []struct{ table, at string }{{"src_attempts", "coalesce(ended_at, started_at)"}, {"src_charges", "charged_at"}} {
		old := t.table + " WHERE file_no >= setting('first_file') AND " + t.at + " < (SELECT pruned_before FROM src_meta)"
		n, err := r.s.Int(ctx, "SELECT count(*) FROM "+old)
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		left += n
		for _, q := range []string{
			"UPDATE src_files SET loaded = loaded - k.n, ignored = ignored + k.n FROM (SELECT file_no, count(*) AS n FROM " + old + " GROUP BY file_no) k WHERE src_files.file_no = k.file_no",
			"DELETE FROM " + old,
		} {
			if err := r.s.Exec(ctx, q); err != nil {
				return err
			}
		}
	}
	if left > 0 {
		r.warn("%d rows lie before the day up to which rows were pruned; they were left out, and the reports of that time stay as they are", left)
	}
	return nil
}

// price gives charges without an amount what the price lists say.
func (r *ingestRun) price(ctx context.Context) error {
	notes, err := priceCharges(ctx, r.s, r.first)
	r.out.Warnings = append(r.out.Warnings, notes...)
	return err
}

// withdrawHalfLines takes out the last line of a bill that was read when it had no line end
// and is now seen to go on.
func (r *ingestRun) withdrawHalfLines(ctx context.Context) error {
	for _, no := range slices.Sorted(maps.Keys(r.looks)) {
		for _, old := range r.looks[no].halves {
			if err := setVariables(ctx, r.s, map[string]string{"half_file": number(old)}); err != nil {
				return err
			}
			if err := runSteps(ctx, r.s, "48_src_charges_withdrawn.sql"); err != nil {
				return err
			}
		}
	}
	return nil
}

// warnOfMissing tells of rows that an earlier content of the same file had and this one has
// no more. They stay: what was billed once was billed.
func (r *ingestRun) warnOfMissing(ctx context.Context) error {
	if err := runSteps(ctx, r.s, "56_src_missing.sql"); err != nil {
		return err
	}
	return r.s.Query(ctx, "SELECT m.file_no, f.file, m.n, m.run_no FROM src_missing m JOIN src_files f USING (file_no) ORDER BY m.file_no", func(q *sql.Rows) error {
		var no int
		var file string
		var n, run int64
		if err := q.Scan(&no, &file, &n, &run); err != nil {
			return err
		}
		r.warn("%s: %s that it had in run %d are no longer in it; they stay in the database", file, source.Counted(n, "row", "rows"), run)
		return nil
	})
}

// noteChanges writes what reconcile has to look at.
func (r *ingestRun) noteChanges(ctx context.Context) error {
	return runSteps(ctx, r.s, "55_src_changes.sql")
}

// end writes the run down.
func (r *ingestRun) end(ctx context.Context) error {
	return noteRun(ctx, r.s, r.runNo, "ingest", r.o, strings.Join(r.out.Warnings, "\n"))
}

// noteRun writes a run that is about to be committed.
func noteRun(ctx context.Context, s *store.Store, no int64, command string, o Options, notes string) error {
	var text any
	if notes != "" {
		text = notes
	}
	return s.Exec(ctx, "INSERT INTO src_runs (run_no, command, version, started_at, ended_at, state, notes) VALUES (?, ?, ?, ?, ?, 'done', ?)",
		no, command, o.Version, o.Now.UTC(), o.ended().UTC(), text)
}

// ended is when a run ends, by its own clock.
func (o Options) ended() time.Time {
	if o.Clock == nil {
		return o.Now
	}
	t, err := o.Clock()
	if err != nil {
		return o.Now
	}
	return t
}

func (r *ingestRun) warn(format string, args ...any) {
	r.out.Warnings = append(r.out.Warnings, fmt.Sprintf(format, args...))
}

// read fills in what became of each file, and what is waiting for reconcile.
func (r *ingestRun) read(ctx context.Context) error {
	err := r.s.Query(ctx, `SELECT file_no, file, sha256, role, format, read, loaded, known, ignored, rejected, first_at, last_at
		FROM src_files WHERE file_no >= ? ORDER BY file_no`, func(q *sql.Rows) error {
		var no int
		var f report.IngestedFile
		var first, last sql.NullTime
		err := q.Scan(&no, &f.File, &f.SHA256, &f.Role, &f.Format, &f.Rows, &f.Loaded, &f.Known, &f.Ignored, &f.Rejected, &first, &last)
		f.From, f.To = timePointer(first), timePointer(last)
		f.State = r.looks[no].state
		r.out.Files = append(r.out.Files, f)
		return err
	}, r.first)
	if err != nil {
		return err
	}
	slices.SortStableFunc(r.out.Files, func(a, b report.IngestedFile) int { return strings.Compare(a.File, b.File) })
	err = r.s.Query(ctx, `SELECT f.file, f.run_no, count(*), min(x.source_line), arg_min(x.reason, x.source_line)
		FROM src_rejects x JOIN src_files f USING (file_no) WHERE f.file_no >= ? GROUP BY f.file_no, f.file, f.run_no ORDER BY f.file, f.file_no`, func(q *sql.Rows) error {
		var f report.RejectedFile
		err := q.Scan(&f.File, &f.Run, &f.Rows, &f.Line, &f.Reason)
		r.out.Rejects = append(r.out.Rejects, f)
		return err
	}, r.first)
	if err != nil {
		return err
	}
	if r.out.Bills, err = r.s.Int(ctx, "SELECT count(*) FROM src_bills WHERE file_no >= ?", r.first); err != nil {
		return err
	}
	return r.s.Query(ctx, `SELECT coalesce(sum(CASE WHEN change = 'added' AND role = 'attempts' THEN 1 ELSE 0 END) FILTER (WHERE run_no = $1), 0),
			coalesce(sum(CASE WHEN change = 'added' AND role = 'charges' THEN 1 ELSE 0 END) FILTER (WHERE run_no = $1), 0),
			count(*) FILTER (WHERE run_no = $1 AND change = 'superseded'), count(*) FILTER (WHERE run_no = $1 AND change = 'restored'),
			count(*) FILTER (WHERE run_no = $1 AND change = 'withdrawn'), count(DISTINCT row_id) FILTER (WHERE run_no = $1 AND change = 'renamed'), count(*) FILTER (WHERE run_no = $1 AND change = 'priced'), count(*) FROM src_changes`, func(q *sql.Rows) error {
		return q.Scan(&r.out.Attempts, &r.out.Charges, &r.out.Superseded, &r.out.Restored, &r.out.Withdrawn, &r.out.Renamed, &r.out.Priced, &r.out.Pending)
	}, r.runNo)
}

func timePointer(t sql.NullTime) *time.Time {
	if !t.Valid {
		return nil
	}
	at := t.Time.UTC()
	return &at
}

func scanText(out *[]string) func(*sql.Rows) error {
	return func(r *sql.Rows) error {
		var v string
		err := r.Scan(&v)
		*out = append(*out, v)
		return err
	}
}

var errNothing = errors.New("nothing of it can be taken yet")
