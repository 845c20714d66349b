package synth

import (
	"slices"
	"time"
)

// Month is a company's month: several services, each with its own log and habits, and the
// bills of the vendors that they share.
type Month struct {
	Seed     uint64
	From     time.Time // the first day, at 00:00 UTC
	Requests int       // expected, of all services together
	Services []Service
}

// Service is one program of the company. Seed, start, period, requests and incidents of its
// configuration are the month's business.
type Service struct {
	Name   string
	Share  int // of the month's requests, in per cent
	Config Config
}

// Day is what was written and billed on one day, each in the order of its times. Rows of a
// day that were written after midnight belong to the next one.
type Day struct {
	From  time.Time
	Logs  [][]AttemptLine // of each service
	Bills [][]ChargeLine  // of each vendor, in the order of Month.Vendors
	Rates Rates           // of the calls that began on this day
	// Received counts the requests of these calls; unlogged traffic is not among them.
	Received map[Received]int
}

// Vendors is the names of all providers of the services, sorted.
func (m *Month) Vendors() []string {
	var names []string
	for _, s := range m.Services {
		for _, p := range s.Config.Providers {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// To is the end of the month, excluded.
func (m *Month) To() time.Time { return m.From.AddDate(0, 1, 0) }

// Run simulates the month day by day and hands each day over, so that a month of any size
// needs the memory of a few days. While one day is handed over the next is simulated. It
// stops at the first error of each.
func (m *Month) Run(each func(*Day) error) error {
	days, stop := make(chan *Day), make(chan struct{})
	go func() {
		defer close(days)
		r := newRun(m)
		for n := range r.days {
			select {
			case days <- r.day(n):
			case <-stop:
				return
			}
		}
	}()
	for d := range days {
		if err := each(d); err != nil {
			close(stop)
			for range days { // the simulation must have ended when Run returns
			}
			return err
		}
	}
	return nil
}
