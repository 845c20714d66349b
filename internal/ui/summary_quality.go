package ui

import (
	"fmt"

	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
)

// quality is how far the numbers can be trusted: what is missing, what the log explains,
// and what was measured about the stamps.
func (s *summary) quality() {
	s.heading("How sure this is")
	s.coverage()
	shown := s.a.Calibration[:min(len(s.a.Calibration), stampLines)]
	for _, c := range shown {
		s.item(calibration(c), "  ", normal)
	}
	if more := len(s.a.Calibration) - len(shown); more > 0 {
		s.item("and "+count(int64(more))+" more", "  ", dim)
	}
	s.claims()
	if n := s.a.Unbilled.Calls; n > 0 {
		s.item("unbilled: "+counted(n, "delivered call has", "delivered calls have")+" no charge in a bill that covers the time", "  ", normal)
	}
	if n := s.a.Copies.Attempts; n > 0 {
		s.item("copies: "+counted(n, "line of the log repeats", "lines of the log repeat")+" another, counted once", "  ", normal)
	}
}

// claims says what matches by tokens were worth where an id could tell, above and below the
// threshold that most people use.
func (s *summary) claims() {
	for _, c := range s.a.Claims {
		s.item(fmt.Sprintf("by tokens, sure to %.1f or more: claimed %.1f %%, right %.1f %% of %s whose id was hidden", c.From, 100*c.Claimed, 100*c.Right,
			counted(c.Charges, "charge", "charges")), "  ", normal)
	}
}

// stampLines is of how many books the stamps are told.
const stampLines = 12

// coverage is the share of charges that the log explains, and the day that has least.
func (s *summary) coverage() {
	charges, explained := s.explained()
	if charges == 0 {
		s.item("coverage: none, log and bill do not overlap", "  ", yellow)
		return
	}
	text := "coverage: " + part(explained, charges) + " of " + counted(charges, "charge is", "charges are") + " explained by the log"
	if worst, ok := worstDay(s.a.Coverage); ok && explained < charges {
		text += "; worst " + short(worst.Day) + ", " + short(worst.Provider)
		if worst.APIKey != "" {
			text += ", key " + short(worst.APIKey)
		}
		text += ": " + part(worst.Explained, worst.Charges) + " of " + count(worst.Charges)
	}
	s.item(text, "  ", normal)
}

// worstDay is the day, provider and key with the smallest share; of equal ones that with
// the most charges, then the first.
func worstDay(days []report.Coverage) (report.Coverage, bool) {
	var with []report.Coverage
	for _, d := range days {
		if d.Charges > 0 {
			with = append(with, d)
		}
	}
	if len(with) == 0 {
		return report.Coverage{}, false
	}
	return slices.MinFunc(with, func(a, b report.Coverage) int {
		return cmp.Or(
			cmp.Compare(a.Explained*b.Charges, b.Explained*a.Charges),
			cmp.Compare(b.Charges, a.Charges),
			strings.Compare(a.Day+"\x00"+a.Provider+"\x00"+a.APIKey, b.Day+"\x00"+b.Provider+"\x00"+b.APIKey),
		)
	}), true
}

func part(n, of int64) string {
	return percent(decimal.NewFromInt(n).Mul(decimal.New(100, 0)).DivRound(decimal.NewFromInt(of), 6))
}

// fewPairs is how many calls with one attempt and one charge a measurement takes.
const fewPairs = 30

// calibration is one book's stamps in one line.
func calibration(c report.Calibration) string {
	name := short(c.Provider)
	if name == "" {
		name = "every provider"
	}
	if c.Pairs < fewPairs {
		return "stamps of " + name + ": taken to lie at the " + short(c.Stamp) + ", as " +
			counted(c.Pairs, "pair is", "pairs are") + " too few to measure it"
	}
	text := "stamps of " + name + ": at the " + short(c.Stamp) + " of the execution, "
	switch {
	case c.OffsetMS == 0:
		text += "clocks agree"
	case c.OffsetMS > 0:
		text += millis(c.OffsetMS) + " late"
	default:
		text += millis(-c.OffsetMS) + " early"
	}
	if c.ResolutionMS > 1 {
		text += ", resolution " + millis(c.ResolutionMS)
	}
	return text + ", from " + counted(c.Pairs, "pair", "pairs")
}

func millis(ms int64) string { return (time.Duration(ms) * time.Millisecond).String() }
