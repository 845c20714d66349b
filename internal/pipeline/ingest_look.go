package pipeline

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"retrytax/internal/report"
	"retrytax/internal/source"
)

// look is what was found out of a file before it was landed.
type look struct {
	name, sha256, state string
	halves              []int64 // files that are beginnings of this one and end inside a line
	numbers             int     // how many the file takes: one for each role of its rows
}

// earlier is a file of the database that the one at hand may have been once.
type earlier struct {
	no, size int64
	sha256   string
	same     bool // it had the same path
	half     bool // a bill whose last line had no line end
}

// look reads every file once, leaves out what the database has, and returns the others in
// the order in which they are numbered.
func (r *ingestRun) look(ctx context.Context, files []File) (fresh []File, err error) {
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Input.Name, b.Input.Name) })
	findPriceLists(files, r.o)
	r.looks = map[int]look{}
	seen, next := map[string]bool{}, r.first
	for _, f := range files {
		r.o.progress("looking at "+f.Input.Name, 0)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		taken, l, err := r.lookAt(ctx, f)
		if errors.Is(err, errNothing) {
			continue
		}
		if bad := faultOf(err, files); bad != nil && r.passOver && ctx.Err() == nil {
			r.left.add(bad)
			continue
		}
		if err != nil {
			return nil, err
		}
		known := seen[l.sha256]
		seen[l.sha256] = true
		if !known {
			if known, err = r.isKnown(ctx, l.sha256); err != nil {
				return nil, err
			}
		}
		if known {
			if mends, err := r.mayMend(ctx, f, l); err != nil {
				return nil, err
			} else if mends {
				r.again = append(r.again, taken)
			}
			r.out.Files = append(r.out.Files, report.IngestedFile{File: l.name, SHA256: l.sha256, State: report.FileKnown})
			continue
		}
		for range l.numbers {
			r.looks[next] = l
			next++
		}
		fresh = append(fresh, taken)
	}
	return fresh, nil
}

func (r *ingestRun) isKnown(ctx context.Context, sum string) (bool, error) {
	n, err := r.s.Int(ctx, "SELECT count(*) FROM src_files WHERE sha256 = ?", sum)
	return n > 0, err
}

// lookAt reads one file and says how much of it is taken.
func (r *ingestRun) lookAt(ctx context.Context, f File) (File, look, error) {
	l := look{name: f.Input.Name, state: report.FileNew, numbers: 1}
	if f.roleBy(r.o) == source.Prices {
		s, err := source.Look(f.Input, nil)
		l.sha256 = s.SHA256
		return f, l, err
	}
	rec, err := source.Recognise(f.Input, f.roleBy(r.o))
	var known *source.Error
	switch {
	case errors.Is(err, source.ErrEmpty):
		r.out.Files = append(r.out.Files, report.IngestedFile{File: l.name, State: report.FileEmpty})
		return f, l, errNothing
	case errors.As(err, &known) && !errors.Is(err, source.ErrParquet) && f.Input.Path() != "":
		// A first line that is being written is no log yet.
		if s, lerr := source.Look(f.Input, nil); lerr == nil && s.Lines == 0 && !s.Compressed && s.Size < 1<<20 {
			r.waits(l.name, s.Size)
			return f, l, errNothing
		}
		return f, l, err
	case err != nil && !errors.Is(err, source.ErrParquet):
		return f, l, err
	}
	parquet := err != nil
	if !parquet {
		l.numbers = len(rec.Roles())
	} else if l.numbers, err = numbersOfParquet(ctx, r.s, f, r.o); err != nil {
		return f, l, err
	}
	olds, err := r.earlier(ctx, f)
	if err != nil {
		return f, l, err
	}
	sizes := make([]int64, len(olds))
	for i, o := range olds {
		sizes[i] = o.size
	}
	s, err := source.Look(f.Input, sizes)
	if err != nil {
		return f, l, err
	}
	l.sha256 = s.SHA256
	if !parquet && (rec.Role == source.Attempts || rec.Role == source.Retries) && rec.ByLines() && f.Input.Growing(s) && s.OpenEnd() {
		if r.waits(l.name, s.Size-s.Lines); s.Lines == 0 {
			return f, l, errNothing
		}
		f.Input, l.sha256 = f.Input.Limited(s.Lines), s.LinesSHA256
	}
	l.compare(s, olds)
	return f, l, nil
}

// waits says that the end of a log is not taken yet.
func (r *ingestRun) waits(name string, bytes int64) {
	r.warn("%s: its last line has no line end yet; its %d bytes wait for the next run", name, bytes)
}

// compare finds out whether the file is one of the earlier ones that has grown.
func (l *look) compare(s source.Survey, olds []earlier) {
	for _, o := range olds {
		p, ok := s.Prefixes[o.size]
		grown := ok && p.SHA256 == o.sha256 && o.size < s.Size
		if o.same && grown {
			l.state = report.FileGrown
		} else if o.same && l.state == report.FileNew {
			l.state = report.FileChanged
		}
		if grown && o.half && p.Cut {
			l.halves = append(l.halves, o.no)
		}
	}
}

// earlier lists the files of the database that had the same path, and bills of any path whose
// last line had no end.
func (r *ingestRun) earlier(ctx context.Context, f File) (out []earlier, err error) {
	path := f.Input.Path()
	err = r.s.Query(ctx, `SELECT file_no, size, sha256, coalesce(path = $1, false), open_end AND role = 'charges' FROM src_files
		WHERE size IS NOT NULL AND (path = $1 OR (open_end AND role = 'charges')) ORDER BY file_no`, func(q *sql.Rows) error {
		var e earlier
		err := q.Scan(&e.no, &e.size, &e.sha256, &e.same, &e.half)
		out = append(out, e)
		return err
	}, path)
	if err != nil {
		return nil, fmt.Errorf("earlier contents of %s: %w", f.Input.Name, err)
	}
	return out, nil
}
