package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"retrytax/internal/config"
	"retrytax/internal/pipeline"
	"retrytax/internal/source"
	"retrytax/internal/ui"
)

// inputOptions are the flags of every command that reads files.
type inputOptions struct {
	Config                  string
	Attempts, Charges       []string
	Bills                   []string
	Prices                  []string
	Zone, SourceZone        string
	Currency, Date          string
	Provider, Model, APIKey string
	Threads                 int
	KeepRaw                 bool
	Map                     []string

	maps        []*source.Map // Map, parsed
	cfg         *config.Config
	QuotaPerUSD int64
}

func (o *inputOptions) addFlags(f *pflag.FlagSet) {
	o.addReadFlags(f)
	f.StringVar(&o.Provider, "provider", "", "report on this provider only")
	f.StringVar(&o.Model, "model", "", "report on this model only")
	f.StringVar(&o.APIKey, "api-key", "", "report on this key only (its name, as the bill shows it)")
	f.BoolVar(&o.KeepRaw, "keep-raw", false, "keep prompts and keys in rejects.csv")
}

// addReadFlags are those that say how files are read.
func (o *inputOptions) addReadFlags(f *pflag.FlagSet) {
	f.StringVar(&o.Config, "config", "", "a retrytax.yaml with provider profiles, model aliases and thresholds")
	f.StringArrayVar(&o.Attempts, "attempts", nil, "read this file as an attempt log, whatever it looks like")
	f.StringArrayVar(&o.Charges, "charges", nil, "read this file as a billing export, whatever it looks like")
	f.StringArrayVar(&o.Bills, "bills", nil, "read this file as totals by the day, key and model, whatever it looks like")
	f.StringArrayVar(&o.Prices, "prices", nil, "a price list, for charges without an amount: a CSV in prices per million tokens, or LiteLLM's JSON")
	f.StringArrayVar(&o.Map, "map", nil, "which columns of a file are which: request_id=请求ID,amount=应付金额:scale=0.01 (README, \"Tables of your own\")")
	f.StringVar(&o.Zone, "zone", "", "the report's zone, and that of times without one (default UTC)")
	f.StringVar(&o.SourceZone, "source-zone", "", "the zone of times without one, where it is not the report's")
	f.StringVar(&o.Currency, "currency", "", "the currency of amounts without one, such as USD")
	f.StringVar(&o.Date, "date", "", "the day of the first line of a log whose times have no date")
	f.Int64Var(&o.QuotaPerUSD, "quota-per-usd", 0, "points for one dollar in the logs of a new-api or one-api relay (default 500000)")
	addThreads(f, &o.Threads)
}

// prepare opens the inputs and puts the options of a run together.
func (o *inputOptions) prepare(e env, args []string) (files []pipeline.File, opts pipeline.Options, err error) {
	cfg, err := loadConfig(o.Config)
	if _, serr := os.Stat(configName); o.Config == "" && serr == nil {
		ui.PrintWarning(e.err, configName+" in this folder is not used; --config "+configName+" uses it")
	}
	if err != nil {
		return nil, opts, err
	}
	now, err := e.now()
	if err != nil {
		return nil, opts, err
	}
	if err := o.validate(); err != nil {
		return nil, opts, err
	}
	if o.Currency != "" {
		cfg.Currency.Value = strings.ToUpper(o.Currency)
	}
	if o.QuotaPerUSD != 0 {
		cfg.QuotaPerUSD.Value = o.QuotaPerUSD
	}
	opts = pipeline.Options{Config: cfg, ConfigFile: o.Config, Now: now, Clock: e.now, Version: version(), Zone: o.Zone, SourceZone: o.SourceZone, Date: o.Date, KeepRaw: o.KeepRaw,
		Threads: o.Threads, Scope: pipeline.Scope{Provider: o.Provider, Model: o.Model, APIKey: o.APIKey}}
	o.cfg = cfg
	files, err = o.open(e, args)
	if err == nil {
		err = o.checkMaps(files)
	}
	if err != nil {
		closeInputs(files)
		return nil, opts, err
	}
	return files, opts, nil
}

func (o *inputOptions) validate() error {
	for flag, z := range map[string]string{"--zone": o.Zone, "--source-zone": o.SourceZone} {
		if _, err := time.LoadLocation(z); err != nil || z == "Local" {
			return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("%s: found %q, expected a name such as Asia/Shanghai", flag, z),
				Hint: "zones are named as in the tz database: UTC, Europe/Berlin, America/New_York"}
		}
	}
	if c := o.Currency; c != "" && (len(c) != 3 || strings.Trim(strings.ToUpper(c), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--currency: found %q, expected three letters such as USD", c),
			Hint: "give the currency's ISO code: --currency USD"}
	}
	if o.Date != "" {
		if _, err := time.Parse("2006-01-02", o.Date); err != nil {
			return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--date: found %q, expected a day such as 2026-11-03", o.Date),
				Hint: "give the day of the log's first line: --date 2026-11-03"}
		}
	}
	if err := o.parseMaps(); err != nil {
		return err
	}
	if o.QuotaPerUSD < 0 || o.QuotaPerUSD > 999_999_999 {
		return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--quota-per-usd: found %d, expected a whole number above 0, of at most nine digits", o.QuotaPerUSD),
			Hint: "take quota_per_unit of the relay's /api/status: --quota-per-usd 500000"}
	}
	return checkThreads(o.Threads)
}

// open opens every named file once, in an order that does not hang on the command line.
func (o *inputOptions) open(e env, args []string) (files []pipeline.File, err error) {
	roles := map[string]source.Role{}
	var names []string
	add := func(patterns []string, role source.Role) error {
		for _, p := range patterns {
			found, err := expand(p)
			if err != nil {
				return err
			}
			for _, n := range found {
				if _, twice := roles[n]; !twice {
					names = append(names, n)
				}
				if role != "" && roles[n] != "" && roles[n] != role {
					return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("%s: found --%s and --%s for one file, expected one of them", n, roles[n], role),
						Hint: "name the file once, under the flag that says what it is"}
				}
				if role != "" || roles[n] == "" {
					roles[n] = role
				}
			}
		}
		return nil
	}
	for _, l := range []struct {
		patterns []string
		role     source.Role
	}{{args, ""}, {o.Attempts, source.Attempts}, {o.Charges, source.Charges}, {o.Bills, source.Bills}, {o.Prices, source.Prices}} {
		if err := add(l.patterns, l.role); err != nil {
			return nil, err
		}
	}
	if len(names) == 0 {
		return nil, &ui.Error{Code: ui.Usage, Msg: "found no files, expected an attempt log and a billing export",
			Hint: "name them: app.log charges.csv"}
	}
	sort.Strings(names)
	for _, n := range names {
		ins, err := o.openAll(e, n, roles[n])
		if err != nil {
			closeInputs(files)
			return nil, err
		}
		for _, in := range ins {
			files = append(files, pipeline.File{Input: in, Role: roles[n]})
		}
	}
	return files, nil
}

// openInput opens one input. A pipe is read to its end, which may never come: whoever
// interrupts the run must not have to wait for that.
func openInput(e env, name string) (*source.Input, error) {
	type opened struct {
		in  *source.Input
		err error
	}
	ready := make(chan opened, 1)
	go func() {
		in, err := source.NewInput(name, e.in)
		ready <- opened{in, err}
	}()
	select {
	case o := <-ready:
		return o.in, o.err
	case <-e.done:
		return nil, context.Canceled
	}
}

// expand resolves a glob. A name that exists is itself, whatever characters it has.
func expand(p string) ([]string, error) {
	if p == "-" || !strings.ContainsAny(p, "*?[") {
		return []string{p}, nil
	}
	if _, err := os.Lstat(p); err == nil {
		return []string{p}, nil
	}
	if file, _ := source.SplitMember(p); file != "" {
		return []string{p}, nil
	}
	found, err := filepath.Glob(p)
	if err == nil && len(found) == 0 {
		err = errors.New("no file matches")
	}
	if err != nil {
		return nil, &ui.Error{Code: ui.Failed, Msg: fmt.Sprintf("%s: found nothing (%v), expected a file", p, err), Hint: "try the pattern with ls; quotes around it keep the shell from expanding it"}
	}
	return found, nil
}

func closeInputs(files []pipeline.File) {
	for _, f := range files {
		_ = f.Input.Close()
	}
}
