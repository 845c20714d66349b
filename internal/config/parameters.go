package config

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Parameter is one effective value as text, for the Method sheet: two runs with the same
// parameters went by the same rules.
type Parameter struct {
	Name, Value string
	Origin      Origin
}

// Parameters is the canonical form of the whole configuration, sorted by name. Of a
// provider only what differs from the defaults stands there; the defaults are listed once,
// under providers.*.
func (c *Config) Parameters() []Parameter {
	var out []Parameter
	put := func(name, value string, from Origin) { out = append(out, Parameter{name, value, from}) }
	putText(put, "zone", c.Zone)
	putText(put, "source_zone", c.SourceZone)
	putText(put, "currency", c.Currency)
	putText(put, "paid_book", c.PaidBook)
	putAs(put, "quota_per_usd", c.QuotaPerUSD, func(n int64) string { return strconv.FormatInt(n, 10) })
	c.Thresholds.parameters(put)
	for _, alias := range sortedKeys(c.Models) {
		put("models."+alias, c.Models[alias], User)
	}
	for i, s := range c.Sources {
		put(fmt.Sprintf("sources[%03d]", i+1), s.text(), User)
	}
	presets(c.SourceZone).parameters("providers.*", put)
	known, _ := builtins()
	for _, name := range c.names() {
		if c.Canonical(name) != name {
			continue // an alias: its vendor's entry lists it
		}
		user := c.providers[name]
		if _, builtIn := known[name]; builtIn || c.has(name) {
			user.or(builtinFor(name, user)).parameters("providers."+name, put)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

func (c *Config) has(name string) bool { _, ok := c.providers[name]; return ok }

type putter func(name, value string, from Origin)

// putAs lists a setting that is set.
func putAs[T any](put putter, name string, s Setting[T], text func(T) string) {
	if s.IsSet() {
		put(name, text(s.Value), s.From)
	}
}

func putText(put putter, name string, s Setting[string]) {
	putAs(put, name, s, func(v string) string { return v })
}

func (t Thresholds) parameters(put putter) {
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	if t.PartialOutputRatio.IsSet() {
		put("thresholds.partial_output_ratio", t.PartialOutputRatio.Value.String(), t.PartialOutputRatio.From)
	}
	if t.Confidence.IsSet() {
		put("thresholds.confidence", t.Confidence.Value.String(), t.Confidence.From)
	}
	putAs(put, "thresholds.copy_window_ms", t.CopyWindowMS, whole)
	putAs(put, "thresholds.layer_grace_ms", t.LayerGraceMS, whole)
	putAs(put, "thresholds.connect_timeout_ms", t.ConnectTimeoutMS, whole)
	putAs(put, "thresholds.read_timeout_ms", t.ReadTimeoutMS, listText[int64])
	putAs(put, "thresholds.repeat_window", t.RepeatWindow, time.Duration.String)
}

// parameters lists what a profile says under prefix.
func (p Profile) parameters(prefix string, put putter) {
	putText(put, prefix+".idempotency", p.Idempotency)
	putAs(put, prefix+".key_lifetime", p.KeyLifetime, time.Duration.String)
	putAs(put, prefix+".billed_statuses", p.BilledStatuses, func(v []int) string { return listText(ascending(v)) })
	putText(put, prefix+".bills_cancelled", p.BillsCancelled)
	putText(put, prefix+".stamp", p.Stamp)
	putText(put, prefix+".zone", p.Zone)
	putAs(put, prefix+".skew", p.Skew, time.Duration.String)
	putAs(put, prefix+".tail", p.Tail, time.Duration.String)
	putAs(put, prefix+".lateness", p.Lateness, time.Duration.String)
	putAs(put, prefix+".unique_ids", p.UniqueIDs, strconv.FormatBool)
	putText(put, prefix+".cached_tokens", p.CachedTokens)
	putAs(put, prefix+".aliases", p.Aliases, listText[string])
	putText(put, prefix+".as_of", p.AsOf)
	putText(put, prefix+".source", p.Source)
}

func listText[T any](values []T) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = fmt.Sprint(v)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// text is what a source says, in the order of the keys of the file.
func (s Source) text() string {
	var parts []string
	for _, f := range []struct{ key, value string }{
		{"match", s.Match}, {"files", s.Files}, {"role", s.Role}, {"provider", s.Provider}, {"zone", s.Zone},
		{"date", s.Date}, {"api_key", s.APIKey}, {"book", s.Book}, {"currency", s.Currency},
	} {
		if f.value != "" {
			parts = append(parts, f.key+": "+f.value)
		}
	}
	return strings.Join(parts, ", ")
}

// NightlyParameters is what retrytax nightly goes by, sorted by name. It changes no number of a
// report, so that it stands apart; secrets stay hidden.
func (c *Config) NightlyParameters() []Parameter {
	var out []Parameter
	put := func(name, value string, from Origin) { out = append(out, Parameter{name, value, from}) }
	putText(put, "nightly.database", c.Nightly.Database)
	putText(put, "nightly.reports", c.Nightly.Reports)
	putText(put, "nightly.metrics", c.Nightly.Metrics)
	for i, s := range c.Sources {
		if s.Files != "" {
			put(fmt.Sprintf("sources[%03d].optional", i+1), strconv.FormatBool(s.Optional), User)
		}
	}
	a := c.Alerts
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	share := decimal.Decimal.String
	putText(put, "alerts.language", a.Language)
	putAs(put, "alerts.timeout", a.Timeout, time.Duration.String)
	putAs(put, "alerts.attempts", a.Attempts, whole)
	for _, code := range sortedKeys(a.When.RetryTax) {
		put("alerts.when.retry_tax."+code, a.When.RetryTax[code].String(), User)
	}
	putAs(put, "alerts.when.retry_tax_share", a.When.RetryTaxShare, share)
	putAs(put, "alerts.when.error_rate", a.When.ErrorRate, share)
	putAs(put, "alerts.when.error_rate_calls", a.When.ErrorRateCalls, whole)
	for _, s := range []struct {
		name string
		on   Setting[bool]
	}{{"new_cause", a.When.NewCause}, {"new_provider", a.When.NewProvider}, {"checks_fail", a.When.ChecksFail},
		{"missing_input", a.When.MissingInput}, {"run_fails", a.When.RunFails}} {
		putAs(put, "alerts.when."+s.name, s.on, strconv.FormatBool)
	}
	for i, ch := range a.Channels {
		put(fmt.Sprintf("alerts.channels[%03d]", i+1), ch.text(), User)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// text is what a channel says, without its secrets.
func (c Channel) text() string {
	text := "name: " + c.Name + ", kind: " + c.Kind + ", url: " + c.URL.String()
	if !c.Secret.Empty() {
		text += ", secret: " + c.Secret.String()
	}
	if c.Language != "" {
		text += ", language: " + c.Language
	}
	return text
}
