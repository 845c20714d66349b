package config

import (
	"errors"

	"github.com/goccy/go-yaml/ast"

	src "retrytax/internal/source"
)

// mapped reads the columns of a source: canonical: name, or canonical: {column: name, scale:
// 0.01, …}, or canonical: {value: the same in every row}.
func mapped(dst **src.Map) rule {
	return func(r *reader, key string, n ast.Node) {
		m := &src.Map{Must: true}
		before := len(r.problems)
		r.each(key, n, func(to string, k, v ast.Node) {
			if c, ok := r.mappedColumn(m, join(key, to), to, v); ok {
				m.Columns = append(m.Columns, c)
			}
		})
		if len(r.problems) == before {
			r.mapProblem(lineOf(n), key, m.Settle())
		}
		if len(r.problems) == before && len(m.Columns) > 0 {
			*dst = m
		}
	}
}

// mappedColumn reads one canonical column.
func (r *reader) mappedColumn(m *src.Map, key, to string, n ast.Node) (c src.MapColumn, ok bool) {
	c.To = to
	if _, isText := scalarText(n); isText {
		c.From, ok = read(r, key, n, anyText)
		return c, ok
	}
	before := len(r.problems)
	text := func(into *string) rule {
		return func(r *reader, key string, n ast.Node) { *into, _ = read(r, key, n, anyText) }
	}
	rules := map[string]rule{"column": text(&c.From), "value": text(&c.Value)}
	for _, option := range []string{"scale", "unit", "zone", "layout", "decimal"} {
		rules[option] = func(r *reader, key string, n ast.Node) {
			if v, ok := read(r, key, n, anyText); ok {
				r.mapProblem(lineOf(n), key, m.Set(&c, option, v))
			}
		}
	}
	r.mapping(key, n, rules)
	if (c.From == "") == (c.Value == "") && len(r.problems) == before {
		r.problem(lineOf(n), key, "neither a column nor a value, or both", "one of them", "such as {column: cost, scale: 0.01}")
	}
	return c, len(r.problems) == before
}

// mapProblem takes note of what is wrong with a mapping.
func (r *reader) mapProblem(line int, key string, err error) {
	var e *src.ErrMap
	if errors.As(err, &e) {
		r.problem(line, key, e.Found, e.Expected, e.Hint)
	}
}
