package report

import (
	"github.com/shopspring/decimal"

	"retrytax/internal/cost"
)

// Remedies are all remedies with their parameters, in the order in which they are shown: those given, else those
// measured (both by the names of their flags), else a default that is marked as at best or as assumed.
func Remedies(p cost.Params, given, measured map[string]decimal.Decimal) []ProjectRemedy {
	all, half := decimal.New(1, 0), decimal.New(5, -1)
	share := func(flag, otherwise string, value decimal.Decimal) (decimal.Decimal, string) {
		if v, ok := given[flag]; ok {
			return v, BasisGiven
		}
		if v, ok := measured[flag]; ok {
			return v, BasisMeasured
		}
		return value, otherwise
	}
	idem := ProjectRemedy{Remedy: cost.Remedy{Kind: cost.Idempotency}}
	idem.Coverage, idem.Basis = share("idempotency-coverage", BasisAtBest, all)
	runsOn := ""
	if idem.RunsOn, runsOn = share("runs-on", BasisAtBest, all); runsOn == BasisAtBest {
		idem.Basis = runsOn // of two, the weaker
	}
	status := ProjectRemedy{Remedy: cost.Remedy{Kind: cost.StatusFirst}}
	status.Share, status.Basis = share("status-share", BasisAtBest, all)
	sdk := ProjectRemedy{Remedy: cost.Remedy{Kind: cost.SDKRetriesOff}, Basis: BasisNone}
	fewer := ProjectRemedy{Remedy: cost.Remedy{Kind: cost.FewerRetries, Layer: "app"}, Basis: BasisNone}
	for _, l := range p.Layers {
		if l.Retries > 0 { // one less in the last that retries
			fewer.Layer, fewer.Retries = l.Name, l.Retries-1
		}
	}
	longer := ProjectRemedy{Remedy: cost.Remedy{Kind: cost.LongerTimeout}}
	longer.Share, longer.Basis = share("longer-timeout-avoids", BasisAssumed, half)
	if longer.Basis == BasisMeasured {
		longer.WaitsSeconds = measured[waitsMore]
		longer.Note = "a timeout twice as long; at most, for what time alone would have answered"
	}
	stream := ProjectRemedy{Remedy: cost.Remedy{Kind: cost.Streaming}}
	stream.Share, stream.Basis = share("streaming-avoids", BasisAssumed, half)
	if stream.Basis == BasisMeasured {
		stream.Note = "those whose execution ran to its end: its stream was moving"
	}
	return []ProjectRemedy{idem, status, sdk, fewer, longer, stream}
}

// Project projects what was measured, with the remedies as they stand; nil where a parameter that matters is not
// measurable.
func (m *MeasuredModel) Project(days int) (*Projection, error) {
	if len(m.Unknown) > 0 {
		return nil, nil
	}
	r, err := Project(m.Params, m.Currency, days, Remedies(m.Params, nil, m.Remedies))
	if err != nil {
		return nil, err
	}
	r.Measured, r.Warnings, r.Uncertain = m.Measured, append(r.Warnings, m.Warnings...), m.Uncertain
	return r, nil
}
