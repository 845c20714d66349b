package ui

import (
	"strings"
)

// dearest are the five calls with the largest excess, two lines each. The list is sorted
// by who makes it; amounts in different currencies are not compared here.
func (s *summary) dearest() {
	if len(s.x.Dearest) == 0 {
		return
	}
	calls := s.x.Dearest[:min(5, len(s.x.Dearest))]
	title := "The dearest call"
	if len(calls) > 1 {
		title = "The " + []string{"two", "three", "four", "five"}[len(calls)-2] + " dearest calls"
	}
	s.heading(title + ", by what should not have been paid")
	moneyWidth, idWidth := 0, 0
	for _, c := range calls {
		moneyWidth = max(moneyWidth, Width(money(c.Currency, c.Excess)))
		idWidth = max(idWidth, Width(idText(c)))
	}
	const number = "1" + tableGap
	room := s.width - len(tableIndent) - len(number) - moneyWidth - 2*len(tableGap)
	idWidth = min(idWidth, max(room*3/5, 12))
	for i, c := range calls {
		paid := money(c.Currency, c.Excess)
		gap := strings.Repeat(" ", moneyWidth-Width(paid))
		s.line(tableIndent + s.paint(count(int64(i+1)), dim) + tableGap + s.paint(paid, red) + gap + tableGap +
			pad(Cut(idText(c), idWidth), idWidth, false) + tableGap + Cut(short(c.Model), max(room-idWidth, 4)))
		s.item(callStory(c), strings.Repeat(" ", len(tableIndent)+len(number)), dim)
	}
}

func idText(c DearCall) string {
	if c.RequestID == "" {
		return "no request id"
	}
	return short(c.RequestID)
}

// callStory is "2026-11-03 12:00:03: 3 attempts, 2 charges: timed out, billed in full ×1".
func callStory(c DearCall) string {
	text := counted(c.Attempts, "attempt", "attempts") + ", " + counted(c.Charges, "charge", "charges")
	if !c.FirstAt.IsZero() {
		text = strings.ReplaceAll(c.FirstAt.Format(stampFormat), " ", string(noBreak)) + ", " + text
	}
	var why []string
	for _, item := range strings.Split(c.Verdicts, ",") {
		code, times, _ := strings.Cut(strings.TrimSpace(item), " ")
		if code != "" {
			why = append(why, strings.TrimSpace(Lookup(Verdicts, code).Name+string(noBreak)+short(times)))
		}
	}
	if len(why) > 0 {
		text += ": " + strings.Join(why, "; ")
	}
	return text
}
