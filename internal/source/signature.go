package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// term is one thing that a signature asks of a file: that one of some names is there, and for
// some of them what their value is.
type term []mark

// mark is a column, or a key by its path, and what its value must be: anything, one word, or
// what a pattern accepts.
type mark struct {
	name, norm string
	value      string
	pattern    *regexp.Regexp
}

// terms reads them as a head writes them: name, name=word, name~pattern; alternatives stand
// with an "or" between them.
func terms(text string) (out []term, err error) {
	for _, part := range list(text) {
		var t term
		for _, alternative := range strings.Split(part, " or ") {
			m := mark{name: strings.TrimSpace(alternative)}
			if i := strings.IndexAny(m.name, "=~"); i >= 0 {
				op, value := m.name[i], strings.TrimSpace(m.name[i+1:])
				m.name = strings.TrimSpace(m.name[:i])
				if m.value = value; op == '~' {
					m.value = ""
					if m.pattern, err = regexp.Compile(value); err != nil {
						return nil, err
					}
				}
			}
			if m.norm = normalise(m.name); m.norm == "" {
				return nil, fmt.Errorf("%q names nothing", part)
			}
			t = append(t, m)
		}
		out = append(out, t)
	}
	return out, nil
}

func (t term) String() string {
	var names []string
	for _, m := range t {
		switch {
		case m.pattern != nil:
			names = append(names, m.name+" like "+m.pattern.String())
		case m.value != "":
			names = append(names, m.name+" = "+m.value)
		default:
			names = append(names, m.name)
		}
	}
	return strings.Join(names, " or ")
}

// shape is what a record, or a table with its first rows, has: values by normalised names.
type shape map[string][]string

// has tells whether the shape meets a term.
func (s shape) has(t term) bool {
	return slices.ContainsFunc(t, func(m mark) bool {
		values, there := s[m.norm]
		switch {
		case !there:
			return false
		case m.pattern != nil:
			return slices.ContainsFunc(values, m.pattern.MatchString)
		case m.value != "":
			return slices.Contains(values, m.value)
		}
		return true
	})
}

// fits tells whether a shape is one of the format's, and how much speaks for it.
func (f *Format) fits(s shape) (score int, ok bool) {
	if len(f.signature) == 0 || slices.ContainsFunc(f.unlike, s.has) {
		return 0, false
	}
	for _, t := range f.signature {
		if !s.has(t) {
			return 0, false
		}
		if score += 2; t[0].value != "" || t[0].pattern != nil {
			score++
		}
	}
	return score, true
}

// maxShape bounds the values that are looked at of one record.
const maxShape = 4096

// jsonShapeOf is the shape of one JSON object; nil where it is none. Lists of objects count as
// one object.
func jsonShapeOf(text []byte) shape {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v map[string]any
	if d.Decode(&v) != nil {
		return nil
	}
	s, left := shape{}, maxShape
	s.add("", v, &left)
	return s
}

func (s shape) add(path string, v any, left *int) {
	if *left--; *left < 0 {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		s.note(path)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			s.add(path+normalise(key), v[key], left)
		}
	case []any:
		s.note(path)
		for _, value := range v {
			s.add(path, value, left)
		}
	case nil:
		s.note(path)
	default:
		s[path] = append(s[path], fmt.Sprint(v))
	}
}

// note takes note of a name whatever its value is.
func (s shape) note(path string) {
	if _, there := s[path]; !there && path != "" {
		s[path] = nil
	}
}
