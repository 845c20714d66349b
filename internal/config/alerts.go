package config

import (
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/shopspring/decimal"
)

// Kinds of channels that take alerts.
const (
	DingTalk = "dingtalk" // a group's custom robot
	Feishu   = "feishu"   // a group's custom robot; Lark is the same
	Slack    = "slack"    // an incoming webhook
	Webhook  = "webhook"  // anything that takes a POST of JSON
)

// Languages of messages.
const (
	English = "en"
	Chinese = "zh"
)

// Alerts says when somebody is told of a night, where, and how long it is tried.
type Alerts struct {
	Language Setting[string]        // en | zh
	Timeout  Setting[time.Duration] // of one try
	Attempts Setting[int64]         // tries of one message, 1 to 10
	When     When
	Channels []Channel // in the order of the file
}

// When holds the conditions. Unset ones are never met.
type When struct {
	RetryTax       map[string]decimal.Decimal // by currency: what was settled since the night before
	RetryTaxShare  Setting[decimal.Decimal]   // 0..1 of what was billed for it
	ErrorRate      Setting[decimal.Decimal]   // 0..1 of the attempts of any minute that ended in an error
	ErrorRateCalls Setting[int64]             // attempts that a minute must have to count
	NewCause       Setting[bool]
	NewProvider    Setting[bool]
	ChecksFail     Setting[bool]
	MissingInput   Setting[bool]
	RunFails       Setting[bool]
}

// Channel is one place that is told.
type Channel struct {
	Name     string // unique; its kind where none is given
	Kind     string // dingtalk | feishu | slack | webhook
	URL      Secret
	Secret   Secret // for the signature; empty is none
	Language string // en | zh; "" is that of all
	Line     int    // where it stands in the configuration
}

func defaultAlerts() Alerts {
	return Alerts{
		Language: preset(English),
		Timeout:  preset(10 * time.Second),
		Attempts: preset[int64](4),
		When: When{
			RetryTax:       map[string]decimal.Decimal{},
			ErrorRate:      preset(decimal.New(3, -1)),
			ErrorRateCalls: preset[int64](20),
			NewCause:       preset(true),
			NewProvider:    preset(true),
			ChecksFail:     preset(true),
			MissingInput:   preset(true),
			RunFails:       preset(true),
		},
	}
}

func alerts(a *Alerts) rule {
	return func(r *reader, key string, n ast.Node) {
		r.mapping(key, n, map[string]rule{
			"language": scalar(&a.Language, oneOf(English, Chinese)),
			"timeout":  scalar(&a.Timeout, tryTimeout),
			"attempts": scalar(&a.Attempts, tries),
			"when":     when(&a.When),
			"channels": channels(&a.Channels),
		})
	}
}

func when(w *When) rule {
	return func(r *reader, key string, n ast.Node) {
		r.mapping(key, n, map[string]rule{
			"retry_tax":        amounts(w.RetryTax),
			"retry_tax_share":  scalar(&w.RetryTaxShare, ratio),
			"error_rate":       scalar(&w.ErrorRate, ratio),
			"error_rate_calls": scalar(&w.ErrorRateCalls, atLeastOne),
			"new_cause":        scalar(&w.NewCause, boolean),
			"new_provider":     scalar(&w.NewProvider, boolean),
			"checks_fail":      scalar(&w.ChecksFail, boolean),
			"missing_input":    scalar(&w.MissingInput, boolean),
			"run_fails":        scalar(&w.RunFails, boolean),
		})
	}
}

// amounts reads currency: amount. An amount without a currency would mean another thing in
// each bill.
func amounts(dst map[string]decimal.Decimal) rule {
	return func(r *reader, key string, n ast.Node) {
		lines := map[string]int{}
		r.each(key, n, func(name string, k, v ast.Node) {
			code, bad := currency(name)
			if bad != nil {
				r.problem(lineOf(k), key, quote(name)+" as a key", bad.expected, bad.hint)
				return
			}
			if line, twice := lines[code]; twice {
				r.problem(lineOf(k), key, "the currency "+code+" again", "each currency once",
					"it stands in line "+strconv.Itoa(line)+" already; case does not count")
				return
			}
			lines[code] = lineOf(k)
			if d, ok := read(r, join(key, name), v, limitAmount); ok {
				dst[code] = d
			}
		})
	}
}

func channels(dst *[]Channel) rule {
	return func(r *reader, key string, n ast.Node) {
		if n.Type() == ast.NullType {
			return
		}
		seq, ok := n.(*ast.SequenceNode)
		if !ok {
			r.problem(lineOf(n), key, describe(n), "a list", "write one '- {kind: slack, url: \"${SLACK_URL}\"}' a line")
			return
		}
		lines := map[string]int{}
		for i, item := range seq.Values {
			at := key + "[" + strconv.Itoa(i+1) + "]"
			c, ok := r.channel(at, item)
			if !ok {
				continue
			}
			if line, twice := lines[c.Name]; twice {
				r.problem(c.Line, at, "the name "+quote(c.Name)+" again", "a name for each channel", "line "+strconv.Itoa(line)+" has it already; add name: …")
				continue
			}
			lines[c.Name] = c.Line
			*dst = append(*dst, c)
		}
	}
}

// channel reads one entry; false if something of it is wrong.
func (r *reader) channel(key string, n ast.Node) (Channel, bool) {
	var name, kind, language Setting[string]
	var address, secret Setting[Secret]
	before := len(r.problems)
	r.mapping(key, n, map[string]rule{
		"name":     scalar(&name, channelName),
		"kind":     scalar(&kind, oneOf(DingTalk, Feishu, Slack, Webhook)),
		"url":      scalar(&address, secretURL),
		"secret":   scalar(&secret, secretReference),
		"language": scalar(&language, oneOf(English, Chinese)),
	})
	c := Channel{Name: name.Value, Kind: kind.Value, URL: address.Value, Secret: secret.Value, Language: language.Value, Line: lineOf(n)}
	if len(r.problems) == before {
		switch {
		case !kind.IsSet():
			r.problem(c.Line, key, "no kind", "kind: dingtalk, feishu, slack or webhook", "such as kind: slack")
		case !address.IsSet():
			r.problem(c.Line, key, "no url", "url, the address of the channel", `such as url: "${SLACK_URL}"`)
		case !strings.Contains(c.URL.text, "$") && CheckURL(c.URL.text, c.Kind) != nil:
			r.problem(c.Line, key, "a url that does not begin with https", "https: whoever reads a message on its way can send others", "such as https://hooks.example/…; http is taken for kind: webhook, and on this machine")
		case c.Kind == Slack && secret.IsSet():
			r.problem(c.Line, key, "a secret", "none: Slack signs nothing", "remove it; the secret of an incoming webhook is its url")
		}
	}
	if c.Name == "" {
		c.Name = c.Kind
	}
	return c, len(r.problems) == before
}
