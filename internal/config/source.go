package config

import (
	"path"
	"path/filepath"
	"strings"
)

// SourceFor is the first source whose match fits the file's base name or its whole path, which
// is written with slashes, or whose files fit the path.
func (c *Config) SourceFor(file string) (Source, bool) {
	file = strings.ReplaceAll(file, `\`, "/")
	for _, s := range c.Sources {
		if s.Files != "" && c.fits(s, file) {
			return s, true
		}
		for _, name := range []string{path.Base(file), file} {
			if ok, err := path.Match(s.Match, name); s.Match != "" && err == nil && ok {
				return s, true
			}
		}
	}
	return Source{}, false
}

// SourceOf is the source of a file, else that of the archive or workbook in which it lies ("" for none).
func (c *Config) SourceOf(file, container string) (Source, bool) {
	s, ok := c.SourceFor(file)
	if !ok && container != "" {
		return c.SourceFor(container)
	}
	return s, ok
}

// fits tells whether a file is one of those that a night reads for a source.
func (c *Config) fits(s Source, file string) bool {
	ok, err := path.Match(filepath.ToSlash(filepath.Clean(c.Pattern(s.Files))), path.Clean(file))
	return err == nil && ok
}

// NightlySources are the sources that a night reads, in the order of the file.
func (c *Config) NightlySources() []Source {
	var out []Source
	for _, s := range c.Sources {
		if s.Files != "" {
			out = append(out, s)
		}
	}
	return out
}
