package pipeline

import (
	"context"
	"os"
	"path/filepath"
)

// NamedFile is a file that is whole in memory.
type NamedFile struct {
	Name    string
	Content []byte
}

// WriteFolder writes files to dir: all aside first, then renamed, so that a failed run leaves
// what was there. It returns the paths written. Errors of the folder are *PublishError.
func WriteFolder(ctx context.Context, dir string, files []NamedFile) (paths []string, err error) {
	return publishAside(ctx, dir, func(aside string) (names []string, err error) {
		for _, f := range files {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := writeFile(filepath.Join(aside, f.Name), f.Content); err != nil {
				return nil, err
			}
			names = append(names, f.Name)
		}
		return names, nil
	}, nil)
}

// WriteKept writes what is kept of a report to dir, as WriteFolder does. What an older report has left there and this one cannot
// write, the workbook, the page, the tables and the letters, would contradict it and goes.
func WriteKept(ctx context.Context, dir string, files []NamedFile) (paths []string, err error) {
	_, older := os.Stat(filepath.Join(dir, "audit.json"))
	paths, err = WriteFolder(ctx, dir, files)
	if err != nil || older != nil {
		return paths, err
	}
	for _, name := range []string{workbookName, pageName, "verdicts.csv", "rejects.csv"} {
		if err := removeOlder(dir, name); err != nil {
			return nil, err
		}
	}
	if err := removeOldLetters(dir, nil); err != nil {
		return nil, &PublishError{dir, err}
	}
	return paths, nil
}

// removeOlder removes a file of an earlier run, if it is there.
func removeOlder(dir, name string) error {
	if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
		return &PublishError{dir, err}
	}
	return nil
}

func writeFile(path string, content []byte) error { return os.WriteFile(path, content, 0o666) }

// publishAside lets write put files into a folder aside, by the names that it returns, and renames them into dir,
// unless check finds before that they would replace what must stay; nil checks nothing.
func publishAside(ctx context.Context, dir string, write func(aside string) ([]string, error), check func() error) (paths []string, err error) {
	made, err := makeFolders(dir)
	defer func() {
		if err == nil {
			return
		}
		for _, d := range made {
			_ = os.Remove(d) // what holds something stays
		}
	}()
	if err != nil {
		return nil, &PublishError{dir, err}
	}
	aside, err := os.MkdirTemp(dir, ".retrytax-")
	if err != nil {
		return nil, &PublishError{dir, err}
	}
	defer os.RemoveAll(aside)
	names, err := write(aside)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, &PublishError{dir, err}
	}
	if check != nil {
		if err := check(); err != nil {
			return nil, err
		}
	}
	// What cannot be replaced is found out before anything is.
	for _, n := range names {
		if st, err := os.Stat(filepath.Join(dir, n)); err == nil && st.IsDir() {
			return nil, &NoFolderError{Path: filepath.Join(dir, n)}
		}
	}
	for _, n := range names {
		if err := os.Rename(filepath.Join(aside, n), filepath.Join(dir, n)); err != nil {
			return nil, &PublishError{dir, err}
		}
		paths = append(paths, filepath.Join(dir, n))
	}
	return paths, nil
}
