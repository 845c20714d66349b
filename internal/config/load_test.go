package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each text is wrong in one way; want is the whole error, hint what the advice must hold.
var problemCases = []struct{ name, text, want, hint string }{
	{"unknown_key", "zone: UTC\ncurency: USD\n",
		`t.yaml:2: found the unknown key "curency", expected a known key`, "did you mean currency?"},
	{"unknown_nested_key", "providers:\n  acme:\n    stmp: end\n",
		`t.yaml:3: found the unknown key "stmp" in providers.acme, expected a known key`, "did you mean stamp?"},
	{"unlike_anything", "thresholds:\n  colour: red\n",
		`t.yaml:2: found the unknown key "colour" in thresholds, expected a known key`, "the keys here are confidence"},
	{"list_for_text", "currency: [USD]\n",
		`t.yaml:1: found a list in currency, expected a currency code of three letters`, "USD"},
	{"mapping_for_list", "sources:\n  match: x\n",
		`t.yaml:2: found a mapping in sources, expected a list`, "match"},
	{"text_for_mapping", "thresholds: high\n",
		`t.yaml:1: found "high" in thresholds, expected a mapping`, "key: value"},
	{"bad_zone", "\n\nzone: Mars/Olympus\n",
		`t.yaml:3: found "Mars/Olympus" in zone, expected an IANA time zone`, "Asia/Shanghai"},
	{"zone_of_this_machine", "zone: Local\n",
		`t.yaml:1: found "Local" in zone, expected an IANA time zone`, ""},
	{"bad_duration", "providers:\n  acme:\n    tail: 2 days\n",
		`t.yaml:3: found "2 days" in providers.acme.tail, expected a duration such as 500ms, 5s, 10m or 48h`, "48h"},
	{"negative_duration", "thresholds: {repeat_window: -5s}\n",
		`t.yaml:1: found "-5s" in thresholds.repeat_window, expected a duration such as 500ms, 5s, 10m or 48h`, ""},
	{"number_for_duration", "thresholds: {repeat_window: 30}\n",
		`t.yaml:1: found "30" in thresholds.repeat_window, expected a duration such as 500ms, 5s, 10m or 48h`, ""},
	{"ratio_above_one", "thresholds:\n  confidence: 1.5\n",
		`t.yaml:2: found "1.5" in thresholds.confidence, expected a ratio from 0 to 1`, "0.9"},
	{"ratio_in_percent", "thresholds:\n  confidence: 90%\n",
		`t.yaml:2: found "90%" in thresholds.confidence, expected a ratio from 0 to 1`, "90% as 0.9"},
	{"negative_ratio", "thresholds:\n  partial_output_ratio: -0.1\n",
		`t.yaml:2: found "-0.1" in thresholds.partial_output_ratio, expected a ratio from 0 to 1`, ""},
	{"unknown_enum", "paid_book: bil\n",
		`t.yaml:1: found "bil" in paid_book, expected bill or estimate`, "did you mean bill?"},
	{"hexadecimal_count", "thresholds: {copy_window_ms: 0x1F}\n",
		`t.yaml:1: found "0x1F" in thresholds.copy_window_ms, expected a whole number of milliseconds`, ""},
	{"status_that_is_none", "providers:\n  acme:\n    billed_statuses: [400, 200]\n",
		`t.yaml:3: found "200" in providers.acme.billed_statuses, expected an HTTP status from 400 to 599`, "[400, 408]"},
	{"yes_for_true", "providers:\n  acme:\n    unique_ids: yes\n",
		`t.yaml:3: found "yes" in providers.acme.unique_ids, expected true or false`, ""},
	{"bad_date", "sources:\n  - match: a.log\n    date: 2026-02-30\n",
		`t.yaml:3: found "2026-02-30" in sources[1].date, expected a date YYYY-MM-DD`, ""},
	{"source_without_match", "sources:\n  - role: attempts\n",
		`t.yaml:2: found no match in sources[1], expected match, a file name pattern`, "app-*.log"},
	{"bad_pattern", "sources:\n  - match: \"app-[.log\"\n",
		`t.yaml:2: found "app-[.log" in sources[1].match, expected a file name pattern`, ""},
	{"secret_is_not_repeated", "sources:\n  - match: a.log\n    api_key: sk-0123456789abcdefghij0123\n",
		`t.yaml:3: found what looks like a secret in sources[1].api_key, expected the name of an API key`, "never the key"},
	{"key_twice", "zone: UTC\nzone: UTC\n",
		`t.yaml:2: found the key "zone" again, expected each key once`, "line 1"},
	{"provider_twice_but_for_case", "providers:\n  acme: {}\n  ACME: {}\n",
		`t.yaml:3: found the provider "ACME" again in providers, expected each provider once`, "line 2"},
	{"vendor_under_two_names", "providers:\n  azure: {}\n  azure-openai: {}\n",
		`t.yaml:3: found "azure" again in providers.azure-openai, expected each provider once`, "azure in line 2"},
	{"alias_of_two", "providers:\n  a: {aliases: [x]}\n  b: {aliases: [X]}\n",
		`t.yaml:3: found "x" again in providers.b, expected each provider once`, "a in line 2"},
	{"model_chain", "models:\n  a: b\n  b: c\n",
		`t.yaml:2: found the alias "b" in models.a, expected a canonical name`, "write c"},
	{"anchor", "zone: &z UTC\nsource_zone: *z\n",
		`t.yaml:1: found an anchor or alias in zone, expected an IANA time zone`, ""},
	{"second_document", "zone: UTC\n---\nzone: UTC\n",
		`t.yaml:3: found a second YAML document, expected one document`, "---"},
	{"a_list_at_the_top", "- zone\n", `t.yaml:1: found a list, expected a mapping`, ""},
}

func TestEveryProblemNamesItsLine(t *testing.T) {
	for _, c := range problemCases {
		t.Run(c.name, func(t *testing.T) {
			cfg, err := Parse("t.yaml", []byte(c.text))
			var problems Problems
			if cfg != nil || !errors.As(err, &problems) {
				t.Fatalf("got config %v and error %v, want Problems", cfg, err)
			}
			if got := problems[0].Error(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if !strings.Contains(problems[0].Hint(), c.hint) {
				t.Errorf("hint %q does not hold %q", problems[0].Hint(), c.hint)
			}
			if strings.Contains(err.Error(), "0123456789") {
				t.Error("the error repeats a secret")
			}
		})
	}
}

func TestAllProblemsComeBackAtOnce(t *testing.T) {
	text := "sources:\n- {match: a, role: both}\nzone: Nowhere\nproviders:\n  a: {stamp: middle, skew: x}\nbogus: 1\n"
	_, err := Parse("t.yaml", []byte(text))
	var lines []int
	for _, p := range err.(Problems) {
		lines = append(lines, p.Line)
	}
	if diff := cmp.Diff([]int{2, 3, 5, 5, 6}, lines); diff != "" {
		t.Errorf("lines of the problems (-want +got):\n%s\n%v", diff, err)
	}
	var one *Problem
	if !errors.As(err, &one) {
		t.Error("errors.As does not reach a single problem")
	}
}

func TestSyntaxErrorNamesItsLine(t *testing.T) {
	for text, line := range map[string]string{
		"zone: UTC\nproviders:\n\tacme: {}\n": "t.yaml:3:",
		"zone: [UTC\n":                        "t.yaml:1:",
	} {
		_, err := Parse("t.yaml", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), line) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want one line that begins with %s", text, err, line)
		}
	}
}

func TestEmptyFilesAreTheDefaults(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n", "---\n", "providers:\nmodels:\n", "\xef\xbb\xbfzone: UTC\n"} {
		cfg, err := Parse("t.yaml", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		want := Default().Parameters()
		got := cfg.Parameters()
		for i := range got {
			if got[i].Name == "zone" {
				got[i].Origin = Preset
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestExampleIsTheDefaults(t *testing.T) {
	cfg, err := Parse("retrytax.yaml", Example())
	if err != nil {
		t.Fatal(err)
	}
	values := func(c *Config) map[string]string {
		m := map[string]string{}
		for _, p := range c.Parameters() {
			m[p.Name] = p.Value
		}
		return m
	}
	if diff := cmp.Diff(values(Default()), values(cfg)); diff != "" {
		t.Errorf("the example differs from the defaults (-want +got):\n%s", diff)
	}
}

// The commented entries of the example must be right when a reader takes the marks away.
func TestExampleUncommentedIsValid(t *testing.T) {
	text := string(Example())
	head, tail, _ := strings.Cut(text, "# What your log calls")
	tail = "# What your log calls" + strings.ReplaceAll(tail, "\n  # ", "\n  ")
	head = strings.ReplaceAll(head, "\n  # read", "\n  read")
	cfg, err := Parse("retrytax.yaml", []byte(head+tail))
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := cfg.SourceFor("/logs/app-1.log"); !ok || s.Zone != "Asia/Shanghai" {
		t.Errorf("source of app-1.log is %+v, %v", s, ok)
	}
	if p := cfg.Provider("acme-cn"); p.Stamp.From != User {
		t.Errorf("the stamp of acme-cn comes from %q", p.Stamp.From)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(filepath.Join(dir, "none.yaml")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: got %v", err)
	}
	path := filepath.Join(dir, "retrytax.yaml")
	if err := os.WriteFile(path, []byte("currency: usd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := Load(path)
	if err != nil || cfg.Currency != (Setting[string]{"USD", User}) {
		t.Errorf("got %+v, %v", cfg, err)
	}
}

// Whatever the bytes, Parse gives a config or problems, each with a line.
func FuzzParse(f *testing.F) {
	f.Add(Example())
	for _, c := range problemCases {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg, err := Parse("t.yaml", data)
		if (cfg == nil) == (err == nil) {
			t.Fatalf("config %v and error %v", cfg, err)
		}
		if err == nil {
			cfg.ProviderRows()
			cfg.Parameters()
			return
		}
		for _, p := range err.(Problems) {
			if p.Line < 1 || p.Expected == "" {
				t.Errorf("a problem without line or expectation: %+v", p)
			}
		}
	})
}
