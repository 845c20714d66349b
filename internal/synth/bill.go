package synth

import (
	"slices"
	"time"
)

// charge is what the vendor bills for one execution.
type charge struct {
	output    int
	early     bool // it stopped when the client left
	finish    string
	cancelled string
	done      int64 // when the execution ended, as far as the vendor is concerned
}

// price decides what the vendor bills for an execution, and leaves nil if that
// is nothing.
func (s *sim) price(e *execution) {
	vendor := s.Providers[s.vendor[e.model]]
	switch {
	case e.replay != nil, e.never:
	case e.refused():
		if s.chance(s.BilledRefusals) {
			e.charge = &charge{finish: "error", done: e.end}
		}
	case e.status != 200 && vendor.Dedup: // it knows what it failed to deliver
	case e.status == 504 && s.chance(s.BilledErrors):
		e.charge = s.inFull(e)
	case e.status != 200:
		if e.status != 504 && e.left == 0 && s.chance(s.BilledErrors) {
			e.charge = &charge{output: e.output, finish: "error", done: e.end}
		}
	case e.left == 0 || vendor.Dedup || e.asked:
		e.charge = s.inFull(e)
	case s.chance(s.NeverStarted):
	case vendor.Disconnect == RunsOn:
		e.charge = s.inFull(e)
	default:
		e.charge = s.cutShort(e, vendor)
	}
	if e.charge != nil && vendor.Disconnect == StopsFlagged && e.charge.cancelled == "" {
		e.charge.cancelled = "false"
	}
}

func (s *sim) inFull(e *execution) *charge {
	finish := "stop"
	if e.output >= s.MaxOutput {
		finish = "length"
	}
	return &charge{output: e.output, finish: finish, done: e.end}
}

// cutShort bills what a vendor that stops on disconnect had made by then. What
// was still waiting in the queue costs nothing in one case of two.
func (s *sim) cutShort(e *execution, vendor Provider) *charge {
	bill := &charge{early: true, done: e.left + s.between(1, 60)}
	if e.left <= e.first {
		if s.chance(0.5) {
			return nil
		}
	} else {
		bill.output = min(e.output-1, e.made(e.left))
	}
	if vendor.Disconnect == StopsFlagged {
		bill.cancelled = "true"
	}
	return bill
}

// made is how many tokens an execution had made at a time.
func (e *execution) made(at int64) int {
	if at <= e.first {
		return 0
	}
	return int(float64(e.output) * float64(at-e.first) / float64(max(1, e.end-e.first)))
}

// settleAccounts closes a call: the vendor bills it, and the log and the bill
// get their lines.
func (s *sim) settleAccounts(c *call) {
	truth := &s.calls[c.index]
	truth.open = c.open
	if answered := c.answered(); answered != nil {
		truth.answeredBy = int32(answered.number)
	}
	for _, a := range c.attempts {
		for _, e := range a.tries {
			s.price(e)
		}
	}
	s.countRates(c)
	ran := c.countRan()
	for _, a := range c.attempts {
		s.writeAttempt(c, a)
		own := a.own()
		for _, e := range a.tries {
			if e.charge != nil {
				v := s.judge(c, a, e, own, ran)
				v.broken = s.promiseBroken(c, e)
				s.countAbandoned(c, e, v)
				s.writeCharge(c, a, e, v)
			}
		}
	}
	for _, q := range c.queries {
		s.writeQuery(c, q)
	}
}

// writeCharge puts a billed execution on the bill, in one line or in two.
func (s *sim) writeCharge(c *call, a *attempt, e *execution, v verdict) {
	line := s.chargeLine(e, e.charge)
	line.call = c.index
	if !s.export(e.model).NoRequestIDs {
		line.RequestID = c.requestID
	}
	line.story = c.story(a, e)
	if export := s.export(e.model); export.Numbers && s.Layer == "" {
		line.Attempt = int32(a.number)
		if !export.NumbersZero {
			line.Attempt++
		}
	}
	if c.key != "" {
		line.IdempotencyKey = c.keyFor(s, e.model)
	}
	s.post(line, v)
}

// keyFor is the idempotency key of a call for a model: another model is another
// task.
func (c *call) keyFor(s *sim, model int) string { return c.key + "-" + s.Models[model].Name }

// export is which columns the bill of a model's provider has.
func (s *sim) export(model int) *Bill {
	if own := s.Providers[s.vendor[model]].Export; own != nil {
		return own
	}
	return &s.Bill
}

// chargeLine is a billed execution without anything that only its caller knows.
func (s *sim) chargeLine(e *execution, bill *charge) ChargeLine {
	model, vendor, export := s.Models[e.model], s.Providers[s.vendor[e.model]], s.export(e.model)
	line := ChargeLine{
		Provider: vendor.Name, Book: "bill", ChargeID: s.chargeID(), Attempt: Unknown, Model: model.Name,
		InputTokens: int32(e.input), CachedTokens: int32(e.cached), OutputTokens: int32(bill.output),
		Currency: s.Currency, Kind: "usage", Cancelled: bill.cancelled, GenerationMS: Unknown, APIKey: s.APIKey,
		call: Unknown,
	}
	line.Amount = model.inputCost(e) + model.Output.times(bill.output)
	line.ChargedAt, line.coarse = s.stamp(vendor, e.start, bill.done)
	if export.VendorIDs {
		line.VendorRequestID = e.receipt
	}
	if !export.NoFinish {
		line.FinishReason = bill.finish
	}
	if export.GenerationMS {
		line.GenerationMS = bill.done - e.start
	}
	return line
}

// inputCost prices the prompt; cached tokens are inside the input tokens.
func (m Model) inputCost(e *execution) Money {
	return m.Input.times(e.input-e.cached) + m.Cached.times(e.cached)
}

// stamp is what the vendor's clock shows for an execution, and whether it shows
// whole seconds or coarser.
func (s *sim) stamp(vendor Provider, start, end int64) (int64, bool) {
	at := start
	if vendor.StampAtEnd {
		at = end
	}
	at += vendor.Offset.Milliseconds()
	if vendor.Jitter > 0 {
		at += int64(s.rng.NormFloat64() * float64(vendor.Jitter.Milliseconds()))
	}
	if step := vendor.Resolution.Milliseconds(); step > 1 {
		at -= at % step
	}
	return at, vendor.Resolution >= time.Second
}

// post adds a charge to the bill under its label, split into line items if the
// vendor does so. Each item carries the verdict and its own part of the money.
func (s *sim) post(line ChargeLine, v verdict) {
	at := slices.IndexFunc(s.Models, func(m Model) bool { return m.Name == line.Model })
	if !s.export(at).SplitItems {
		line.Label = v.label(line.Amount)
		s.bill = append(s.bill, line)
		return
	}
	model := s.Models[at]
	output := model.Output.times(int(line.OutputTokens))
	in, out := line, line
	in.LineItem, in.Amount, in.OutputTokens = "input", line.Amount-output, Unknown
	if line.CachedTokens == 0 {
		in.UnitPrice = model.Input
	}
	out.LineItem, out.Amount, out.InputTokens, out.CachedTokens = "output", output, Unknown, Unknown
	out.UnitPrice = model.Output
	in.Label, out.Label = v.label(in.Amount), v.label(out.Amount)
	s.bill = append(s.bill, in, out)
}
