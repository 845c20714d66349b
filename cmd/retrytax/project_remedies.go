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

// known is what was measured of the remedies' parameters; missing names are not.
type known map[string]decimal.Decimal

// remedies puts the parameters of all remedies together: given, else measured, else a default that is
// marked as what it is.
func (o *remedyOptions) remedies(p cost.Params, measured known) ([]report.ProjectRemedy, error) {
	half := decimal.New(5, -1)
	var err error
	share := func(flag, text, otherwise string, value decimal.Decimal) (decimal.Decimal, string) {
		if text != "" {
			v, perr := cost.ParseShare(flag, text)
			if err == nil {
				err = perr
			}
			return v, report.BasisGiven
		}
		if v, ok := measured[flag]; ok {
			return v, report.BasisMeasured
		}
		return value, otherwise
	}
	idem := report.ProjectRemedy{Remedy: cost.Remedy{Kind: cost.Idempotency}}
	idem.Coverage, idem.Basis = share("idempotency-coverage", o.Coverage, report.BasisAtBest, decimalOne)
	var runsOn string
	if idem.RunsOn, runsOn = share("runs-on", o.RunsOn, report.BasisAtBest, decimalOne); runsOn == report.BasisAtBest {
		idem.Basis = runsOn
	}
	status := report.ProjectRemedy{Remedy: cost.Remedy{Kind: cost.StatusFirst}}
	status.Share, status.Basis = share("status-share", o.StatusShare, report.BasisAtBest, decimalOne)
	longer := report.ProjectRemedy{Remedy: cost.Remedy{Kind: cost.LongerTimeout}}
	longer.Share, longer.Basis = share("longer-timeout-avoids", o.TimeoutAvoids, report.BasisAssumed, half)
	stream := report.ProjectRemedy{Remedy: cost.Remedy{Kind: cost.Streaming}}
	stream.Share, stream.Basis = share("streaming-avoids", o.StreamingAvoids, report.BasisAssumed, half)
	fewer, ferr := o.fewer(p)
	if err == nil {
		err = ferr
	}
	if o.TimeoutAdds != "" && err == nil {
		longer.WaitsSeconds, err = cost.ParseAmount("longer-timeout-adds", strings.TrimSuffix(o.TimeoutAdds, "s"))
	}
	if o.StreamingPartial != "" && err == nil {
		stream.HasPartial = true
		stream.Partial, err = cost.ParseFraction("streaming-partial", o.StreamingPartial)
	}
	sdk := report.ProjectRemedy{Remedy: cost.Remedy{Kind: cost.SDKRetriesOff}, Basis: report.BasisNone}
	return []report.ProjectRemedy{idem, status, sdk, fewer, longer, stream}, err
}

// fewer is one retry less in the outermost layer that retries, unless another is asked for.
func (o *remedyOptions) fewer(p cost.Params) (report.ProjectRemedy, error) {
	m := report.ProjectRemedy{Remedy: cost.Remedy{Kind: cost.FewerRetries, Layer: "app"}, Basis: report.BasisNone}
	if o.FewerRetries != "" {
		layers, err := cost.ParseLayers(o.FewerRetries)
		if err != nil || len(layers) != 1 {
			return m, &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--fewer-retries: found %q, expected one layer and its retries", o.FewerRetries),
				Hint: "--fewer-retries app=0"}
		}
		m.Layer, m.Retries, m.Basis = layers[0].Name, layers[0].Retries, report.BasisGiven
		for _, l := range p.Layers {
			if l.Name == m.Layer {
				return m, nil
			}
		}
		return m, &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--fewer-retries: found the layer %q, expected one of %s", m.Layer, cost.LayersText(p.Layers)),
			Hint: "--layers names the layers"}
	}
	for _, l := range p.Layers {
		if l.Retries > 0 { // the last one named is the outermost
			m.Layer, m.Retries = l.Name, l.Retries-1
		}
	}
	return m, nil
}
