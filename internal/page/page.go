// Package page writes report.html: the report as one file that needs nothing else, for a screen,
// a phone and paper.
//
// It lays out what the report structs say. It refuses two things: to refer to anything outside the
// file (no font, no script, no image, no link that is not within it; a policy in the head forbids the
// browser the rest), and to let a text of the data become markup: all of it goes through
// html/template, and what cannot be seen is shown.
package page

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"

	"time"

	"retrytax/internal/report"
	"retrytax/internal/ui"
	"retrytax/internal/words"
)

// Options are what the page cannot know from the report.
type Options struct {
	Version string
	Created time.Time      // the moment of the report
	Zone    *time.Location // of all times; nil is UTC
	Lang    words.Lang
}

var (
	//go:embed page.html
	pageText string
	//go:embed style.css
	styleText string
	//go:embed script.js
	scriptText string
)

// Write writes the page to w; nothing reaches w before the whole page could be made.
func Write(w io.Writer, wb *report.Workbook, o Options) error {
	if wb == nil || wb.Audit == nil {
		return errors.New("page: no report to write")
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	t, err := template.New("page").Funcs(template.FuncMap{
		"t":     o.Lang.T,
		"clean": ui.Clean,
		"count": ui.Count,
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, newView(wb, o)); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}
