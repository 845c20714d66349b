package demo

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"sort"

	"github.com/klauspost/compress/zstd"
)

// file is a file under way, compressed as its name says.
type file struct {
	out    *bufio.Writer
	closes []io.Closer
	lines  int64
	rows   int64 // lines that are no header and no noise
}

func create(path string) (*file, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	var packed io.WriteCloser
	switch filepath.Ext(path) {
	case ".gz":
		packed = gzip.NewWriter(f)
	case ".zst":
		// One worker: the same bytes on every machine.
		packed, err = zstd.NewWriter(f, zstd.WithEncoderConcurrency(1))
	default:
		return &file{out: bufio.NewWriterSize(f, 1<<18), closes: []io.Closer{f}}, nil
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &file{out: bufio.NewWriterSize(packed, 1<<16), closes: []io.Closer{packed, f}}, nil
}

// write writes whole lines.
func (f *file) write(text []byte, lines int64) error {
	f.lines += lines
	_, err := f.out.Write(text)
	return err
}

// Close ends the file. It keeps the first error.
func (f *file) Close() error {
	err := f.out.Flush()
	for _, c := range f.closes {
		if cerr := c.Close(); err == nil {
			err = cerr
		}
	}
	return err
}

// folder is the files of one folder that have been begun.
type folder struct {
	dir  string
	open map[string]*file
	done []string
}

func newFolder(dir string) (*folder, error) {
	return &folder{dir: dir, open: map[string]*file{}}, os.MkdirAll(dir, 0o777)
}

// get is a file of the folder; fresh if this call began it.
func (d *folder) get(name string) (f *file, fresh bool, err error) {
	if f, ok := d.open[name]; ok {
		return f, false, nil
	}
	if f, err = create(filepath.Join(d.dir, name)); err == nil {
		d.open[name] = f
		d.done = append(d.done, name)
	}
	return f, true, err
}

// closeAll ends all files but those that are to stay open; nil is none.
func (d *folder) closeAll(stay func(name string) bool) (err error) {
	for _, name := range d.names() {
		f := d.open[name]
		if f == nil || stay != nil && stay(name) {
			continue
		}
		delete(d.open, name)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}
	return err
}

// names is the files that were written, in byte order.
func (d *folder) names() []string {
	names := append([]string(nil), d.done...)
	sort.Strings(names)
	return names
}
