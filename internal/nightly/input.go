package nightly

import (
	"os"
	"path/filepath"
	"slices"
	"sort"

	"retrytax/internal/config"
)

// find lists the files of all sources, each once, under the name by which the first source knows
// it. What stands in a file with a name that begins with a dot, or in a folder, is left out:
// such are files on their way.
func (r *run) find() ([]string, error) {
	var names []string
	seen := map[string]bool{}
	for _, s := range r.o.Config.NightlySources() {
		found, err := r.glob(s)
		if err != nil {
			return nil, err
		}
		var paths []string
		for _, n := range found {
			p := truePath(n)
			paths = append(paths, p)
			if !seen[p] {
				names = append(names, n)
			}
			seen[p] = true
		}
		r.found = append(r.found, paths)
	}
	sort.Strings(names)
	return names, nil
}

// glob lists the files of one source. A link that leads nowhere is one, so that who opens it says so.
func (r *run) glob(s config.Source) (names []string, err error) {
	found, err := filepath.Glob(r.o.Config.Pattern(s.Files))
	if err != nil {
		return nil, err // config check has refused such a pattern
	}
	for _, n := range found {
		st, err := os.Stat(n)
		if err != nil {
			if _, err = os.Lstat(n); err != nil {
				continue // it has gone meanwhile
			}
		} else if st.IsDir() {
			continue
		}
		if filepath.Base(n)[0] != '.' {
			names = append(names, n)
		}
	}
	return names, nil
}

// missing are the patterns of sources of which the night has brought no row. A file that several
// patterns find, however they spell it, has come of each of them.
func (r *run) missing() []string {
	out := []string{}
	lies := make([]string, len(r.night.Files))
	for i, f := range r.night.Files {
		lies[i] = truePath(f)
	}
	for i, s := range r.o.Config.NightlySources() {
		pattern, came := r.o.Config.Pattern(s.Files), s.Optional
		for j, f := range r.night.Files {
			came = came || matches(pattern, f) || slices.Contains(r.found[i], lies[j])
		}
		if !came {
			out = append(out, s.Files)
		}
	}
	return out
}

// matches tells whether a pattern means a file, or the archive that it lies in.
func matches(pattern, file string) bool {
	for p := file; ; p = filepath.Dir(p) {
		if ok, err := filepath.Match(pattern, p); err == nil && ok {
			return true
		}
		if p == filepath.Dir(p) {
			return false
		}
	}
}

// truePath is where a file lies, without links on the way; of a member of an archive it is that of
// the archive. One that is not there is its own.
func truePath(name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	for p := abs; p != filepath.Dir(p); p = filepath.Dir(p) {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			if st, err := os.Stat(real); err == nil && !st.IsDir() {
				return real
			}
			return filepath.Join(real, abs[len(p):])
		}
	}
	return abs
}
