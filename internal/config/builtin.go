package config

import (
	_ "embed"
	"sync"
)

//go:embed builtin.yaml
var builtinYAML []byte

// builtins is the profiles of the known vendors, by canonical name, and the canonical name
// of each of their aliases. A test keeps the file free of problems, so a panic here means
// that the program was built without running it.
var builtins = sync.OnceValues(func() (map[string]Profile, map[string]string) {
	r := &reader{name: "builtin.yaml", origin: BuiltIn}
	known := map[string]Profile{}
	if root := r.parse(builtinYAML); root != nil {
		r.profiles(known, root)
	}
	if len(r.problems) > 0 {
		panic(r.problems.sorted().Error())
	}
	canonical := map[string]string{}
	for name, p := range known {
		for _, alias := range p.Aliases.Value {
			canonical[alias] = name
		}
	}
	return known, canonical
})
