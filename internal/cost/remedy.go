package cost

import (
	"slices"

	"github.com/shopspring/decimal"
)

// Kinds of remedies, in the order in which they are shown.
const (
	Idempotency   = "idempotency"
	StatusFirst   = "status_first"
	SDKRetriesOff = "sdk_retries_off"
	FewerRetries  = "fewer_retries"
	LongerTimeout = "longer_timeout"
	Streaming     = "streaming"
)

// Remedy changes the parameters of the model. Which fields count depends on its kind.
type Remedy struct {
	Kind string
	// Coverage is c of idempotency: the share, by money, that goes to vendors which honour keys.
	// RunsOn is s: the share of started executions that run to their end after the client has left,
	// so that a retry with the same key finds their result.
	Coverage, RunsOn decimal.Decimal
	// Share is q of status first, by money: what has finished within the wait. For the longer timeout and
	// for streaming it is the share of timeouts that would not have happened.
	Share decimal.Decimal
	// Partial is g of what streaming still cuts off; only with HasPartial.
	Partial    decimal.Decimal
	HasPartial bool
	// Layer and Retries are what fewer retries sets: this layer retries so often.
	Layer   string
	Retries int
}

// Formula says in words what the remedy does to the model.
func (r Remedy) Formula() string {
	return map[string]string{
		Idempotency:   "excess × (1 − c·s)",
		StatusFirst:   "excess × (1 − q)",
		SDKRetriesOff: "recomputed with M ÷ (1 + r of sdk) and h = 0",
		FewerRetries:  "recomputed with fewer retries in M",
		LongerTimeout: "recomputed with p × (1 − a)",
		Streaming:     "recomputed with p × (1 − b)",
	}[r.Kind]
}

// Check returns a *DomainError if a parameter lies outside its domain.
func (r Remedy) Check() error {
	for _, s := range []struct {
		name  string
		value decimal.Decimal
	}{
		{"idempotency-coverage", r.Coverage}, {"runs-on", r.RunsOn},
		{map[string]string{StatusFirst: "status-share", LongerTimeout: "longer-timeout-avoids", Streaming: "streaming-avoids"}[r.Kind], r.Share},
	} {
		if err := Share(s.name, s.value); err != nil {
			return err
		}
	}
	return amount("streaming-partial", r.Partial)
}

// Applies tells whether the remedy can change anything in these layers.
func (r Remedy) Applies(p Params) bool {
	has := func(name string, more int) bool {
		return slices.ContainsFunc(p.Layers, func(l Layer) bool { return l.Name == name && l.Retries > more })
	}
	switch r.Kind {
	case SDKRetriesOff:
		return has("sdk", 0) || p.Hidden.IsPositive()
	case FewerRetries:
		return has(r.Layer, r.Retries)
	}
	return true
}

// Apply is the parameters with the remedy (design section 5, remedies). Several are applied one after
// the other and projected once; each one's effect is then of what the others leave, as their
// causes are taken to be independent.
//
//	idempotency      kept × (1 − c·s): the vendor answers a repeated key from the first execution
//	status first     kept × (1 − q): a query gets the result of what has finished within the wait
//	SDK retries off  M ÷ (1 + r_sdk): more calls are lost; h = 0, and what its hidden retries
//	                 rescued is not known
//	fewer retries    M with a smaller r: more calls are lost
//	longer timeout   pₖ × (1 − a) for all k, at the price of waiting
//	streaming        pₖ × (1 − b): a stream that moves is not cut; g of what is cut, if given
//
// Idempotency and status queries leave the undelivered spend as it is: one execution of a call that
// nothing answers is paid all the same, and to claim more would be a guess.
func (r Remedy) Apply(p Params) Params {
	p.Layers, p.Timeout = slices.Clone(p.Layers), slices.Clone(p.Timeout)
	switch r.Kind {
	case Idempotency:
		p.Kept = p.Kept.Mul(one.Sub(r.Coverage.Mul(r.RunsOn)))
	case StatusFirst:
		p.Kept = p.Kept.Mul(one.Sub(r.Share))
	case SDKRetriesOff:
		p.setRetries("sdk", 0)
		p.Hidden = decimal.Zero
	case FewerRetries:
		p.setRetries(r.Layer, r.Retries)
	case LongerTimeout, Streaming:
		for k := range p.Timeout {
			p.Timeout[k] = p.Timeout[k].Mul(one.Sub(r.Share)).Round(maxDecimals)
		}
		if r.HasPartial {
			p.Partial = r.Partial
		}
	}
	p.Kept = p.Kept.Round(maxDecimals)
	return p
}

func (p *Params) setRetries(layer string, most int) {
	for i := range p.Layers {
		if p.Layers[i].Name == layer {
			p.Layers[i].Retries = min(p.Layers[i].Retries, most)
		}
	}
}

// ProjectWith projects with all of the remedies together: one recomputation, not a sum of savings.
func ProjectWith(p Params, remedies ...Remedy) (Projection, error) {
	for _, r := range remedies {
		if err := r.Check(); err != nil {
			return Projection{}, err
		}
		p = r.Apply(p)
	}
	return Project(p)
}

// TimedOut is how many executions a day time out: N·Σ_{k≤M} Pₖ. Each waits for the timeout, so
// a timeout that is d seconds longer adds at most d times so many seconds of waiting.
func TimedOut(r Projection) decimal.Decimal {
	sum := decimal.Zero
	for _, share := range TimedOutShares(r) {
		sum = sum.Add(share)
	}
	return r.Params.Requests.Mul(sum)
}

// TimedOutShares are P₁ … P_M: the shares of calls whose first k executions all time out.
func TimedOutShares(r Projection) []decimal.Decimal {
	out := make([]decimal.Decimal, r.Executions)
	last := one
	for k := range out {
		last = last.Mul(r.Params.at(k + 1))
		out[k] = last
	}
	return out
}
