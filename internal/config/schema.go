package config

import (
	"strconv"

	"github.com/goccy/go-yaml/ast"

	src "retrytax/internal/source"
)

// config reads the whole file: one rule for each key that may stand at the top.
func (r *reader) config(cfg *Config, root ast.Node) {
	r.mapping("", root, map[string]rule{
		"zone":          scalar(&cfg.Zone, zone),
		"source_zone":   scalar(&cfg.SourceZone, zone),
		"currency":      scalar(&cfg.Currency, currency),
		"paid_book":     scalar(&cfg.PaidBook, oneOf(BookBill, BookEstimate)),
		"quota_per_usd": scalar(&cfg.QuotaPerUSD, points),
		"thresholds":    thresholds(&cfg.Thresholds),
		"models":        models(cfg.Models),
		"providers":     providers(cfg.providers),
		"sources":       sources(&cfg.Sources),
		"nightly":       nightly(&cfg.Nightly),
		"alerts":        alerts(&cfg.Alerts),
	})
}

func thresholds(t *Thresholds) rule {
	return func(r *reader, key string, n ast.Node) {
		r.mapping(key, n, map[string]rule{
			"partial_output_ratio": scalar(&t.PartialOutputRatio, ratio),
			"confidence":           scalar(&t.Confidence, ratio),
			"copy_window_ms":       scalar(&t.CopyWindowMS, milliseconds),
			"layer_grace_ms":       scalar(&t.LayerGraceMS, milliseconds),
			"connect_timeout_ms":   scalar(&t.ConnectTimeoutMS, milliseconds),
			"read_timeout_ms":      list(&t.ReadTimeoutMS, milliseconds),
			"repeat_window":        scalar(&t.RepeatWindow, duration),
		})
	}
}

// profile is the rule of one provider's mapping.
func profile(p *Profile) rule {
	return func(r *reader, key string, n ast.Node) {
		r.mapping(key, n, map[string]rule{
			"idempotency":     scalar(&p.Idempotency, oneOf(Honoured, Ignored, Unknown)),
			"key_lifetime":    scalar(&p.KeyLifetime, duration),
			"billed_statuses": list(&p.BilledStatuses, httpStatus),
			"bills_cancelled": scalar(&p.BillsCancelled, oneOf(BillsYes, BillsNo, BillsPartly, Unknown)),
			"stamp":           scalar(&p.Stamp, oneOf(StampStart, StampEnd)),
			"zone":            scalar(&p.Zone, zone),
			"skew":            scalar(&p.Skew, duration),
			"tail":            scalar(&p.Tail, duration),
			"lateness":        scalar(&p.Lateness, duration),
			"unique_ids":      scalar(&p.UniqueIDs, boolean),
			"cached_tokens":   scalar(&p.CachedTokens, oneOf(CachedInside, CachedOutside)),
			"aliases":         list(&p.Aliases, providerName),
			"as_of":           scalar(&p.AsOf, date),
			"source":          scalar(&p.Source, anyText),
		})
	}
}

// models reads alias: canonical. A name cannot be both, else the order of the file would
// decide what a model is called.
func models(dst map[string]string) rule {
	return func(r *reader, key string, n ast.Node) {
		lines := map[string]int{}
		r.each(key, n, func(alias string, k, v ast.Node) {
			canonical, ok := read(r, join(key, alias), v, anyText)
			if alias == "" {
				r.problem(lineOf(k), key, "an empty name", "the name of a model", "write it as 'alias: canonical name'")
			} else if ok {
				dst[alias], lines[alias] = canonical, lineOf(v)
			}
		})
		for _, alias := range sortedKeys(dst) {
			middle := dst[alias]
			if last, chained := dst[middle]; chained && last != middle {
				r.problem(lines[alias], join(key, alias), "the alias "+quote(middle),
					"a canonical name", "write "+last)
			}
		}
	}
}

func sources(dst *[]Source) rule {
	return func(r *reader, key string, n ast.Node) {
		if n.Type() == ast.NullType {
			return
		}
		seq, ok := n.(*ast.SequenceNode)
		if !ok {
			r.problem(lineOf(n), key, describe(n), "a list", `write one '- {match: "app-*.log", …}' a line`)
			return
		}
		for i, item := range seq.Values {
			if s, ok := r.source(key+"["+strconv.Itoa(i+1)+"]", item); ok {
				*dst = append(*dst, s)
			}
		}
	}
}

// source reads one entry; false if it does not say which files it is about.
func (r *reader) source(key string, n ast.Node) (Source, bool) {
	var match, files, role, provider, zoneName, day, apiKey, book, money Setting[string]
	var optional Setting[bool]
	var columns *src.Map
	before := len(r.problems)
	r.mapping(key, n, map[string]rule{
		"match":    written(verbatim(&match, pattern)),
		"files":    written(verbatim(&files, filesGlob)),
		"optional": scalar(&optional, boolean),
		"role":     scalar(&role, oneOf(RoleAttempts, RoleCharges, RoleBills)),
		"provider": scalar(&provider, providerName),
		"zone":     scalar(&zoneName, zone),
		"date":     scalar(&day, date),
		"api_key":  scalar(&apiKey, keyName),
		"book":     scalar(&book, oneOf(BookBill, BookEstimate)),
		"currency": scalar(&money, currency),
		"columns":  mapped(&columns),
	})
	if len(r.problems) == before {
		switch {
		case !match.IsSet() && !files.IsSet():
			r.problem(lineOf(n), key, "no match", "match, a file name pattern", `such as match: "app-*.log", or files: "logs/app-*.log" for what a night reads`)
		case optional.IsSet() && !files.IsSet():
			r.problem(lineOf(n), key, "optional without files", "files, what a night reads", `such as files: "bills/*.csv"`)
		}
	}
	if columns != nil && role.IsSet() {
		columns.Role = src.Role(role.Value)
		r.mapProblem(lineOf(n), join(key, "columns"), columns.Settle())
	}
	return Source{
		Match: match.Value, Files: files.Value, Optional: optional.Value, Role: role.Value, Provider: provider.Value, Zone: zoneName.Value, Date: day.Value,
		APIKey: apiKey.Value, Book: book.Value, Currency: money.Value, Columns: columns, Line: lineOf(n),
	}, match.IsSet() || files.IsSet()
}
