package cost

import (
	"fmt"
	"strconv"

	"github.com/shopspring/decimal"
)

// Params are the parameters of the model. The zero value is not valid; see [Params.Check].
type Params struct {
	// Requests is N: calls a day, 0 or more.
	Requests decimal.Decimal
	// Timeout is p: Timeout[k-1] is the share of k-th executions that time out, given that
	// those before did; the last one stands for all later ones. Each lies in [0, 1]. They are
	// not independent: where slow answers are the cause, p₂ is several times p₁.
	Timeout []decimal.Decimal
	// Started is f: the share of timed-out executions that the server had started and bills, in [0, 1].
	Started decimal.Decimal
	// UnitCost is u: the mean cost of one call that is executed once and answered, in some
	// currency, 0 or more.
	UnitCost decimal.Decimal
	// TimedOutCost is u of the calls that time out, which are the long ones; unless valid, UnitCost.
	TimedOutCost decimal.NullDecimal
	// Partial is g: which part of u, in money, an abandoned execution is billed, 0 or more.
	// The article's 0.4 is of output tokens; input is paid in full.
	Partial decimal.Decimal
	// Layers retry inside each other: M = Π(1 + rᵢ) executions at most.
	Layers []Layer
	// Hidden is what executions that no line of the log shows (an SDK's retries inside one attempt)
	// cost beside the answer, as a share of N·u, 0 or more. It is measured, never derived.
	Hidden decimal.Decimal
	// Kept is the share of the excess that vendors leave after idempotency keys and status
	// queries, in [0, 1]; 1 is without them (see [Remedy]).
	Kept decimal.Decimal
}

// Layer is something that retries: "app", "sdk", "gateway".
type Layer struct {
	Name    string
	Retries int // beyond the first try, 0 or more
}

// Limits of the domain, so that a slip of the finger does not run for hours.
const (
	MaxExecutions = 1024
	maxLayers     = 16
	maxName       = 40
	maxDigits     = 15 // before the point
	maxDecimals   = 12 // behind it
)

// Names of the parameters, which are those of the flags.
const (
	NameRequests = "requests"
	NameTimeout  = "timeout-rate"
	NameRepeat   = "repeat-timeout-rate"
	NameStarted  = "started"
	NameUnitCost = "unit-cost"
	NamePartial  = "partial"
	NameTimedOut = "timed-out-cost"
	NameHidden   = "hidden"
	NameLayers   = "layers"
	NameDays     = "days"
)

// DomainError is a value outside the domain of a parameter.
type DomainError struct{ Param, Found, Expected string }

func (e *DomainError) Error() string {
	return fmt.Sprintf("--%s: found %s, expected %s", e.Param, e.Found, e.Expected)
}

// Hint gives a value that would do.
func (e *DomainError) Hint() string {
	for _, p := range []struct{ param, hint string }{
		{NameRequests, "--requests 10000 is ten thousand calls a day"},
		{NameTimeout, "--timeout-rate 5% or 0.05"},
		{NameRepeat, "--repeat-timeout-rate 40%, or 40%,60% for the second and all later executions"},
		{NameUnitCost, "--unit-cost 0.012 --currency USD is the mean cost of one call"},
		{NamePartial, "--partial 0.4: an abandoned execution costs two fifths of a whole one"},
		{NameLayers, "--layers sdk=2,app=1: the SDK retries twice inside each of the application's two attempts"},
		{NameDays, "--days 30"},
	} {
		if p.param == e.Param {
			return p.hint
		}
	}
	return "--" + e.Param + " 80% or 0.8; retrytax project --help tells what it is"
}

// Check returns a *DomainError if a parameter lies outside its domain.
func (p Params) Check() error {
	if err := amount(NameRequests, p.Requests); err != nil {
		return err
	}
	if err := amount(NameUnitCost, p.UnitCost); err != nil {
		return err
	}
	if err := amount(NamePartial, p.Partial); err != nil {
		return err
	}
	if err := amount(NameHidden, p.Hidden); err != nil {
		return err
	}
	if err := amount(NameTimedOut, p.long()); err != nil {
		return err
	}
	if len(p.Timeout) == 0 {
		return &DomainError{NameTimeout, "nothing", "a share from 0 to 100%"}
	}
	for i, r := range p.Timeout {
		name := NameTimeout
		if i > 0 {
			name = NameRepeat
		}
		if err := Share(name, r); err != nil {
			return err
		}
	}
	if err := Share(NameStarted, p.Started); err != nil {
		return err
	}
	if err := Share("kept", p.Kept); err != nil {
		return err
	}
	_, err := p.Executions()
	return err
}

// Share returns a *DomainError unless d lies in [0, 1].
func Share(name string, d decimal.Decimal) error {
	if d.IsNegative() || d.GreaterThan(one) {
		return &DomainError{name, shown(d.Shift(2)) + "%", "a share from 0 to 100%"}
	}
	return places(name, d)
}

// amount returns a *DomainError unless d is 0 or more and of a size that money has.
func amount(name string, d decimal.Decimal) error {
	if d.IsNegative() {
		return &DomainError{name, shown(d), "a number that is not negative"}
	}
	return places(name, d)
}

func places(name string, d decimal.Decimal) error {
	if d.GreaterThanOrEqual(decimal.New(1, maxDigits)) || -d.Exponent() > maxDecimals && !d.Equal(d.Truncate(maxDecimals)) {
		return &DomainError{name, shown(d), "at most 15 digits before the point and 12 behind it"}
	}
	return nil
}

func shown(d decimal.Decimal) string {
	s := d.String()
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// Executions is M, how often one call is executed at most:
//
//	M = Π(1 + rᵢ)
//
// The SDK's 1 and the application's 1 make 4. No layer at all, or one that retries 0 times, is M = 1.
func (p Params) Executions() (int, error) {
	if len(p.Layers) > maxLayers {
		return 0, &DomainError{NameLayers, strconv.Itoa(len(p.Layers)) + " layers", "at most " + strconv.Itoa(maxLayers)}
	}
	m, seen := 1, map[string]bool{}
	for _, l := range p.Layers {
		switch {
		case l.Name == "" || len(l.Name) > maxName:
			return 0, &DomainError{NameLayers, fmt.Sprintf("a layer named %.*q", maxName, l.Name), "a name such as sdk"}
		case seen[l.Name]:
			return 0, &DomainError{NameLayers, fmt.Sprintf("%q twice", l.Name), "each layer once"}
		case l.Retries < 0:
			return 0, &DomainError{NameLayers, fmt.Sprintf("%s=%d", l.Name, l.Retries), "0 or more retries"}
		}
		seen[l.Name] = true
		if l.Retries >= MaxExecutions || m*(1+l.Retries) > MaxExecutions {
			return 0, &DomainError{NameLayers, fmt.Sprintf("more than %d executions of one call", MaxExecutions),
				"fewer retries: the layers multiply"}
		}
		m *= 1 + l.Retries
	}
	return m, nil
}

// at is pₖ, k from 1.
func (p Params) at(k int) decimal.Decimal { return p.Timeout[min(k, len(p.Timeout))-1] }

// long is what a call that times out costs when it is answered.
func (p Params) long() decimal.Decimal {
	if p.TimedOutCost.Valid {
		return p.TimedOutCost.Decimal
	}
	return p.UnitCost
}

var one = decimal.New(1, 0)
