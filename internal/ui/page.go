package ui

import (
	"fmt"
	"strings"

	"retrytax/internal/report"
	"retrytax/internal/words"
)

// style is how a piece of text looks where there are colours.
type style string

const (
	normal style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "1;31"
	green  style = "1;32"
	yellow style = "33"
)

// page collects the lines of a summary. Text is measured before it is coloured.
type page struct {
	b      strings.Builder
	width  int
	colour bool
	lang   words.Lang
	// composed: texts are English until they are printed, and are looked up as a whole then; else they are said in lang already
	composed bool
}

func (p *page) paint(s string, st style) string {
	if !p.colour || st == normal || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// line prints text as it is, without the spaces at its end.
func (p *page) line(s string) {
	p.b.WriteString(plain(strings.TrimRight(s, " ")))
	p.b.WriteByte('\n')
}

func (p *page) blank() { p.b.WriteByte('\n') }

// t is a sentence in the language of the page.
func (p *page) t(english string, args ...any) string { return p.lang.T(english, args...) }

// tn is the sentence for one of something, or that for n of it, which takes the number first.
func (p *page) tn(n int64, one, many string, args ...any) string {
	if n == 1 {
		many = one
	}
	format := strings.Replace(p.t(many), "%s ", "%s"+string(noBreak), 1)
	return fmt.Sprintf(format, append([]any{count(n)}, args...)...)
}

// unknownOr is an amount for display; one that is not known says so in the language of the page.
func (p *page) unknownOr(m report.Money) string {
	if _, ok := value(m); !ok {
		return p.t(unknown)
	}
	return Amount(m)
}

// heading opens a section.
func (p *page) heading(s string) {
	p.blank()
	p.text(s, "", bold)
}

// text wraps a paragraph; the lines after the first begin under indent.
func (p *page) text(s, indent string, st style) { p.marked(cell{}, s, indent, st) }

// item is a paragraph that is set in by indent, its later lines a little more.
func (p *page) item(s, indent string, st style) { p.marked(cell{indent, normal}, s, indent+"  ", st) }

// marked is a paragraph that begins with a mark; its later lines begin under indent.
func (p *page) marked(mark cell, s, indent string, st style) {
	if p.composed {
		s = p.lang.Of(s)
		if said := p.lang.Of(strings.TrimSpace(mark.text)); said != strings.TrimSpace(mark.text) {
			mark.text = said + " "
		}
	}
	room := max(10, p.width-max(Width(mark.text), Width(indent)))
	for i, line := range wrap(s, room) {
		start := indent
		if i == 0 {
			start = p.paint(mark.text, mark.style)
		}
		p.line(start + p.paint(line, st))
	}
}
