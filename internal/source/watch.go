package source

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
)

// watched is a regular file that is read several times in one run. All readings give the
// bytes that it had at the start: what a log gains meanwhile is left for the next run, and
// what is changed in any other way is an error, since nothing could be said of such a mix.
type watched struct {
	path  string
	first os.FileInfo
	grew  atomic.Bool
}

func (w *watched) open() (io.ReadCloser, error) {
	f, err := os.Open(w.path)
	if os.IsNotExist(err) {
		return nil, w.changed("it was removed", err)
	}
	if err != nil {
		return nil, unreadable(w.path, err)
	}
	if err := w.check(f); err != nil {
		_ = f.Close()
		return nil, err
	}
	return &watchedReader{File: f, watched: w, left: w.first.Size()}, nil
}

// at opens the file for reading anywhere in it.
func (w *watched) at() (io.ReaderAt, int64, func() error, error) {
	f, err := w.open()
	if err != nil {
		return nil, 0, nil, err
	}
	return f.(*watchedReader), w.first.Size(), f.Close, nil
}

// check compares the file with what it was at the start.
func (w *watched) check(f *os.File) error {
	now, err := f.Stat()
	switch {
	case err != nil:
		return unreadable(w.path, err)
	case !os.SameFile(w.first, now):
		return w.changed("another file has taken its name", nil)
	case now.Size() < w.first.Size():
		return w.changed(fmt.Sprintf("it shrank from %d bytes to %d", w.first.Size(), now.Size()), nil)
	case now.Size() == w.first.Size() && !now.ModTime().Equal(w.first.ModTime()):
		return w.changed("it was written again", nil)
	case now.Size() > w.first.Size():
		w.grew.Store(true)
	}
	return nil
}

func (w *watched) changed(how string, cause error) *Error {
	return &Error{File: w.path, Found: "a file that changed while it was read (" + how + ")", Expected: "one that stays as it is",
		Kind: ErrChanged, Cause: cause, Hint: "run again when nothing writes to it, or audit a copy (cp)"}
}

// watchedReader reads a file as far as it reached at the start.
type watchedReader struct {
	*os.File
	watched *watched
	left    int64
}

func (r *watchedReader) Read(p []byte) (int, error) {
	if r.left == 0 {
		if err := r.watched.check(r.File); err != nil {
			return 0, err
		}
		return 0, io.EOF
	}
	n, err := r.File.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	if err == io.EOF && r.left > 0 {
		if err = r.watched.check(r.File); err == nil {
			err = r.watched.changed("it ended early", nil)
		}
	}
	return n, err
}
