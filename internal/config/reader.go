package config

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
)

// reader walks the syntax tree of one file and collects what is wrong with it. It reads
// the text of every scalar rather than YAML's idea of it, so 0.9 is never a float, NO is
// not a boolean, and a value is judged by one pattern only.
type reader struct {
	name     string
	origin   Origin // what the values of this file count as
	problems Problems
}

// rule reads one value; key is its dotted path.
type rule func(r *reader, key string, n ast.Node)

// wrong is why a scalar's text was not accepted.
type wrong struct {
	expected, hint string
	secret         bool // the text must not be shown
}

// parse turns a scalar's text into a value, or says what was expected.
type parse[T any] func(text string) (T, *wrong)

func (r *reader) problem(line int, key, found, expected, hint string) {
	r.problems = append(r.problems, &Problem{
		File: r.name, Line: max(line, 1), Key: key, Found: found, Expected: expected, Advice: hint,
	})
}

// scalar is the rule of a single value. A value left empty counts as not written.
func scalar[T any](dst *Setting[T], p parse[T]) rule {
	return verbatim(dst, trimmed(p))
}

// verbatim is the rule of a single value whose blanks count where it is quoted: the name of a
// file may begin or end with one.
func verbatim[T any](dst *Setting[T], p parse[T]) rule {
	return func(r *reader, key string, n ast.Node) {
		if v, ok := readVerbatim(r, key, n, p); ok {
			*dst = Setting[T]{Value: v, From: r.origin}
		}
	}
}

// written is the rule of a text that YAML must not take for a number or a truth: a path of 5 is more likely a
// slip than a file. In quotes it is text.
func written(next rule) rule {
	return func(r *reader, key string, n ast.Node) {
		switch n.(type) {
		case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
			r.problem(lineOf(n), key, "the number or truth "+n.GetToken().Value, "a path", "put it in quotes if a file is called so")
			return
		}
		next(r, key, n)
	}
}

// trimmed reads a value without the blanks around it.
func trimmed[T any](p parse[T]) parse[T] {
	return func(text string) (T, *wrong) { return p(strings.TrimSpace(text)) }
}

// list is the rule of a sequence of values.
func list[T any](dst *Setting[[]T], p parse[T]) rule {
	return func(r *reader, key string, n ast.Node) {
		if n.Type() == ast.NullType {
			return
		}
		seq, ok := n.(*ast.SequenceNode)
		if !ok {
			r.problem(lineOf(n), key, describe(n), "a list", "write it as [a, b]")
			return
		}
		values := make([]T, 0, len(seq.Values))
		for _, item := range seq.Values {
			if v, ok := read(r, key, item, p); ok {
				values = append(values, v)
			}
		}
		*dst = Setting[[]T]{Value: values, From: r.origin}
	}
}

// read is readVerbatim without the blanks around the value.
func read[T any](r *reader, key string, n ast.Node, p parse[T]) (T, bool) {
	return readVerbatim(r, key, n, trimmed(p))
}

// readVerbatim takes one scalar; false means that it is empty or was reported.
func readVerbatim[T any](r *reader, key string, n ast.Node, p parse[T]) (v T, ok bool) {
	if n.Type() == ast.NullType {
		return v, false
	}
	text, isScalar := scalarText(n)
	if !isScalar {
		_, w := p("\x00") // no value is a NUL, so this tells what was expected
		r.problem(lineOf(n), key, describe(n), w.expected, w.hint)
		return v, false
	}
	v, w := p(text)
	if w != nil {
		found := quote(text)
		if w.secret {
			found = "what looks like a secret"
		}
		r.problem(lineOf(n), key, found, w.expected, w.hint)
		return v, false
	}
	return v, true
}

// mapping hands each value of a mapping to the rule of its key.
func (r *reader) mapping(key string, n ast.Node, rules map[string]rule) {
	r.each(key, n, func(name string, k, v ast.Node) {
		path := join(key, name)
		next, known := rules[name]
		if !known {
			hint := "the keys here are " + strings.Join(sortedKeys(rules), ", ")
			if near, ok := nearest(name, sortedKeys(rules)); ok {
				hint = "did you mean " + near + "?"
			}
			r.problem(lineOf(k), key, "the unknown key "+quote(name), "a known key", hint)
			return
		}
		next(r, path, v)
	})
}

// each calls f for every entry of a mapping, and reports keys that are written twice.
func (r *reader) each(key string, n ast.Node, f func(name string, k, v ast.Node)) {
	if n.Type() == ast.NullType {
		return
	}
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		r.problem(lineOf(n), key, describe(n), "a mapping", "write it as 'key: value', one a line")
		return
	}
	first := map[string]int{}
	for _, entry := range values {
		name, ok := scalarText(entry.Key)
		if !ok {
			r.problem(lineOf(entry.Key), key, describe(entry.Key)+" as a key", "plain text", "")
			continue
		}
		if line, seen := first[name]; seen {
			r.problem(lineOf(entry.Key), key, "the key "+quote(name)+" again", "each key once",
				"it stands in line "+strconv.Itoa(line)+" already")
			continue
		}
		first[name] = lineOf(entry.Key)
		f(name, entry.Key, entry.Value)
	}
}

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
}

// quote shows the user's text on one line, cut to a length that fits a message.
func quote(text string) string {
	const longest = 60
	if utf8.RuneCountInString(text) > longest {
		text = string([]rune(text)[:longest]) + "…"
	}
	return strconv.Quote(text)
}
