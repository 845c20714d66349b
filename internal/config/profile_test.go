package config

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func mustParse(t *testing.T, text string) *Config {
	t.Helper()
	cfg, err := Parse("t.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func row(t *testing.T, c *Config, provider string) ProviderRow {
	t.Helper()
	for _, r := range c.ProviderRows() {
		if r.Provider == provider {
			return r
		}
	}
	t.Fatalf("no row for %q", provider)
	return ProviderRow{}
}

func TestLayersMergeFieldByField(t *testing.T) {
	cfg := mustParse(t, "source_zone: Europe/Berlin\nproviders:\n  ' Azure-OpenAI ':\n    stamp: end\n    skew: 2s\n    bills_cancelled: yes\n")
	p := cfg.Provider("AZURE")
	if p.Stamp != (Setting[string]{StampEnd, User}) || !p.Skew.Explicit() || p.Skew.Value != 2*time.Second {
		t.Errorf("the user's fields: stamp %+v, skew %+v", p.Stamp, p.Skew)
	}
	if diff := cmp.Diff(Setting[[]int]{[]int{400, 408}, BuiltIn}, p.BilledStatuses); diff != "" {
		t.Errorf("the built-in field (-want +got):\n%s", diff)
	}
	if p.Tail != (Setting[time.Duration]{10 * time.Minute, Preset}) {
		t.Errorf("the default field: tail %+v", p.Tail)
	}
	want := row(t, cfg, "azure")
	if want.Canonical != "azure" || want.Zone != "Europe/Berlin" || want.StampOrigin != User || want.SkewMS != 2000 {
		t.Errorf("row of azure: %+v", want)
	}
	got := row(t, cfg, "azure_openai")
	want.Provider = "azure_openai"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("an alias has another profile (-azure +azure_openai):\n%s", diff)
	}
}

func TestDefaultsRow(t *testing.T) {
	want := ProviderRow{
		Idempotency: Unknown, KeyLifetimeMS: 86_400_000, BilledStatuses: []int{}, BillsCancelled: Unknown,
		Stamp: StampStart, StampOrigin: Preset, SkewMS: 5000, SkewOrigin: Preset,
		TailMS: 600_000, LatenessMS: 172_800_000, CachedTokens: CachedInside, Zone: "UTC",
	}
	if diff := cmp.Diff(want, Default().ProviderRows()[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, row(t, mustParse(t, "providers: {acme: {stamp: end}}"), "")); diff != "" {
		t.Errorf("one provider's profile changed the defaults (-want +got):\n%s", diff)
	}
}

// "ours" is azure under another name: what is known of azure holds for it, under every name.
func TestUserAliasTakesOverAVendor(t *testing.T) {
	cfg := mustParse(t, "providers:\n  Ours: {aliases: [Azure], idempotency: honoured, key_lifetime: 1h}\n")
	for _, name := range []string{"ours", "azure", "azure-openai"} {
		r := row(t, cfg, name)
		if r.Canonical != "ours" || r.Idempotency != Honoured || r.KeyLifetimeMS != 3_600_000 || len(r.BilledStatuses) != 2 {
			t.Errorf("row of %s: %+v", name, r)
		}
	}
	if got := cfg.Canonical("never-heard-of"); got != "never-heard-of" {
		t.Errorf("an unknown provider became %q", got)
	}
}

func TestBuiltInFacts(t *testing.T) {
	known, vendor := builtins()
	for name, p := range known {
		if !p.AsOf.IsSet() || !p.Source.IsSet() {
			t.Errorf("%s has no date or no source", name)
		}
		if p.Idempotency.IsSet() || p.Stamp.IsSet() || p.Skew.IsSet() {
			t.Errorf("%s states what no source says", name)
		}
		if _, both := vendor[name]; both || name != foldProvider(name) {
			t.Errorf("%s is an alias as well, or not lower case", name)
		}
		seen := map[string]bool{}
		for _, a := range p.Aliases.Value {
			if vendor[a] != name || seen[a] {
				t.Errorf("%s, an alias of %s, is one of %s too", a, name, vendor[a])
			}
			seen[a] = true
		}
	}
	cfg := Default()
	if got := cfg.Provider("anthropic").CachedTokens; got != (Setting[string]{CachedOutside, BuiltIn}) {
		t.Errorf("anthropic: cached tokens %+v", got)
	}
	if got := cfg.Provider("openai").CachedTokens; got != (Setting[string]{CachedInside, BuiltIn}) {
		t.Errorf("openai: cached tokens %+v", got)
	}
	if !row(t, cfg, "openrouter").UniqueIDs {
		t.Error("openrouter: ids are not unique")
	}
}

func TestParametersSayWhereValuesComeFrom(t *testing.T) {
	cfg := mustParse(t, "zone: Asia/Shanghai\nmodels: {fast: gpt-x-mini}\nthresholds: {confidence: 0.950, read_timeout_ms: [1000, 2000]}\n"+
		"sources: [{match: a.log, role: attempts}]\nproviders: {openai: {stamp: end}}\n")
	got := map[string]Parameter{}
	last := ""
	for _, p := range cfg.Parameters() {
		if p.Name < last {
			t.Errorf("%s comes after %s", p.Name, last)
		}
		if _, twice := got[p.Name]; twice {
			t.Errorf("%s stands twice", p.Name)
		}
		got[p.Name], last = p, p.Name
	}
	for _, want := range []Parameter{
		{"zone", "Asia/Shanghai", User},
		{"source_zone", "UTC", Preset},
		{"models.fast", "gpt-x-mini", User},
		{"thresholds.confidence", "0.95", User},
		{"thresholds.partial_output_ratio", "0.8", Preset},
		{"thresholds.read_timeout_ms", "[1000, 2000]", User},
		{"sources[001]", "match: a.log, role: attempts", User},
		{"providers.openai.stamp", "end", User},
		{"providers.openai.cached_tokens", "inside", BuiltIn},
		{"providers.azure.billed_statuses", "[400, 408]", BuiltIn},
		{"providers.*.skew", "5s", Preset},
	} {
		if got[want.Name] != want {
			t.Errorf("got %+v, want %+v", got[want.Name], want)
		}
	}
}

func TestModelRowsAndSources(t *testing.T) {
	cfg := mustParse(t, "models: {b: x, a: y}\nsources:\n- {match: \"logs/*.log\", provider: ACME}\n- {match: \"*.log\", role: charges, currency: cny}\n")
	if diff := cmp.Diff([]ModelRow{{"a", "y"}, {"b", "x"}}, cfg.ModelRows()); diff != "" {
		t.Error(diff)
	}
	if s, _ := cfg.SourceFor(`logs\app.log`); s.Provider != "acme" || s.Line != 3 {
		t.Errorf("by path: %+v", s)
	}
	if s, _ := cfg.SourceFor("/var/app.log"); s.Currency != "CNY" || s.Role != RoleCharges {
		t.Errorf("by base name: %+v", s)
	}
	if _, ok := cfg.SourceFor("app.csv"); ok {
		t.Error("app.csv matched")
	}
}
