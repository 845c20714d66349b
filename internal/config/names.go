package config

import (
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// providers reads the user's profiles. A built-in alias is the vendor it stands for, so
// "azure-openai" and "azure" are one entry, and two entries for one vendor are a problem:
// nothing could say which of them holds.
func providers(dst map[string]Profile) rule {
	return func(r *reader, key string, n ast.Node) {
		written := map[string]Profile{}
		lines := r.profiles(written, n)
		_, vendor := builtins()
		owner := map[string]string{} // name or alias → the user's entry that has it
		for _, name := range byLine(lines) {
			p := written[name]
			canonical := name
			if v, isAlias := vendor[name]; isAlias {
				canonical = v
				p.Aliases = Setting[[]string]{append(p.Aliases.Value, name), User}
			}
			for _, n := range append([]string{canonical}, p.Aliases.Value...) {
				if other, taken := owner[n]; taken && other != name {
					r.problem(lines[name], key+"."+name, quote(n)+" again", "each provider once",
						"it belongs to "+other+" in line "+strconv.Itoa(lines[other]))
					continue
				}
				owner[n] = name
			}
			dst[canonical] = p
		}
	}
}

// profiles reads a mapping of names to profiles, and gives the line of each name.
func (r *reader) profiles(dst map[string]Profile, n ast.Node) map[string]int {
	lines := map[string]int{}
	key := ""
	if r.origin == User {
		key = "providers"
	}
	r.each(key, n, func(name string, k, v ast.Node) {
		folded, bad := providerName(name)
		if bad != nil || folded == "" {
			r.problem(lineOf(k), key, quote(name), "the name of a provider", "such as openai or azure")
			return
		}
		if line, seen := lines[folded]; seen {
			r.problem(lineOf(k), key, "the provider "+quote(name)+" again", "each provider once",
				"it stands in line "+strconv.Itoa(line)+" already; case does not count")
			return
		}
		var p Profile
		profile(&p)(r, join(key, folded), v)
		dst[folded], lines[folded] = p, lineOf(k)
	})
	return lines
}

// byLine is the names in the order of the file.
func byLine(lines map[string]int) []string {
	names := sortedKeys(lines)
	for i := 1; i < len(names); i++ {
		for j := i; j > 0 && lines[names[j]] < lines[names[j-1]]; j-- {
			names[j], names[j-1] = names[j-1], names[j]
		}
	}
	return names
}

// Canonical is the one name of a provider, lower case: the entry whose name or alias it is,
// the user's before the built-in ones. A name that nobody knows is canonical itself.
func (c *Config) Canonical(provider string) string {
	name := foldProvider(provider)
	if _, named := c.providers[name]; named {
		return name
	}
	for _, user := range sortedKeys(c.providers) {
		for _, alias := range c.providers[user].Aliases.Value {
			if alias == name {
				return user
			}
		}
	}
	if _, vendor := builtins(); vendor[name] != "" {
		return c.Canonical(vendor[name]) // once: no built-in name is a built-in alias
	}
	return name
}

// Provider is the effective profile of a provider under any of its names: user over
// built-in over defaults, field by field. The empty name gives the defaults.
func (c *Config) Provider(provider string) Profile {
	canonical := c.Canonical(provider)
	user := c.providers[canonical]
	return user.or(builtinFor(canonical, user)).or(presets(c.SourceZone))
}

// builtinFor is what is built in for a user's entry: by its name, else by the first of its
// aliases that is a known vendor. So "ours: {aliases: [azure]}" keeps what is known of azure.
func builtinFor(canonical string, user Profile) Profile {
	known, vendor := builtins()
	if p, ok := known[canonical]; ok {
		return p
	}
	for _, alias := range user.Aliases.Value {
		if p, ok := known[alias]; ok {
			return p
		}
		if v, ok := vendor[alias]; ok {
			return known[v]
		}
	}
	return Profile{}
}

// names is every name and alias that somebody knows, folded and sorted.
func (c *Config) names() []string {
	all := map[string]bool{}
	known, vendor := builtins()
	for name := range known {
		all[name] = true
	}
	for alias := range vendor {
		all[alias] = true
	}
	for name, p := range c.providers {
		all[name] = true
		for _, alias := range p.Aliases.Value {
			all[alias] = true
		}
	}
	return sortedKeys(all)
}
