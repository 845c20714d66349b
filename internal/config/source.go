package config

import (
	"path"
	"strings"
)

// SourceFor is the first source whose pattern matches the file's base name or its whole
// path, which is written with slashes.
func (c *Config) SourceFor(file string) (Source, bool) {
	file = strings.ReplaceAll(file, `\`, "/")
	for _, s := range c.Sources {
		for _, name := range []string{path.Base(file), file} {
			if ok, err := path.Match(s.Match, name); err == nil && ok {
				return s, true
			}
		}
	}
	return Source{}, false
}
