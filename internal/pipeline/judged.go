package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"retrytax/internal/config"
	"retrytax/internal/store"
)

// judgedWith is the name in src_settings of the parameters with which the verdicts of a database were made.
const judgedWith = "judged_with"

// configFile is the name there of the configuration that the reconcile was given.
const configFile = "config_file"

// lastConfig is the configuration to name in commands: the one of this run, else the one of the last reconcile.
func lastConfig(ctx context.Context, s *store.Store, mine string) (string, error) {
	if mine != "" {
		return mine, nil
	}
	v, err := settingsOf(ctx, s)
	return v[configFile], err
}

// ConfigError says that a report was asked for with another configuration than the one that the verdicts of the
// database were made with: its parameters would not be those of its numbers.
type ConfigError struct {
	Path, File string   // the database, and the configuration that was named
	Differ     []string // what differs, as "name: now, was then"
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("%s: found verdicts made with another configuration (%s), expected those of this one", e.Path, shortList(e.Differ))
}

// Hint tells the two ways out.
func (e *ConfigError) Hint() string {
	return "retrytax reconcile --db " + e.Path + withConfig(e.File) + " judges anew with it; without --config the report is of the verdicts as they are"
}

// withConfig is the flag that names a configuration, with a blank ahead, or nothing.
func withConfig(file string) string {
	if file == "" {
		return ""
	}
	return " --config " + file
}

// shortList names the first three.
func shortList(all []string) string {
	if len(all) <= 3 {
		return strings.Join(all, "; ")
	}
	return strings.Join(all[:3], "; ") + fmt.Sprintf("; and %d more", len(all)-3)
}

// noted is what of a configuration goes with the verdicts, as it is kept in the database.
func noted(c *config.Config) string {
	b, err := json.Marshal(c.Parameters())
	if err != nil {
		return "" // they are strings
	}
	return string(b)
}

// judgedParameters reads with what the verdicts of a database were made; nil where an older retrytax has not said it.
func judgedParameters(v map[string]string) (out []config.Parameter) {
	if json.Unmarshal([]byte(v[judgedWith]), &out) != nil {
		return nil
	}
	return out
}

// rests reports whether verdicts rest on the parameter (scopeRun.rules); the others are asked with each report.
func rests(p config.Parameter) bool {
	section, _, _ := strings.Cut(p.Name, ".")
	if section == "providers" && (strings.HasSuffix(p.Name, ".as_of") || strings.HasSuffix(p.Name, ".source")) {
		return false // where a profile comes from
	}
	return slices.Contains([]string{"thresholds", "models", "providers"}, section) && p.Name != "thresholds.repeat_window"
}

// differing lists the parameters of verdicts that are not what they were.
func differing(now, then []config.Parameter) (out []string) {
	for _, c := range changes(worths(now), worths(then)) {
		out = append(out, c.String())
	}
	return out
}

// worths are the parameters of verdicts by name.
func worths(list []config.Parameter) map[string]string {
	out := map[string]string{}
	for _, p := range list {
		if rests(p) {
			out[p.Name] = worth(p)
		}
	}
	return out
}

// change is a parameter that is not what it was; "" is not set.
type change struct{ name, now, then string }

func (c change) String() string {
	return fmt.Sprintf("%s %s, it was %s", c.name, valueText(c.now), valueText(c.then))
}

// changes lists what differs between two sets of values, by name.
func changes(now, then map[string]string) (out []change) {
	names := slices.AppendSeq(slices.Collect(maps.Keys(now)), maps.Keys(then))
	slices.Sort(names)
	for _, n := range slices.Compact(names) {
		if now[n] != then[n] {
			out = append(out, change{n, now[n], then[n]})
		}
	}
	return out
}

// worth is the value of a parameter, with its origin where that counts: what the user says of a provider beats what is measured.
func worth(p config.Parameter) string {
	if strings.HasPrefix(p.Name, "providers.") {
		return p.Value + " (" + string(p.Origin) + ")"
	}
	return p.Value
}

func valueText(v string) string {
	if v == "" {
		return "not set"
	}
	return v
}

// otherConfig lists what differs between a configuration and the one that a database was reconciled with. It is empty
// where it was not reconciled, or by a retrytax that did not note it.
func otherConfig(ctx context.Context, s *store.Store, c *config.Config) ([]string, error) {
	v, err := settingsOf(ctx, s)
	if err != nil {
		return nil, err
	}
	then := judgedParameters(v)
	if then == nil {
		return nil, nil
	}
	return differing(c.Parameters(), then), nil
}

// parameters are those of the report's numbers: where the user named no configuration, those of the reconcile; zone and
// book are the report's own.
func (a *Audit) parameters() []config.Parameter {
	mine := a.opts.Config.Parameters()
	if a.judged == nil {
		return mine
	}
	asked := func(p config.Parameter) bool { return p.Name == "zone" || p.Name == "paid_book" }
	out := slices.DeleteFunc(slices.Clone(a.judged), asked)
	for _, p := range mine {
		if asked(p) {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(x, y config.Parameter) int { return strings.Compare(x.Name, y.Name) })
	return out
}
