package synth

import (
	"slices"
	"time"
)

// run is a month under way: what was begun on one day and is written on a later one.
type run struct {
	*Month
	vendors   []string
	days      int
	shares    []float64 // of the month's requests up to the end of each day
	incidents []Incident
	logs      [][]AttemptLine
	bills     [][]ChargeLine
	newest    map[string]int64
}

// weekend is how much of a working day's traffic comes on a Saturday or a Sunday.
const weekend = 0.4

func newRun(m *Month) *run {
	r := &run{Month: m, vendors: m.Vendors(), days: int(m.To().Sub(m.From).Hours()) / 24, newest: map[string]int64{}}
	r.logs, r.bills = make([][]AttemptLine, len(m.Services)), make([][]ChargeLine, len(r.vendors))
	sum := 0.0
	for n := range r.days {
		weight := 1.0
		if day := m.From.AddDate(0, 0, n).Weekday(); day == time.Saturday || day == time.Sunday {
			weight = weekend
		}
		sum += weight
		r.shares = append(r.shares, sum)
	}
	for n := range r.shares {
		r.shares[n] /= sum
	}
	r.incidents = drawSpells(m, r.vendors, r.days)
	return r
}

// requests is how many requests of a service are expected on a day: whole numbers that add
// up to its share of the month.
func (r *run) requests(service, day int) int {
	all := float64(r.Requests*r.Services[service].Share) / 100
	before := 0.0
	if day > 0 {
		before = r.shares[day-1]
	}
	return int(all*r.shares[day]) - int(all*before)
}

// day simulates one day of every service, side by side.
func (r *run) day(n int) *Day {
	from := r.From.AddDate(0, 0, n)
	last := n == r.days-1
	sims := make([]*sim, len(r.Services))
	done := make(chan struct{})
	for i := range r.Services {
		go func() {
			defer func() { done <- struct{}{} }()
			if c, any := r.config(i, n, from, last); any {
				sims[i] = simulate(c)
			}
		}()
	}
	for range sims {
		<-done
	}
	for _, s := range sims {
		if s != nil {
			for vendor, at := range s.newestStamps() {
				r.newest[vendor] = max(r.newest[vendor], at)
			}
		}
	}
	var newest map[string]int64
	if last {
		newest = r.newest
	}
	var rates Rates
	received := map[Received]int{}
	for i, s := range sims {
		if s != nil {
			s.cutEdges(newest)
			r.logs[i] = append(r.logs[i], s.log...)
			r.post(s.bill)
			rates.Add(s.rates)
			for k, n := range s.received {
				received[k] += n
			}
		}
	}
	d := r.written(from, last)
	d.Rates, d.Received = rates, received
	return d
}

// config is a service's configuration for a day; false if nothing is expected to happen.
func (r *run) config(service, day int, from time.Time, last bool) (Config, bool) {
	c := r.Services[service].Config
	c.Start, c.Period = from, 24*time.Hour
	c.Requests = r.requests(service, day)
	c.Seed = mix(r.Seed, uint64(service), uint64(day))
	c.Continues, c.CutAtEnd = !last, last
	for _, i := range r.incidents {
		named := slices.ContainsFunc(c.Providers, func(p Provider) bool { return p.Name == i.Provider })
		if named && i.To.After(from) && i.From.Before(from.Add(26*time.Hour)) {
			c.Incidents = append(c.Incidents, i)
		}
	}
	return c, c.Requests > 0
}

// mix makes one seed of three numbers, unlike those of their neighbours.
func mix(seed, service, day uint64) uint64 {
	x := seed ^ service<<56 ^ day<<48 ^ 0x9e3779b97f4a7c15
	for range 2 {
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return x
}

// post puts charges on the bills of their vendors.
func (r *run) post(lines []ChargeLine) {
	for _, line := range lines {
		i, _ := slices.BinarySearch(r.vendors, line.Provider)
		r.bills[i] = append(r.bills[i], line)
	}
}

// written takes what was written by the end of a day.
func (r *run) written(from time.Time, last bool) *Day {
	d, end := &Day{From: from}, from.AddDate(0, 0, 1).UnixMilli()
	for i := range r.logs {
		var today []AttemptLine
		today, r.logs[i] = split(r.logs[i], end, last, (*AttemptLine).Written)
		d.Logs = append(d.Logs, today)
	}
	for i := range r.bills {
		var today []ChargeLine
		today, r.bills[i] = split(r.bills[i], end, last, func(c *ChargeLine) int64 { return c.ChargedAt })
		d.Bills = append(d.Bills, today)
	}
	return d
}

// split sorts rows by time and cuts them at an end, or nowhere.
func split[T any](rows []T, end int64, last bool, at func(*T) int64) (before, after []T) {
	sortByTime(rows, at)
	cut := len(rows)
	for !last && cut > 0 && at(&rows[cut-1]) >= end {
		cut--
	}
	return rows[:cut:cut], slices.Clone(rows[cut:])
}
