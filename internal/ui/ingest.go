package ui

import (
	"io"
	"time"

	"retrytax/internal/report"
)

// newPage is a page as wide as the terminal, within limits.
func newPage(o Options) *page {
	width := o.Width
	if width == 0 {
		width = 80
	}
	return &page{width: min(max(width, 60), 120), colour: o.Color, lang: o.Lang}
}

// fileLines is of how many files each is told.
const fileLines = 40

// WriteIngested prints what a run has brought into a database: each file and what became of
// its rows, then what is new, and what to do next. Times are UTC.
func WriteIngested(w io.Writer, i *report.Ingested, opts Options) error {
	p := newPage(opts)
	p.text("retrytax ingest · "+Clean(i.Database)+" · run "+count(i.Run), "  ", bold)
	writeIngestedFiles(p, i)
	p.blank()
	switch {
	case i.Attempts+i.Charges+i.Bills+i.Superseded+i.Restored+i.Withdrawn+i.Renamed+i.Priced+i.Mended == 0:
		p.text("Nothing new.", "  ", bold)
	default:
		text := "New: " + counted(i.Attempts, "attempt", "attempts") + ", " + counted(i.Charges, "charge line", "charge lines")
		if i.Bills > 0 {
			text += ", " + counted(i.Bills, "total of a bill", "totals of bills")
		}
		p.text(text, "  ", bold)
	}
	for _, n := range []struct {
		n         int64
		one, many string
	}{
		{i.Superseded, "charge line was replaced by a newer export", "charge lines were replaced by newer exports"},
		{i.Restored, "charge line stands again, as the newest export says", "charge lines stand again, as the newest exports say"},
		{i.Priced, "older charge line has an amount now, from a price list", "older charge lines have an amount now, from a price list"},
		{i.Withdrawn, "half of a line was taken out, now that the whole one is there", "halves of lines were taken out, now that the whole ones are there"},
		{i.Renamed, "older line has another request id now, as the rows of its trace say", "older lines have another request id now, as the rows of their traces say"},
		{i.Mended, "line that could not be read stands whole in the newer content now", "lines that could not be read stand whole in the newer contents now"},
	} {
		if n.n > 0 {
			p.item(counted(n.n, n.one, n.many), "  ", normal)
		}
	}
	writeIngestedRejects(p, i)
	for _, text := range i.Warnings {
		p.marked(cell{"  ! ", yellow}, Clean(text), "    ", normal)
	}
	p.blank()
	p.text(ingestNext(i), "  ", normal)
	_, err := io.WriteString(w, p.b.String())
	return err
}

// writeIngestedRejects says of each file which line could not be read first, and why.
func writeIngestedRejects(p *page, i *report.Ingested) {
	for _, f := range i.Rejects[:min(len(i.Rejects), fileLines)] {
		p.marked(cell{"  ! ", yellow}, short(f.File)+": "+counted(f.Rows, "line", "lines")+" could not be read; line "+count(f.Line)+": "+Clean(f.Reason), "    ", normal)
	}
	if len(i.Rejects) > 0 {
		p.item("a report of their time says \"at least\", and lists them in rejects.csv; mend the file and ingest it again", "  ", normal)
	}
}

func writeIngestedFiles(p *page, i *report.Ingested) {
	if len(i.Files) == 0 {
		return
	}
	p.blank()
	t := table{cols: []column{{title: "file", min: 12, tail: true}, {title: "is"}, {title: "rows", right: true}, {title: "new", right: true},
		{title: "known", right: true}, {title: "ignored", right: true}, {title: "rejected", right: true}, {title: "from … to, UTC", drop: true}}}
	for _, f := range i.Files[:min(len(i.Files), fileLines)] {
		if f.Role == "" {
			t.add(Clean(f.File), f.State, "", "", "", "", "", "")
			continue
		}
		t.add(Clean(f.File), f.State, count(f.Rows), count(f.Loaded), count(f.Known), count(f.Ignored), count(f.Rejected), rowSpan(f.From, f.To))
	}
	t.write(p)
	if more := len(i.Files) - fileLines; more > 0 {
		p.item("and "+count(int64(more))+" more files", "  ", dim)
	}
}

// rowSpan is from when to when, to the minute; the day is said once if it is one.
func rowSpan(from, to *time.Time) string {
	if from == nil || to == nil {
		return ""
	}
	const minute = "2006-01-02 15:04"
	if from.Format(time.DateOnly) == to.Format(time.DateOnly) {
		return from.Format(minute) + " … " + to.Format("15:04")
	}
	return from.Format(minute) + " … " + to.Format(minute)
}

// ConfigFlag is the flag that names the configuration in a command, with a blank ahead, or nothing.
func ConfigFlag(file string) string {
	if file == "" {
		return ""
	}
	return " --config " + Clean(file)
}

func ingestNext(i *report.Ingested) string {
	if i.Pending == 0 {
		return "Next: retrytax status --db " + Clean(i.Database) + ConfigFlag(i.ConfigFile) + " shows what the database holds"
	}
	return counted(i.Pending, "change waits", "changes wait") + " for retrytax reconcile --db " + Clean(i.Database) + ConfigFlag(i.ConfigFile)
}
