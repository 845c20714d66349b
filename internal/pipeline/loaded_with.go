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

// loadedWith is the name in src_settings of the parameters by which rows were written when they were loaded.
const loadedWith = "loaded_with"

// LoadedError says that rows were loaded by parameters that the configuration now has otherwise: what
// they were before is not in the database, so they cannot be brought to it.
type LoadedError struct {
	Path   string
	Differ []string // "name: now, it was then"
}

func (e *LoadedError) Error() string {
	return fmt.Sprintf("%s: found rows that were loaded with another configuration (%s), expected the same for all", e.Path, shortList(e.Differ))
}

// Hint tells the two ways out.
func (e *LoadedError) Hint() string {
	return "aliases and cached_tokens are applied when rows are loaded: take the change back, or ingest the logs and bills into a new database (--db NEW)"
}

// loading are the parameters that decide how a row is written: what the user calls a provider, and whether its input holds cached tokens.
func loading(all []config.Parameter) map[string]string {
	out := map[string]string{}
	for _, p := range all {
		if p.Origin == config.User && strings.HasPrefix(p.Name, "providers.") && (strings.HasSuffix(p.Name, ".aliases") || strings.HasSuffix(p.Name, ".cached_tokens")) {
			out[p.Name] = p.Value
		}
	}
	return out
}

// sameLoading refuses a configuration by which rows that are there would have been loaded otherwise (*LoadedError), and
// notes the parameters for the next run.
func sameLoading(ctx context.Context, s *store.Store, path string, c *config.Config) error {
	now := loading(c.Parameters())
	then, known, err := loadedThen(ctx, s)
	if err != nil || known && maps.Equal(now, then) {
		return err
	}
	if known {
		differ, err := loadedOtherwise(ctx, s, now, then)
		if err != nil {
			return err
		}
		if len(differ) > 0 {
			return &LoadedError{path, differ}
		}
	}
	return noteLoading(ctx, s, now)
}

// loadedThen are the parameters of the last run that loaded or judged rows, if any has noted them.
func loadedThen(ctx context.Context, s *store.Store) (then map[string]string, known bool, err error) {
	text := ""
	if err := s.Query(ctx, "SELECT value FROM src_settings WHERE name = '"+loadedWith+"'", scanOne(&text)); err != nil {
		return nil, false, err
	}
	if text != "" {
		err = json.Unmarshal([]byte(text), &then)
		return then, true, err
	}
	v, err := settingsOf(ctx, s)
	judged := judgedParameters(v)
	return loading(judged), judged != nil, err
}

func noteLoading(ctx context.Context, s *store.Store, now map[string]string) error {
	b, err := json.Marshal(now)
	if err != nil {
		return err
	}
	if err := s.Exec(ctx, "DELETE FROM src_settings WHERE name = ?", loadedWith); err != nil {
		return err
	}
	return s.Exec(ctx, "INSERT INTO src_settings VALUES (?, ?)", loadedWith, string(b))
}

// loadedOtherwise lists the parameters that differ and of whose providers there are rows.
func loadedOtherwise(ctx context.Context, s *store.Store, now, then map[string]string) (differ []string, err error) {
	for _, c := range changes(now, then) {
		for _, provider := range partiesOf(c) {
			n, err := s.Int(ctx, `SELECT CAST(EXISTS (FROM src_attempts WHERE provider = $1) OR EXISTS (FROM src_charges WHERE provider = $1) AS INTEGER)`, provider)
			if err != nil {
				return nil, err
			}
			if n > 0 {
				differ = append(differ, c.String())
				break
			}
		}
	}
	return differ, nil
}

// partiesOf are the providers whose rows would have been written otherwise: of a new alias those that bear it, of one
// that is gone those of the provider to whom it led, of cached tokens the provider's.
func partiesOf(c change) []string {
	provider, aliases := strings.CutSuffix(strings.TrimPrefix(c.name, "providers."), ".aliases")
	if !aliases {
		return []string{strings.TrimSuffix(provider, ".cached_tokens")}
	}
	list := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("[], ", r) })
	}
	now, then := list(c.now), list(c.then)
	out := slices.DeleteFunc(slices.Clone(now), func(a string) bool { return slices.Contains(then, a) })
	if slices.ContainsFunc(then, func(a string) bool { return !slices.Contains(now, a) }) {
		out = append(out, provider)
	}
	return out
}
