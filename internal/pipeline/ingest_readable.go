package pipeline

import (
	"context"
	"errors"
	"slices"

	"retrytax/internal/report"
	"retrytax/internal/source"
)

// Unread is a file that could not be read, and why.
type Unread struct {
	File string // as it was named
	Err  error  // names file, line, what was found and expected
}

// IngestReadable is Ingest of those of the files that can be read, for a run that nobody
// watches: one bad file of one source must not keep the others from being judged. What is
// left out is not in the database, so that the next run tries it again.
func IngestReadable(ctx context.Context, l *Living, files []File, o Options) (*report.Ingested, []Unread, error) {
	return ingest(ctx, l, files, o, true)
}

// errOneRow marks a file whose only row was rejected.
var errOneRow = errors.New("a file of one row, which cannot be read")

// leftOut are files that a run is made without.
type leftOut struct {
	unread []Unread
	waits  []waiting
}

// waiting is a file whose only row is still being written.
type waiting struct {
	name string
	size int64
}

func (l *leftOut) add(e *source.Error) { l.unread = append(l.unread, Unread{e.File, e}) }

func (l *leftOut) has(name string) bool {
	return slices.ContainsFunc(l.unread, func(u Unread) bool { return u.File == name }) ||
		slices.ContainsFunc(l.waits, func(w waiting) bool { return w.name == name })
}

// ingest is Ingest. Where a file fails when others have been landed, the transaction is given
// up and begun anew without it: then the database is as if it had not been named.
func ingest(ctx context.Context, l *Living, files []File, o Options, passOver bool) (*report.Ingested, []Unread, error) {
	var r *ingestRun
	left := &leftOut{}
	for {
		r = &ingestRun{s: l.Store, o: o, passOver: passOver, left: left, out: &report.Ingested{Schema: report.IngestSchema, Database: l.Path}}
		r.out.Warnings = append(r.out.Warnings, l.Notes...)
		for _, w := range left.waits {
			r.waits(w.name, w.size)
		}
		err := l.Store.InTransaction(ctx, func() error { return r.run(ctx, files) })
		if err == nil {
			break
		}
		bad := faultOf(err, files)
		switch size, half := halfRow(bad, files); {
		case bad == nil || ctx.Err() != nil:
			return nil, nil, fileError(err)
		case half:
			left.waits = append(left.waits, waiting{bad.File, size})
		case passOver:
			left.add(bad)
		default:
			return nil, nil, fileError(err)
		}
		files = slices.DeleteFunc(slices.Clone(files), func(f File) bool { return left.has(f.Input.Name) })
	}
	if err := l.Store.Checkpoint(ctx); err != nil {
		return nil, nil, fileError(err)
	}
	l.filled()
	return r.out, left.unread, nil
}

// faultOf is what is wrong with one of the files, or nil: then the error is of something else.
func faultOf(err error, files []File) *source.Error {
	var e *source.Error
	if !errors.As(err, &e) || !slices.ContainsFunc(files, func(f File) bool { return f.Input.Name == e.File }) {
		return nil
	}
	return e
}

// halfRow tells whether a file has no more than a row that is still being written: its only row
// cannot be read and has no line end. A row that can be read is taken; many exports have no
// last line end.
func halfRow(e *source.Error, files []File) (size int64, half bool) {
	if e == nil || !errors.Is(e, errOneRow) {
		return 0, false
	}
	i := slices.IndexFunc(files, func(f File) bool { return f.Input.Name == e.File })
	s, err := source.Look(files[i].Input, nil)
	return s.Size, err == nil && s.OpenEnd() && files[i].Input.Path() != "" && files[i].Input.Growing(s)
}
