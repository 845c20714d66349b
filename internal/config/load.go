package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxBytes bounds a configuration file; a real one has a few kilobytes.
const maxBytes = 1 << 17

// Load reads and checks a configuration file. A file that cannot be read gives the
// *fs.PathError; a file that can be read and is wrong gives Problems.
func Load(path string) (*Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse checks the text of a configuration file; name stands in the errors. The error is
// Problems: all of them, by line.
func Parse(name string, data []byte) (*Config, error) {
	r := &reader{name: name, origin: User}
	cfg := Default()
	cfg.dir = filepath.Dir(name)
	if root := r.parse(data); root != nil {
		r.config(cfg, root)
	}
	if len(r.problems) > 0 {
		return nil, r.problems.sorted()
	}
	return cfg, nil
}

// parse gives the root node, or nil if the file is empty or not YAML.
func (r *reader) parse(data []byte) ast.Node {
	if len(data) > maxBytes {
		r.problem(1, "", fmt.Sprintf("more than %d bytes", maxBytes), "a small YAML file", "name a retrytax.yaml")
		return nil
	}
	file, err := parseYAML(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		line, text := syntaxError(err)
		r.problem(line, "", "text that is not YAML ("+text+")", "YAML", "check the indentation, and quote text that holds ': ' or ' #'")
		return nil
	}
	var bodies []ast.Node
	for _, doc := range file.Docs {
		if doc.Body != nil && doc.Body.Type() != ast.CommentType && doc.Body.Type() != ast.NullType {
			bodies = append(bodies, doc.Body)
		}
	}
	if len(bodies) == 0 {
		return nil
	}
	if len(bodies) > 1 {
		r.problem(lineOf(bodies[1]), "", "a second YAML document", "one document", "remove the line '---'")
	}
	return bodies[0]
}

// parseYAML turns a panic of the YAML parser into an error: the file is the user's, and a
// file must not be able to end the program with a stack trace.
func parseYAML(data []byte) (file *ast.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			file, err = nil, errors.New("the parser gave up")
		}
	}()
	return parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
}

// syntaxError takes the line and the bare message from the YAML parser's error.
func syntaxError(err error) (line int, text string) {
	var syntax *yaml.SyntaxError
	if errors.As(err, &syntax) {
		if syntax.Token != nil && syntax.Token.Position != nil {
			line = syntax.Token.Position.Line
		}
		return max(line, 1), syntax.Message
	}
	return 1, err.Error()
}

// sortedKeys is the keys of a map in byte order, so that what is derived has one order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
