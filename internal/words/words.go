// Package words is the catalogue of what retrytax says in its reports, in English and Chinese.
//
// The English sentence is the key: it stands where it is used, and the catalogue (zh.yaml) has its
// Chinese. A test reads the code and fails on a sentence that the catalogue does not have, and on
// one that nothing uses. What comes from the data is never looked up word by word: a text that a
// query composes is looked up as a whole, numbers apart (see Of).
package words

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

// Lang is a language of the reports.
type Lang string

// The languages. The zero Lang is English.
const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// Parse is the language of a flag: en or zh; "" is English.
func Parse(s string) (Lang, bool) {
	switch s {
	case "", "en":
		return English, true
	case "zh":
		return Chinese, true
	}
	return English, false
}

// Tag is the language as HTML and Office name it.
func (l Lang) Tag() string {
	if l == Chinese {
		return "zh-CN"
	}
	return "en-US"
}

// Gap is what stands between two sentences: Chinese ones follow each other without a space.
func (l Lang) Gap() string {
	if l == Chinese {
		return ""
	}
	return " "
}

// Comma is what stands between the items of a list.
func (l Lang) Comma() string {
	if l == Chinese {
		return "、"
	}
	return ", "
}

//go:embed zh.yaml
var chineseText []byte

// catalogue is zh.yaml: sentences with verbs of fmt, and composed texts with {} for what varies, {n} for a
// count, and (s) where English has a plural.
type catalogue struct {
	Sentences map[string]string `yaml:"sentences"`
	Composed  map[string]string `yaml:"composed"`

	patterns []pattern
}

type pattern struct {
	english *regexp.Regexp
	literal string // the longest text that must be in it; looked for first, as it costs little
	chinese string
}

// chinese is the catalogue; a fault in it is found by the test of this package.
var chinese = sync.OnceValue(func() *catalogue {
	c := &catalogue{}
	if err := yaml.Unmarshal(chineseText, c); err != nil {
		panic("internal/words/zh.yaml: " + err.Error())
	}
	keys := slices.SortedFunc(maps.Keys(c.Composed), func(a, b string) int { // the one that says most is tried first
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	for _, english := range keys {
		parts := strings.Split(english, "{}")
		longest := ""
		for _, part := range parts {
			if part, _, _ = strings.Cut(strings.TrimPrefix(part, "{n}"), "(s)"); len(part) > len(longest) {
				longest = part
			}
		}
		for i := range parts {
			parts[i] = strings.NewReplacer(`\(s\)`, "s?", `\{n\}`, "([0-9 ]+?)").Replace(regexp.QuoteMeta(parts[i]))
		}
		c.patterns = append(c.patterns, pattern{regexp.MustCompile("(?s)^" + strings.Join(parts, "(.*?)") + "$"), longest, c.Composed[english]})
	}
	return c
})

// Sentences are the keys of the catalogue, for tests.
func Sentences() map[string]string { return chinese().Sentences }

// Composed are the keys of what queries compose, for tests.
func Composed() map[string]string { return chinese().Composed }

// Missing hears of each sentence that the catalogue does not have, in tests; nil hears nothing.
var Missing func(english string)

// T is a sentence of the program in the language l, with args put in as by fmt.Sprintf. Without
// args it is taken as it is, per cent signs included. What the catalogue does not have stays English.
func (l Lang) T(english string, args ...any) string {
	if l == Chinese {
		if text, ok := chinese().Sentences[english]; ok {
			english = text
		} else if Missing != nil {
			Missing(english)
		}
	}
	if len(args) == 0 {
		return english
	}
	return fmt.Sprintf(english, args...)
}

// Of is a text that was composed elsewhere, such as a warning of a query, in the language l. A no-break
// space is a space here. What no pattern fits stays as it is.
func (l Lang) Of(english string) string {
	if l != Chinese || english == "" || len(english) > 2000 {
		return english
	}
	c, given := chinese(), english
	english = strings.ReplaceAll(english, "\u00a0", " ")
	if text, ok := c.Sentences[english]; ok {
		return text
	}
	if text, ok := c.Composed[english]; ok {
		return text
	}
	for _, p := range c.patterns {
		if !strings.Contains(english, p.literal) {
			continue
		}
		found := p.english.FindStringSubmatch(english)
		if found == nil {
			continue
		}
		var places []string
		for i := 1; i < len(found); i++ {
			places = append(places, "{"+strconv.Itoa(i)+"}", c.listed(found[i]))
		}
		return strings.NewReplacer(places...).Replace(p.chinese) // in one go: what is put in may look like a place
	}
	return given
}

// listed is what stands within a text: a list of the catalogue's words, "timeout, billed in full ×2; failed, billed anyway",
// or anything else, as it is.
func (c *catalogue) listed(s string) string {
	items := strings.Split(s, "; ")
	for i, item := range items {
		word, times, more := strings.Cut(item, " ×")
		text, ok := c.Sentences[word]
		if !ok {
			return s
		}
		if items[i] = text; more {
			items[i] += " ×" + times
		}
	}
	return strings.Join(items, "; ")
}
