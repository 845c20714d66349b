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
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if st, err := os.Stat(filepath.Join(dir, f.Name)); err == nil && st.IsDir() {
			return nil, &NoFolderError{Path: filepath.Join(dir, f.Name)}
		}
		if err := os.WriteFile(filepath.Join(aside, f.Name), f.Content, 0o666); err != nil {
			return nil, &PublishError{dir, err}
		}
	}
	for _, f := range files {
		if err := os.Rename(filepath.Join(aside, f.Name), filepath.Join(dir, f.Name)); err != nil {
			return nil, &PublishError{dir, err}
		}
		paths = append(paths, filepath.Join(dir, f.Name))
	}
	return paths, nil
}
