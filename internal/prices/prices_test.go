package prices

import (
	"errors"
	"strings"
	"testing"

	"retrytax/internal/source"
)

func read(t *testing.T, text string) (*List, error) {
	t.Helper()
	return Read(source.BytesInput("list", []byte(text)))
}

func price(t *testing.T, l *List, model, tier string, above int64) Price {
	t.Helper()
	for _, p := range l.Prices {
		if p.Model == model && p.Tier == tier && p.Above == above {
			return p
		}
	}
	t.Fatalf("found no price of %s, %s above %d in %+v", model, tier, above, l.Prices)
	return Price{}
}

func TestLiteLLM(t *testing.T) {
	l, err := read(t, `{
		"sample_spec": {"input_cost_per_token": 0, "max_tokens": "prose"},
		"openai/GPT-5": {"litellm_provider": "openai", "input_cost_per_token": 1.25e-06, "output_cost_per_token": 0.00001,
			"cache_read_input_token_cost": 1.25e-07, "cache_creation_input_token_cost": 2e-6, "output_cost_per_reasoning_token": null,
			"input_cost_per_token_above_200k_tokens": 2.5e-06, "input_cost_per_token_above_200k_tokens_flex": 1.5e-06,
			"input_cost_per_token_batches": 6.25e-07, "input_cost_per_audio_token": 1, "supports_vision": true},
		"qwen": {"litellm_provider": "dashscope", "tiered_pricing": [
			{"range": [0, 256000.0], "input_cost_per_token": 5e-08, "output_cost_per_token": 4e-07},
			{"range": [256000.0, 1000000.0], "input_cost_per_token": 2e-07}]},
		"picture": {"litellm_provider": "openai", "output_cost_per_image": 0.04}}`)
	if err != nil {
		t.Fatal(err)
	}
	if l.Format != "litellm-prices" || l.Rows != 4 || l.Ignored != 2 || len(l.SHA256) != 64 {
		t.Errorf("found %s, %d rows, %d ignored, hash %q", l.Format, l.Rows, l.Ignored, l.SHA256)
	}
	p := price(t, l, "openai/gpt-5", Standard, 0)
	if p.Provider != "openai" || p.Currency != "USD" || p.Input.String() != "1.25" || p.Output.String() != "10" ||
		p.CachedInput.String() != "0.125" || p.CacheWrite.String() != "2" || p.Reasoning != nil {
		t.Errorf("standard: found %+v", p)
	}
	if p := price(t, l, "openai/gpt-5", Flex, 200000); p.Input.String() != "1.5" || p.Output != nil {
		t.Errorf("flex above 200k: found %+v", p)
	}
	if p := price(t, l, "openai/gpt-5", Batch, 0); p.Input.String() != "0.625" {
		t.Errorf("batch: found %+v", p)
	}
	if p := price(t, l, "qwen", Standard, 256000); p.Input.String() != "0.2" || p.Output != nil {
		t.Errorf("the second range: found %+v", p)
	}
}

func TestOwnCSV(t *testing.T) {
	l, err := read(t, "\ufeffmodel,Service_Tier,above_input_tokens,effective_from,effective_to,currency,input_per_million\n"+
		"M,,,,2026-10-01,cny,0.1\nM,default,,2026-10-01T00:00:00+08:00,,CNY,\"0.20\"\n")
	if err == nil || !strings.Contains(err.Error(), "list:3: model: found a second price of m (standard)") {
		t.Fatalf("overlapping days: found %v in %+v", err, l)
	}
	l, err = read(t, "model,effective_from,effective_to,currency,input_per_million\nM,,2026-10-01,cny,0.1\nM,2026-10-01,,CNY,0.20\n")
	if err != nil || l.Format != "retrytax-prices" || l.Rows != 2 || l.Prices[1].Input.String() != "0.2" || l.Prices[0].Currency != "CNY" {
		t.Fatalf("found %+v, %v", l, err)
	}
}

// A list that is wrong anywhere prices nothing, and says where.
func TestRefused(t *testing.T) {
	const head = "model,input_per_million,service_tier,effective_from,effective_to,above_input_tokens,currency\n"
	for text, want := range map[string]string{
		head:                                                 "a header without prices",
		head + "m,1\n":                                       "list:2: found wrong number of fields",
		head + ",1,,,,,\n":                                   "list:2: model",
		head + "m,,,,,,\n":                                   "at least one price",
		head + "m,-1,,,,,\n":                                 "not negative",
		head + "m,1e400,,,,,\n":                              "a price such as 2.50",
		head + "m,1e99999999999,,,,,\n":                      "a price such as 2.50",
		head + "m,2000000000,,,,,\n":                         "at most 1 000 000 000",
		head + "m,0.0000000000001,,,,,\n":                    "twelve decimals",
		head + "m,0x10,,,,,\n":                               "a price such as 2.50",
		head + "m,1,turbo,,,,\n":                             "standard, batch, flex or priority",
		head + "m,1,,yesterday,,,\n":                         "a day such as",
		head + "m,1,,2026-10-02,2026-10-02,,\n":              "a day after effective_from",
		head + "m,1,,,,-5,\n":                                "a count of tokens",
		head + "m,1,,,,,dollars\n":                           "three letters",
		"model,input_per_million,outptu\nm,1,2\n":            `the column "outptu"`,
		"input_per_million\n1\n":                             "no column model",
		"":                                                   "an empty file",
		`{"m": {"input_cost_per_token": "1e-6"}}`:            "a number of USD a token",
		`{"m": {"input_cost_per_token": -1e-6}}`:             "not negative",
		`{"m": {"input_cost_per_token": 2}}`:                 "at most 0.1 USD a token",
		`{"m": {"max_tokens": 5}}`:                           "no model with a price",
		`{"m": 5}`:                                           "expected an object",
		`{"m": {"input_cost_per_token": 1e-6}} {}`:           "more behind",
		"{\"m\":\n{\"input_cost_per_token\": 1e-6,}}":        "list:2: found JSON that does not parse",
		`{"m": {"tiered_pricing": 5}}`:                       "a list of ranges",
		`{"m": {"tiered_pricing": [{"range": [1]}]}}`:        "two counts of tokens",
		`{"m": {"tiered_pricing": [{"range": ["x", "y"]}]}}`: "two counts of tokens",
		`{"m": {"input_cost_per_token_above_99999999999999k_tokens": 1e-6}}`: "a size such as",
	} {
		_, err := read(t, text)
		var e *source.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: found %v, expected %q", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("model,input_per_million\nm,1\n")
	f.Add(`{"m": {"litellm_provider": "p", "input_cost_per_token": 1e-6, "tiered_pricing": [{"range": [0, 1], "output_cost_per_token": 1e-6}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Read(source.BytesInput("list", []byte(text)))
		if err == nil && len(l.Prices) == 0 {
			t.Error("found a list without prices")
		}
	})
}
