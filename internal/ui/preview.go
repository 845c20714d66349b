package ui

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"retrytax/internal/report"
	"retrytax/internal/source"
)

// WritePreview prints what files are taken for, why, and what their rows become.
func WritePreview(w io.Writer, v *report.Preview, opts Options) error {
	for i, f := range v.Files {
		p := newPage(opts)
		if i > 0 {
			p.blank()
		}
		p.text(Clean(f.File), "  ", bold)
		if f.Error != "" {
			p.marked(cell{"  ! ", red}, Clean(f.Error), "    ", normal)
			if f.Hint != "" {
				p.item("hint: "+Clean(f.Hint), "  ", normal)
			}
			if _, err := io.WriteString(w, p.b.String()); err != nil {
				return err
			}
			if err := writeGuessOf(w, f.Cause, opts); err != nil {
				return err
			}
			continue
		}
		writePreviewFile(p, f)
		if _, err := io.WriteString(w, p.b.String()); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "\nThis was a dry run: nothing was written\n")
	return err
}

func writeGuessOf(w io.Writer, err error, opts Options) error {
	var bad *source.Error
	if !errors.As(err, &bad) || bad.Guess == nil {
		return nil
	}
	return WriteGuess(w, bad.Guess, opts)
}

func writePreviewFile(p *page, f report.PreviewFile) {
	say := func(title, text string) {
		if text != "" {
			p.marked(cell{"  " + pad(title, 10, false) + " ", dim}, text, strings.Repeat(" ", 13), normal)
		}
	}
	is := map[string]string{"attempts": "an attempt log", "charges": "a bill", "prices": "a price list", "bills": "a file of totals", "retries": "a log of an SDK's retries"}[f.Role]
	for _, more := range []string{f.Format, f.Syntax, f.Encoding} {
		if more != "" {
			is += ", " + Clean(more)
		}
	}
	say("is", is)
	var why []string
	for _, c := range f.Columns {
		if c.From == c.To {
			why = append(why, short(c.To))
		} else {
			why = append(why, short(c.To)+" from "+short(c.From))
		}
	}
	say("because", strings.Join(why, ", "))
	var unused []string
	for _, u := range f.Unused[:min(len(f.Unused), 40)] {
		unused = append(unused, short(u))
	}
	say("not read", strings.Join(unused, ", "))
	say("rows", fmt.Sprintf("%s = %s loaded + %s known + %s ignored + %s rejected", count(f.Rows), count(f.Loaded), count(f.Known), count(f.Ignored), count(f.Rejected)))
	if f.FirstFault != "" {
		say("rejected", Clean(f.FirstFault))
	}
	span := rowSpan(f.From, f.To)
	if span != "" {
		span += ", UTC; "
	}
	if len(f.Zones) > 0 {
		say("times", span+"those without a zone are taken to be in "+Clean(strings.Join(f.Zones, " and ")))
	}
	for i, r := range f.First {
		var parts []string
		for _, c := range r {
			parts = append(parts, c.From+"="+short(c.To))
		}
		say(fmt.Sprintf("row %d", i+1), strings.Join(parts, "  "))
	}
	for _, n := range f.Notes {
		p.marked(cell{"  ! ", yellow}, Clean(n), "    ", normal)
	}
}
