package config

import (
	"errors"
	"fmt"
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
		`t.yaml:1: found "-5s" in thresholds.repeat_window, expected a duration that is not negative, such as 500ms, 5s, 10m or 48h`, "without the sign"},
	{"fraction_of_a_millisecond", "thresholds: {repeat_window: 1500us}\n",
		`t.yaml:1: found "1500us" in thresholds.repeat_window, expected a duration of whole milliseconds, such as 500ms, 5s, 10m or 48h`, ""},
	{"currency_twice", "alerts:\n  when:\n    retry_tax: {usd: 10, USD: 20}\n",
		`t.yaml:3: found the currency USD again in alerts.when.retry_tax, expected each currency once`, "line 3"},
	{"number_for_path", "nightly: {database: 5}\n",
		`t.yaml:1: found the number or truth 5 in nightly.database, expected a path`, "quotes"},
	{"truth_for_pattern", "sources:\n  - files: true\n",
		`t.yaml:2: found the number or truth true in sources[1].files, expected a path`, "quotes"},
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
		`t.yaml:1: found "0x1F" in thresholds.copy_window_ms, expected a whole number of milliseconds, 0 or more`, ""},
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
	{"database_from_the_environment", "nightly:\n  database: ${DB}\n",
		`t.yaml:2: found "${DB}" in nightly.database, expected a path`, "alerts.channels only"},
	{"metrics_that_nobody_reads", "nightly:\n  metrics: retrytax.txt\n",
		`t.yaml:2: found "retrytax.txt" in nightly.metrics, expected the path of a file that ends in .prom`, "textfile"},
	{"files_of_all_folders", "sources:\n  - files: \"logs/**/*.log\"\n",
		`t.yaml:2: found "logs/**/*.log" in sources[1].files, expected a path with * and ? in it`, "each folder"},
	{"optional_what", "sources:\n  - match: a.log\n    optional: true\n",
		`t.yaml:2: found optional without files in sources[1], expected files, what a night reads`, "bills/*.csv"},
	{"tax_without_a_currency", "alerts:\n  when:\n    retry_tax: 10\n",
		`t.yaml:3: found "10" in alerts.when.retry_tax, expected a mapping`, ""},
	{"tax_in_dollars", "alerts:\n  when:\n    retry_tax: {dollars: 10}\n",
		`t.yaml:3: found "dollars" as a key in alerts.when.retry_tax, expected a currency code of three letters`, "USD"},
	{"tax_with_a_sign", "alerts:\n  when:\n    retry_tax: {USD: $10}\n",
		`t.yaml:3: found "$10" in alerts.when.retry_tax.USD, expected an amount that is not negative`, "12.50"},
	{"rate_in_percent", "alerts:\n  when:\n    error_rate: 30%\n",
		`t.yaml:3: found "30%" in alerts.when.error_rate, expected a ratio from 0 to 1`, "90% as 0.9"},
	{"minute_of_no_calls", "alerts: {when: {error_rate_calls: 0}}\n",
		`t.yaml:1: found "0" in alerts.when.error_rate_calls, expected a whole number from 1`, ""},
	{"language_that_is_none", "alerts:\n  language: zn\n",
		`t.yaml:2: found "zn" in alerts.language, expected en or zh`, ""},
	{"timeout_of_an_hour", "alerts:\n  timeout: 1h\n",
		`t.yaml:2: found "1h" in alerts.timeout, expected a duration from 100ms to 1m`, "10s"},
	{"tries_without_end", "alerts:\n  attempts: 99\n",
		`t.yaml:2: found "99" in alerts.attempts, expected a whole number from 1 to 10`, ""},
	{"channel_without_kind", "alerts:\n  channels:\n    - url: \"${A}\"\n",
		`t.yaml:3: found no kind in alerts.channels[1], expected kind: dingtalk, feishu, slack or webhook`, ""},
	{"channel_without_url", "alerts:\n  channels:\n    - {kind: slack}\n",
		`t.yaml:3: found no url in alerts.channels[1], expected url, the address of the channel`, "SLACK_URL"},
	{"channel_of_another_kind", "alerts:\n  channels:\n    - kind: slak\n",
		`t.yaml:3: found "slak" in alerts.channels[1].kind, expected dingtalk, feishu, slack or webhook`, "did you mean slack?"},
	{"secret_in_the_file", "alerts:\n  channels:\n    - kind: dingtalk\n      url: \"${A}\"\n      secret: SEC0123456789abcdef\n",
		`t.yaml:5: found what looks like a secret in alerts.channels[1].secret, expected ${NAME}, a variable of the environment that holds the secret`, "DINGTALK_SECRET"},
	{"address_that_is_none", "alerts:\n  channels:\n    - {kind: slack, url: hooks.example/0123456789}\n",
		`t.yaml:3: found what looks like a secret in alerts.channels[1].url, expected an address such as https://example.com/hook, or ${NAME}, a variable of the environment that holds it`, ""},
	{"variable_without_end", "alerts:\n  channels:\n    - {kind: slack, url: \"https://x.example/${A\"}\n",
		`t.yaml:3: found what looks like a secret in alerts.channels[1].url, expected an address such as https://example.com/hook, or ${NAME}, a variable of the environment that holds it`, ""},
	{"secret_of_slack", "alerts:\n  channels:\n    - {kind: slack, url: \"${A}\", secret: \"${B}\"}\n",
		`t.yaml:3: found a secret in alerts.channels[1], expected none: Slack signs nothing`, "remove it"},
	{"slack_in_the_clear", "alerts:\n  channels:\n    - {kind: slack, url: \"http://hooks.example/0123456789\"}\n",
		`t.yaml:3: found a url that does not begin with https in alerts.channels[1], expected https: whoever reads a message on its way can send others`, "kind: webhook"},
	{"channels_of_one_name", "alerts:\n  channels:\n    - {kind: slack, url: \"${A}\"}\n    - {kind: slack, url: \"${B}\"}\n",
		`t.yaml:4: found the name "slack" again in alerts.channels[2], expected a name for each channel`, "line 3"},
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

// What is put in for ${NAME} is shown nowhere, nor is an address beyond its host.
func TestSecretsStayHidden(t *testing.T) {
	cfg, err := Parse("t.yaml", []byte("alerts:\n  channels:\n    - {kind: slack, url: \"https://hooks.example/T0KEN\"}\n    - {kind: dingtalk, url: \"https://x.example/?t=${TOKEN}\", secret: \"${SECRET}\"}\n    - {kind: webhook, url: \"${HOOK}\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"TOKEN": "T0KEN", "SECRET": " S3CRET\n", "HOOK": ""}
	lookup := func(n string) (string, bool) { v, ok := env[n]; return v, ok }
	if got, err := cfg.Alerts.Channels[1].URL.Reveal(lookup); err != nil || got != "https://x.example/?t=T0KEN" {
		t.Errorf("found %q, %v", got, err)
	}
	if got, err := cfg.Alerts.Channels[1].Secret.Reveal(lookup); err != nil || got != "S3CRET" {
		t.Errorf("found %q, %v", got, err)
	}
	if _, err := cfg.Alerts.Channels[2].URL.Reveal(lookup); err == nil || !strings.Contains(err.Error(), "HOOK") {
		t.Errorf("an empty variable gives %v", err)
	}
	shown := fmt.Sprintf("%v %+v %#v %s", cfg.Alerts, cfg.Alerts, cfg.Alerts.Channels, cfg.NightlyParameters())
	if strings.Contains(shown, "T0KEN") || !strings.Contains(shown, "https://hooks.example/…") || !strings.Contains(shown, "${SECRET}") {
		t.Errorf("shown: %s", shown)
	}
	for _, p := range cfg.Parameters() {
		if strings.HasPrefix(p.Name, "alerts") || strings.HasPrefix(p.Name, "nightly") {
			t.Errorf("%s changes no number, and stands among the parameters of a report", p.Name)
		}
	}
}

// Paths of a night are taken from the folder of the file, and its files find their source.
func TestNightlyPaths(t *testing.T) {
	cfg, err := Parse("/srv/retrytax.yaml", []byte("sources:\n  - {files: \"a/*.log\", zone: Asia/Shanghai}\n  - {files: \"/b/*.log\", zone: Europe/Berlin}\n  - {match: \"*.log\", zone: UTC}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"/srv/a/1.log": "Asia/Shanghai", "/b/1.log": "Europe/Berlin", "/c/1.log": "UTC", "a/1.log": "UTC"} {
		if s, ok := cfg.SourceFor(file); !ok || s.Zone != want {
			t.Errorf("%s: found %+v, expected %s", file, s, want)
		}
	}
	if got := cfg.Path("x.duckdb"); got != "/srv/x.duckdb" || cfg.Path("/y") != "/y" || len(cfg.NightlySources()) != 2 {
		t.Errorf("found %s", got)
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
