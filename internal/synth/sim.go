package synth

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// sim is one run of the simulator: the draws, and what has been written so far.
type sim struct {
	Config
	rng       *rand.Rand
	vendor    []int // index of the provider of each model
	incidents []incident
	calls     []callTruth
	prompts   []float64 // the sizes of the world's prompts, if it has a given number of them
	requests  int32     // request ids handed out
	from, to  int64     // the period in which calls arrive, in ms
	log       []AttemptLine
	bill      []ChargeLine
	rates     Rates
	received  map[Received]int
}

// callTruth is what the last step needs to know of a call once it is over.
type callTruth struct {
	request    int32 // calls of one request id share it
	answeredBy int32 // number of the attempt whose answer was used, Unknown if none was
	open       bool  // the log does not tell how the call ended
	late       bool  // a charge of it is not on the bill yet
	lines      int32 // log lines left
}

// incident is a spell in which one provider is slow.
type incident struct {
	vendor   int
	from, to int64
	given    bool
}

// Generate simulates the world that the configuration describes. It panics on a
// model whose provider is not listed.
func Generate(c Config) *World {
	s := simulate(c)
	s.cutEdges(s.newestStamps())
	return s.world()
}

// simulate runs a world to its end, without regard to what will be known of it.
func simulate(c Config) *sim {
	s := newSim(c)
	s.runTraffic()
	s.addUnloggedTraffic()
	s.addDuplicates()
	s.addRefunds()
	s.addCopies()
	s.addAdjustments()
	s.dropLateCharges()
	return s
}

func newSim(c Config) *sim {
	s := &sim{Config: c.withDefaults(), rng: rand.New(rand.NewPCG(c.Seed, 0x72657472797461))}
	s.from = s.Start.UnixMilli()
	s.to = s.from + s.Period.Milliseconds()
	s.Models = slices.Clone(s.Models) // the caller keeps its own
	for i := range s.Models {
		s.vendor = append(s.vendor, s.providerOf(s.Models[i]))
		fill(&s.Models[i].TokenRatio, 1)
		fill(&s.Models[i].Speed, 60)
	}
	for range s.Prompts {
		s.prompts = append(s.prompts, float64(s.lognormal(s.InputMedian, s.InputSigma)))
	}
	s.reserve()
	s.drawIncidents()
	return s
}

// reserve makes room for what will be written, so that millions of rows are not
// copied as the slices grow: a quarter more than requests, twice that if each
// charge or attempt is two lines.
func (s *sim) reserve() {
	size := int(float64(s.Requests) * (1.25 + 2*s.Traces + 2.5*s.Traffic.FanOut))
	lines, items := size, size
	if s.Layer != "" {
		lines *= 2
	}
	if s.SplitItems {
		items *= 2
	}
	s.calls = make([]callTruth, 0, size)
	s.log, s.bill = make([]AttemptLine, 0, lines), make([]ChargeLine, 0, items)
}

func (s *sim) providerOf(m Model) int {
	if i := s.providerNamed(m.Provider); i >= 0 {
		return i
	}
	panic("synth: model " + m.Name + " names a provider that is not listed: " + m.Provider)
}

func (s *sim) providerNamed(name string) int {
	return slices.IndexFunc(s.Providers, func(p Provider) bool { return p.Name == name })
}

func (s *sim) drawIncidents() {
	for _, i := range s.Incidents {
		s.incidents = append(s.incidents, incident{s.providerNamed(i.Provider), i.From.UnixMilli(), i.To.UnixMilli(), true})
	}
	if s.IncidentsPerDay <= 0 {
		return
	}
	gap := float64(24*time.Hour/time.Millisecond) / s.IncidentsPerDay
	for t := s.from + int64(s.exp(gap)); t < s.to; t += int64(s.exp(gap)) {
		length := int64(s.exp(float64(s.IncidentLength.Milliseconds())))
		s.incidents = append(s.incidents, incident{s.rng.IntN(len(s.Providers)), t, t + length, false})
	}
}

// slowness is the factor on the latency of a provider at a time.
func (s *sim) slowness(vendor int, at int64) float64 {
	factor := 1.0
	if s.Load > 0 {
		factor += s.Load * busy(at) * busy(at)
	}
	if s.spell(vendor, at) != nil {
		factor *= s.IncidentFactor
	}
	return factor
}

// spell is the incident of a provider at a time, nil if there is none.
func (s *sim) spell(vendor int, at int64) *incident {
	for n := range s.incidents {
		if i := &s.incidents[n]; i.vendor == vendor && i.from <= at && at < i.to {
			return i
		}
	}
	return nil
}

// chance is true with probability p. It draws nothing for p = 0, so a trouble
// that is switched off leaves the draws of the others alone.
func (s *sim) chance(p float64) bool { return p > 0 && s.rng.Float64() < p }

// between is uniform in [low, high].
func (s *sim) between(low, high int64) int64 { return low + s.rng.Int64N(high-low+1) }

// exp is exponential with the mean given.
func (s *sim) exp(mean float64) float64 { return s.rng.ExpFloat64() * mean }

// lognormal has its median and the standard deviation of its logarithm given.
func (s *sim) lognormal(median int, sigma float64) int {
	return max(1, int(float64(median)*math.Exp(sigma*s.rng.NormFloat64())))
}
