package main

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/spf13/pflag"

	"retrytax/internal/cost"
	"retrytax/internal/report"
	"retrytax/internal/ui"
)

var decimalOne = decimal.New(1, 0)

// remedyOptions are the parameters of the remedies; "" is not given.
type remedyOptions struct {
	Coverage, RunsOn string
	StatusShare      string
	FewerRetries     string
	TimeoutAvoids    string
	TimeoutAdds      string
	StreamingAvoids  string
	StreamingPartial string
}

func (o *remedyOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.Coverage, "idempotency-coverage", "", "idempotency keys: share, by money, of vendors that honour them (default 100%, at best)")
	f.StringVar(&o.RunsOn, "runs-on", "", "idempotency keys: share of started executions that run on after the client has left (default 100%, at best)")
	f.StringVar(&o.StatusShare, "status-share", "", "status first: share, by money, that has finished within the wait (default 100%, at best)")
	f.StringVar(&o.FewerRetries, "fewer-retries", "", "fewer retries: a layer and its retries, app=0 (default one less in the last layer)")
	f.StringVar(&o.TimeoutAvoids, "longer-timeout-avoids", "", "longer read timeout: share of timeouts that it avoids (default 50%, assumed)")
	f.StringVar(&o.TimeoutAdds, "longer-timeout-adds", "", "longer read timeout: by so many seconds, to tell what it waits")
	f.StringVar(&o.StreamingAvoids, "streaming-avoids", "", "streaming with first-frame and idle timeouts: share of timeouts avoided (default 50%, assumed)")
	f.StringVar(&o.StreamingPartial, "streaming-partial", "", "streaming: which part of a call is billed where it is still cut (default --partial)")
}

// remedies puts the parameters of all remedies together: given, else measured, else a default that is
// marked as what it is.
func (o *remedyOptions) remedies(p cost.Params, measured map[string]decimal.Decimal) ([]report.ProjectRemedy, error) {
	given := map[string]decimal.Decimal{}
	for _, f := range []struct{ name, text string }{
		{"idempotency-coverage", o.Coverage}, {"runs-on", o.RunsOn}, {"status-share", o.StatusShare},
		{"longer-timeout-avoids", o.TimeoutAvoids}, {"streaming-avoids", o.StreamingAvoids},
	} {
		if f.text == "" {
			continue
		}
		v, err := cost.ParseShare(f.name, f.text)
		if err != nil {
			return nil, err
		}
		given[f.name] = v
	}
	list := report.Remedies(p, given, measured)
	for i := range list {
		m := &list[i]
		var err error
		switch {
		case m.Kind == cost.FewerRetries && o.FewerRetries != "":
			*m, err = o.fewer(p)
		case m.Kind == cost.LongerTimeout && o.TimeoutAdds != "":
			m.WaitsSeconds, err = cost.ParseAmount("longer-timeout-adds", strings.TrimSuffix(o.TimeoutAdds, "s"))
		case m.Kind == cost.Streaming && o.StreamingPartial != "":
			m.HasPartial = true
			m.Partial, err = cost.ParseFraction("streaming-partial", o.StreamingPartial)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// fewer reads --fewer-retries.
func (o *remedyOptions) fewer(p cost.Params) (report.ProjectRemedy, error) {
	m := report.ProjectRemedy{Remedy: cost.Remedy{Kind: cost.FewerRetries}, Basis: report.BasisGiven}
	layers, err := cost.ParseLayers(o.FewerRetries)
	if err != nil || len(layers) != 1 {
		return m, &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--fewer-retries: found %q, expected one layer and its retries", o.FewerRetries),
			Hint: "--fewer-retries app=0"}
	}
	m.Layer, m.Retries = layers[0].Name, layers[0].Retries
	for _, l := range p.Layers {
		if l.Name == m.Layer {
			return m, nil
		}
	}
	return m, &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--fewer-retries: found the layer %q, expected one of %s", m.Layer, cost.LayersText(p.Layers)),
		Hint: "--layers names the layers"}
}
