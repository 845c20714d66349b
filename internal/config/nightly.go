package config

import (
	"github.com/goccy/go-yaml/ast"
	"path/filepath"
	"strings"
)

// Nightly is what retrytax nightly works on beside the sources. Paths are as written;
// Config.Path finds them.
type Nightly struct {
	Database Setting[string] // the database; it is made if there is none
	Reports  Setting[string] // the folder of the reports, one folder in it for each period
	Metrics  Setting[string] // a file for node_exporter's textfile collector; unset is none
}

// Path is a path of the configuration as a run opens it: relative ones are taken from the
// folder of the file, since cron starts a run wherever it likes.
func (c *Config) Path(p string) string {
	if c.dir == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(c.dir, p)
}

// Pattern is a pattern of paths as a run uses it: that of Path, where no character of the folder's
// name stands for others.
func (c *Config) Pattern(p string) string {
	if c.dir == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(LiteralPattern(c.dir), p)
}

// LiteralPattern is the pattern of paths that fits one path alone.
func LiteralPattern(path string) string {
	if filepath.Separator != '/' { // there a backslash is part of the path
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func nightly(n *Nightly) rule {
	return func(r *reader, key string, node ast.Node) {
		r.mapping(key, node, map[string]rule{
			"database": written(scalar(&n.Database, filePath)),
			"reports":  written(scalar(&n.Reports, filePath)),
			"metrics":  written(scalar(&n.Metrics, metricsFile)),
		})
	}
}

// filePath accepts the name of a file or folder. A variable of the environment is refused: it is not put in
// here, so that the same file means the same wherever it runs.
func filePath(text string) (string, *wrong) {
	if _, bad := anyText(text); bad != nil || strings.Contains(text, "${") {
		return "", &wrong{expected: "a path", hint: "relative ones are taken from this file's folder; ${NAME} is read in alerts.channels only"}
	}
	return text, nil
}

// metricsFile accepts what node_exporter reads: it looks at *.prom alone.
func metricsFile(text string) (string, *wrong) {
	if _, bad := filePath(text); bad != nil || !strings.HasSuffix(text, ".prom") || strings.HasSuffix(text, "/.prom") || text == ".prom" {
		return "", &wrong{expected: "the path of a file that ends in .prom", hint: "node_exporter's textfile collector reads *.prom in its folder"}
	}
	return text, nil
}

// filesGlob accepts which files a night reads.
func filesGlob(text string) (string, *wrong) {
	bad := &wrong{expected: "a path with * and ? in it", hint: `such as "logs/app-*.jsonl"; ** is not known, name each folder`}
	if _, w := filePath(text); w != nil || strings.Contains(text, "**") {
		return "", bad
	}
	if _, err := filepath.Match(text, "x"); err != nil {
		return "", bad
	}
	return text, nil
}
