package synth

// execution is one run on the vendor's side.
type execution struct {
	model                 int
	input, cached, output int // output is what it makes if it is left alone
	start, first          int64
	answer                int64 // when the client has all of it, or the error
	end                   int64 // when the server is done if nobody hangs up
	left                  int64 // when the client hung up before the answer, 0: never
	status                int
	receipt               string
	asked                 bool       // its state was asked for after a timeout, so it is known whether it ran
	never                 bool       // and it did not
	replay                *execution // a deduplicated answer: this one ran nothing
	charge                *charge    // what the vendor billed, nil if nothing
}

// maxLatency bounds how long an execution takes, in ms: longer ones are killed
// by the vendor.
const maxLatency = 8 * 60_000

// refused is an answer without any work.
func (e *execution) refused() bool { return e.status >= 400 && e.status < 500 }

// broke tells whether the server failed on its way. Behind a 504 the model has run on.
func (e *execution) broke() bool { return e.status >= 500 && e.status != 504 }

// leave notes that the client hung up, unless it had its answer or had left.
func (e *execution) leave(at int64) {
	if e.answer > at && (e.left == 0 || e.left > at) {
		e.left = at
	}
}

// over is when the client was done with an execution.
func (e *execution) over() int64 {
	if e.left != 0 {
		return e.left
	}
	return e.answer
}

// execute runs a prompt on a model. A healthy execution is one that answers in
// time for certain.
func (s *sim) execute(c *call, model int, at int64, healthy bool) *execution {
	e := &execution{model: model, input: c.input(s, model), start: at, status: 200, receipt: s.receipt()}
	if first := c.running[model]; first != nil && s.dedups(model) {
		s.replay(e, first)
		return e
	}
	e.cached = s.cachedInput(c, e)
	s.drawLatency(e, healthy)
	if !healthy {
		s.drawTrouble(e)
	}
	if e.status == 200 {
		c.ranOn(e)
	}
	return e
}

func (s *sim) dedups(model int) bool { return s.Providers[s.vendor[model]].Dedup }

// replay answers with the result of the first execution, once that is there.
func (s *sim) replay(e, first *execution) {
	e.replay, e.output, e.cached = first, first.output, first.cached
	e.first = max(first.end, e.start) + s.between(40, 120)
	e.answer = e.first + s.between(20, 80)
	e.end = e.answer
	if s.ReplayReceipts {
		e.receipt = first.receipt
	}
}

// cachedInput is the part of the prompt that is read from the vendor's cache:
// a prefix of the prompt, warmed by others, or all of it by an earlier try.
func (s *sim) cachedInput(c *call, e *execution) int {
	share := c.cachedShare
	if c.running[e.model] != nil && s.chance(s.WarmedByRetries) {
		share = 0.95
	}
	return int(share*float64(e.input)) / 128 * 128
}

func (s *sim) drawLatency(e *execution, healthy bool) {
	speed := s.Models[e.model].Speed * (0.85 + 0.3*s.rng.Float64())
	queue := 150 + s.exp(float64(s.QueueMean.Milliseconds()))
	e.output = min(s.lognormal(s.OutputMedian, s.OutputSigma), s.MaxOutput)
	work := float64(e.output) / speed * 1000
	if healthy {
		patience := 0.7 * float64(s.patience())
		queue = min(queue, patience/3)
		e.output = max(1, min(e.output, int(patience/2/1000*speed)))
		work = float64(e.output) / speed * 1000
	} else {
		slow := s.slowness(s.vendor[e.model], e.start)
		queue, work = min(queue*slow, maxLatency/4), min(work*slow, maxLatency*3/4)
	}
	e.first = e.start + int64(queue)
	e.answer = e.first + int64(work) + 1
	e.end = e.answer
}

// patience is how long the most impatient part of the client waits, in ms.
func (s *sim) patience() int64 {
	if s.SDKRetries > 0 {
		return min(s.Timeout, s.SDKTimeout).Milliseconds()
	}
	return s.Timeout.Milliseconds()
}

// drawTrouble lets an execution be refused or fail.
func (s *sim) drawTrouble(e *execution) {
	switch {
	case s.chance(s.Refused):
		s.refuse(e, 429)
	case s.chance(s.BadRequest):
		s.refuse(e, s.refusal(e))
	case s.chance(s.ServerErrors):
		s.fail(e)
	case s.IncidentErrors > 0:
		if i := s.spell(s.vendor[e.model], e.start); i != nil && i.given && s.chance(s.IncidentErrors) {
			s.fail(e)
		}
	}
}

// finalRefusals are the statuses of what no retry can mend, and how clients call them.
var finalRefusals = []struct {
	status int
	reason string
}{{400, "BadRequestError"}, {401, "AuthenticationError"}, {403, "PermissionDeniedError"}, {404, "NotFoundError"},
	{422, "UnprocessableEntityError"}}

func (s *sim) refusal(e *execution) int {
	if !s.ManyRefusals {
		return finalRefusals[0].status
	}
	return finalRefusals[e.input%len(finalRefusals)].status
}

func (s *sim) refuse(e *execution, status int) {
	e.status, e.output, e.cached = status, 0, 0
	e.answer = e.start + s.between(60, 160)
	e.first, e.end = e.answer, e.answer
}

// fail stops an execution somewhere on its way. Behind a 504 the model runs on:
// only the gateway in front of it has given up.
func (s *sim) fail(e *execution) {
	done := 0.1 + 0.8*s.rng.Float64()
	at := e.first + int64(done*float64(e.end-e.first))
	if s.chance(0.2) {
		e.status, e.answer = 504, at
		return
	}
	e.status = []int{500, 502, 503}[s.rng.IntN(3)]
	e.output = int(done * float64(e.output))
	e.answer, e.end = at, at
}
