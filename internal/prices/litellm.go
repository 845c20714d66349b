package prices

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/source"
)

// LiteLLM's keys: a kind of token, then perhaps a size of prompt, then perhaps a tier of
// service: input_cost_per_token_above_200k_tokens_flex. Other keys price images, seconds,
// searches, audio: a charge in tokens has none of them.
var costKey = regexp.MustCompile(`^(input_cost_per_token|output_cost_per_token|output_cost_per_reasoning_token|cache_read_input_token_cost|cache_creation_input_token_cost|input_cost_per_token_cache_hit)(?:_above_(\d+)k_tokens)?(?:_(batches|flex|priority))?$`)

var tierNames = map[string]string{"": Standard, "batches": Batch, "flex": Flex, "priority": Priority}

// notModels are top-level keys that describe the list itself.
var notModels = map[string]bool{"sample_spec": true, "fallback_generalizations": true}

// readLiteLLM reads model_prices_and_context_window.json: USD per token, no dates. A key is
// the model's name, with or without its provider ahead.
func (l *List) readLiteLLM(file string, text []byte) error {
	fail := func(entry, found, expected string, cause error) error {
		return &source.Error{File: file, Column: entry, Found: found, Expected: expected, Kind: source.ErrUnrecognised, Cause: cause,
			Hint: "a price list counts only as a whole: download it again, or mend the entry"}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var models map[string]json.RawMessage
	if err := d.Decode(&models); err != nil {
		e := fail("", "JSON that does not parse", "one object of models", err).(*source.Error)
		if s, ok := err.(*json.SyntaxError); ok {
			e.Line = int64(1 + bytes.Count(text[:min(int(s.Offset), len(text))], []byte{'\n'}))
		}
		return e
	}
	if d.More() {
		return fail("", "more behind the object of models", "nothing", nil)
	}
	for _, name := range slices.Sorted(maps.Keys(models)) {
		l.Rows++
		if notModels[name] {
			l.Ignored++
			continue
		}
		prices, column, expected, err := readEntry(name, models[name])
		if expected != "" {
			return fail(cut(name)+"."+column, "a value that is no price", expected, err)
		}
		if len(prices) == 0 {
			l.Ignored++
		}
		for i := range prices {
			prices[i].Line = l.Rows
		}
		l.Prices = append(l.Prices, prices...)
	}
	if len(l.Prices) == 0 {
		return fail("", "no model with a price of tokens", "some", nil)
	}
	return nil
}

// readEntry reads the prices of one model: one for each tier of service and size of prompt.
func readEntry(name string, raw json.RawMessage) (prices []Price, column, expected string, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var fields map[string]any
	if err := d.Decode(&fields); err != nil {
		return nil, "", "an object", err
	}
	provider, _ := fields["litellm_provider"].(string)
	e := entry{base: Price{Provider: providerOf(provider), Model: strings.ToLower(name), Currency: "USD"}, byKey: map[string]*Price{}}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if key == "tiered_pricing" {
			if column, expected := e.tiers(fields[key]); expected != "" {
				return nil, column, expected, nil
			}
			continue
		}
		if expected := e.add(key, fields[key], 0); expected != "" {
			return nil, key, expected, nil
		}
	}
	return e.sorted(), "", "", nil
}

// entry gathers the prices of one model.
type entry struct {
	base  Price
	byKey map[string]*Price
}

// add takes one key in, if it is a price of tokens; expected says what a wrong value should be.
func (e *entry) add(key string, value any, above int64) (expected string) {
	m := costKey.FindStringSubmatch(key)
	if m == nil || value == nil {
		return ""
	}
	n, ok := value.(json.Number)
	if !ok {
		return "a number of USD a token"
	}
	d, expected := perMillion(n.String(), 0)
	if d == nil {
		return expected
	}
	if d.GreaterThan(largestUSD) {
		return "at most 0.1 USD a token"
	}
	if m[2] != "" {
		k, err := strconv.ParseInt(m[2], 10, 32)
		if err != nil {
			return "a size such as above_200k_tokens"
		}
		above = k * 1000
	}
	p := e.at(tierNames[m[3]], above)
	switch m[1] {
	case "input_cost_per_token":
		p.Input = d
	case "output_cost_per_token":
		p.Output = d
	case "output_cost_per_reasoning_token":
		p.Reasoning = d
	case "cache_read_input_token_cost":
		p.CachedInput = d
	case "input_cost_per_token_cache_hit":
		if p.CachedInput == nil {
			p.CachedInput = d
		}
	case "cache_creation_input_token_cost":
		p.CacheWrite = d
	}
	return ""
}

// at is the price of a tier and size.
func (e *entry) at(tier string, above int64) *Price {
	key := fmt.Sprintf("%s %d", tier, above)
	p := e.byKey[key]
	if p == nil {
		c := e.base
		c.Tier, c.Above = tier, above
		p = &c
		e.byKey[key] = p
	}
	return p
}

// tiers reads tiered_pricing: prices by ranges of the prompt's size, the lower end excluded.
func (e *entry) tiers(value any) (column, expected string) {
	list, ok := value.([]any)
	if !ok {
		return "tiered_pricing", "a list of ranges"
	}
	for i, t := range list {
		at := fmt.Sprintf("tiered_pricing[%d]", i)
		fields, ok := t.(map[string]any)
		if !ok {
			return at, "an object with a range"
		}
		span, ok := fields["range"].([]any)
		if !ok || len(span) != 2 {
			return at + ".range", "two counts of tokens"
		}
		low, err := decimal.NewFromString(fmt.Sprint(span[0]))
		if err != nil || beyond(low) || low.IsNegative() || low.GreaterThan(decimal.New(1, 12)) {
			return at + ".range", "two counts of tokens"
		}
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			if expected := e.add(key, fields[key], low.IntPart()); expected != "" {
				return at + "." + key, expected
			}
		}
	}
	return "", ""
}

func (e *entry) sorted() []Price {
	out := make([]Price, 0, len(e.byKey))
	for _, p := range e.byKey {
		out = append(out, *p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].key() < out[j].key() })
	return out
}

// providerOf is LiteLLM's name of a provider without its variant: vertex_ai-language-models
// and vertex_ai are one.
func providerOf(s string) string {
	s = strings.ToLower(s)
	if base, _, ok := strings.Cut(s, "-"); ok && base == "vertex_ai" {
		return base
	}
	return strings.TrimSuffix(s, "_converse")
}
