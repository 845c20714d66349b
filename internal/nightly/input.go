package nightly

import (
	"os"
	"path/filepath"
	"slices"
	"sort"

	"retrytax/internal/config"
)

// find lists the files of all sources, each once. What stands in a file with a name that begins with a dot, or in
// a folder, is left out: such are files on their way.
func (r *run) find() ([]string, error) {
	var names []string
	for _, s := range r.o.Config.NightlySources() {
		found, err := r.glob(s)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	sort.Strings(names)
	return slices.Compact(names), nil
}

func (r *run) glob(s config.Source) (names []string, err error) {
	found, err := filepath.Glob(r.o.Config.Path(s.Files))
	if err != nil {
		return nil, err // config check has refused such a pattern
	}
	for _, n := range found {
		if st, err := os.Stat(n); err == nil && !st.IsDir() && filepath.Base(n)[0] != '.' {
			names = append(names, n)
		}
	}
	return names, nil
}

// missing are the patterns of sources of which the night has brought no row.
func (r *run) missing() []string {
	out := []string{}
	for _, s := range r.o.Config.NightlySources() {
		came := slices.ContainsFunc(r.night.Files, func(file string) bool {
			ok, err := filepath.Match(r.o.Config.Path(s.Files), file)
			return err == nil && ok
		})
		if !came && !s.Optional {
			out = append(out, s.Files)
		}
	}
	return out
}
