package pipeline

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"retrytax/internal/config"
	"retrytax/internal/store"
	"retrytax/queries"
)

// prepare creates the tables and fills in what the configuration says.
func prepare(ctx context.Context, s *store.Store, o Options) error {
	if err := runFolder(ctx, s, queries.Schema); err != nil {
		return err
	}
	if err := setVariables(ctx, s, settings(o)); err != nil {
		return err
	}
	if err := insertProviders(ctx, s, o.Config); err != nil {
		return err
	}
	for _, m := range o.Config.ModelRows() {
		if err := s.Exec(ctx, "INSERT INTO src_models VALUES (lower(?), ?)", m.Alias, m.Canonical); err != nil {
			return err
		}
	}
	return nil
}

// settings are the variables that hold for a whole run.
func settings(o Options) map[string]string {
	t := o.Config.Thresholds
	byTokens := "all"
	switch {
	case o.NoTokens:
		byTokens = ""
	case o.lives:
		byTokens = "unnamed"
	}
	careful := "0"
	if o.Careful {
		careful = "1"
	}
	return map[string]string{
		"now":                o.Now.UTC().Format("2006-01-02 15:04:05.000000"),
		"copy_window_ms":     number(t.CopyWindowMS.Value),
		"layer_grace_ms":     number(t.LayerGraceMS.Value),
		"connect_timeout_ms": optional(t.ConnectTimeoutMS),
		"read_timeouts_ms":   joined(t.ReadTimeoutMS.Value),
		"partial_output_pct": t.PartialOutputRatio.Value.Shift(2).String(),
		"confidence":         t.Confidence.Value.String(),
		"repeat_window_ms":   number(t.RepeatWindow.Value.Milliseconds()),
		"paid_book":          o.Config.PaidBook.Value,
		"quota_per_usd":      number(o.Config.QuotaPerUSD.Value),
		"report_zone":        o.zone(),
		"careful":            careful,
		"by_tokens":          byTokens,
		"over_database":      "", // one audit: its files are complete
		"run_no":             "1",
		"first_file":         "1",
		"scope_provider":     o.Config.Canonical(o.Scope.Provider),
		"scope_model":        o.Scope.Model,
		"scope_api_key":      o.Scope.APIKey,
	}
}

func (o Options) zone() string {
	if o.Zone != "" {
		return o.Zone
	}
	return o.Config.Zone.Value
}

// keepSettings notes what the run was made with, for who opens the database later.
func keepSettings(ctx context.Context, s *store.Store, c *config.Config) error {
	if err := s.Exec(ctx, "INSERT INTO src_settings SELECT name, value FROM duckdb_variables() ORDER BY name"); err != nil {
		return err
	}
	return noteLoading(ctx, s, loading(c.Parameters()))
}

// setVariables sets them in the order of their names, so that a failure is always the same.
func setVariables(ctx context.Context, s *store.Store, v map[string]string) error {
	names := make([]string, 0, len(v))
	for n := range v {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		if err := s.SetVariable(ctx, n, v[n]); err != nil {
			return err
		}
	}
	return nil
}

func insertProviders(ctx context.Context, s *store.Store, c *config.Config) error {
	var rows []string
	var args []any
	for _, p := range c.ProviderRows() {
		// The canonical columns hold the whole input; only the user can say otherwise.
		cached := c.Provider(p.Provider).CachedTokens
		outside := cached.Explicit() && cached.Value == config.CachedOutside
		var zone any
		if p.Zone != "" && p.Provider != "" {
			zone = p.Zone
		}
		rows = append(rows, "(?, ?, ?, ?, "+intList(p.BilledStatuses)+", ?, ?, ?, ?, ?, ?, ?, ?, ?)")
		args = append(args, p.Provider, p.Canonical, p.Idempotency, p.KeyLifetimeMS, p.Stamp, string(p.StampOrigin), p.SkewMS, string(p.SkewOrigin),
			p.TailMS, p.LatenessMS, p.UniqueIDs, outside, zone)
	}
	// One statement for all: each costs as much as a small query.
	if err := s.Exec(ctx, "INSERT INTO src_providers VALUES "+strings.Join(rows, ", "), args...); err != nil {
		return fmt.Errorf("profiles of providers: %w", err)
	}
	return nil
}

// runFolder executes every file of a folder in order.
func runFolder(ctx context.Context, s *store.Store, folder string) error {
	for _, f := range queries.In(folder) {
		if err := runFile(ctx, s, f); err != nil {
			return err
		}
	}
	return nil
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// optional is "" for what nobody set: SQL reads it as NULL, and no duration sticks to it.
func optional(v config.Setting[int64]) string {
	if !v.IsSet() {
		return ""
	}
	return number(v.Value)
}

func joined(v []int64) string {
	parts := make([]string, len(v))
	for i, n := range v {
		parts[i] = number(n)
	}
	return strings.Join(parts, ",")
}

func intList(v []int) string {
	parts := make([]string, len(v))
	for i, n := range v {
		parts[i] = strconv.Itoa(n)
	}
	return "CAST([" + strings.Join(parts, ", ") + "] AS INTEGER[])"
}
