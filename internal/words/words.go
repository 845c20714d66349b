// Package words is the catalogue of what retrytax says in its reports, in English and Chinese.
//
// The English sentence is the key: it stands where it is used, and the catalogue (zh.yaml) has its
// Chinese. A test reads the code and fails on a sentence that the catalogue does not have, and on
// one that nothing uses. What comes from the data is never looked up word by word: a text that a
// query composes is looked up as a whole, numbers apart (see Of).
package words

import (
	_ "embed"
	"fmt"
	"regexp"
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

//go:embed zh.yaml
var chineseText []byte

// catalogue is zh.yaml: sentences with verbs of fmt, and texts of queries with {} for what varies.
type catalogue struct {
	Sentences map[string]string `yaml:"sentences"`
	Composed  map[string]string `yaml:"composed"`

	patterns []pattern
}

type pattern struct {
	english *regexp.Regexp
	chinese string
}

// chinese is the catalogue; a fault in it is found by the test of this package.
var chinese = sync.OnceValue(func() *catalogue {
	c := &catalogue{}
	if err := yaml.Unmarshal(chineseText, c); err != nil {
		panic("internal/words/zh.yaml: " + err.Error())
	}
	for english, text := range c.Composed {
		parts := strings.Split(english, "{}")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		c.patterns = append(c.patterns, pattern{regexp.MustCompile("(?s)^" + strings.Join(parts, "(.*?)") + "$"), text})
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

// Of is a text that was composed elsewhere, such as a warning of a query, in the language l.
func (l Lang) Of(english string) string {
	if l != Chinese || english == "" || len(english) > 2000 {
		return english
	}
	c := chinese()
	if text, ok := c.Sentences[english]; ok {
		return text
	}
	if text, ok := c.Composed[english]; ok {
		return text
	}
	for _, p := range c.patterns {
		found := p.english.FindStringSubmatch(english)
		if found == nil {
			continue
		}
		text := p.chinese
		for i := len(found) - 1; i > 0; i-- {
			text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", found[i])
		}
		return text
	}
	return english
}
