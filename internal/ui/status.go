package ui

import (
	"fmt"
	"io"
	"strings"
	"time"

	"retrytax/internal/report"
)

// statusPage is one run of WriteStatus.
type statusPage struct {
	*page
	x *report.Status
}

// WriteStatus prints what a database holds, what it lacks and what is to be done.
func WriteStatus(w io.Writer, x *report.Status, opts Options) error {
	s := statusPage{newPage(opts), x}
	s.text("retrytax status · "+Clean(x.Database)+" · "+sizeText(x.Bytes)+" · times in UTC, days in "+short(x.Zone), "  ", bold)
	s.held()
	s.missing()
	s.settled()
	s.waiting()
	s.runs()
	s.rejects()
	s.reports()
	s.next()
	_, err := io.WriteString(w, s.b.String())
	return err
}

func sizeText(n int64) string {
	switch {
	case n >= 10<<30:
		return count(n>>30) + " GB"
	case n >= 10<<20:
		return count(n>>20) + " MB"
	}
	return count((n+1023)>>10) + " kB"
}

const minuteFormat = "2006-01-02 15:04"

func fromTo(from, to time.Time) string { return rowSpan(&from, &to) }

// statusLines is how many rows of a section are told.
const statusLines = 24

func (s statusPage) more(n int, what string) {
	if n > statusLines {
		s.item("and "+count(int64(n-statusLines))+" more "+what+" (--json lists all)", "  ", dim)
	}
}

func (s statusPage) held() {
	s.heading("What it holds")
	if s.x.Pruned != nil {
		s.item("rows before "+s.x.Pruned.Format(minuteFormat)+" were pruned; their reports are kept", "  ", normal)
	}
	if len(s.x.Held) == 0 {
		s.item("nothing yet", "  ", yellow)
		return
	}
	t := table{cols: []column{{title: ""}, {title: "provider", min: 8}, {title: "key", min: 6}, {title: "rows", right: true}, {title: "billed", right: true}, {title: "from … to"}}}
	for _, h := range s.x.Held[:min(len(s.x.Held), statusLines)] {
		side, money := "log", ""
		switch h.Role {
		case "charges":
			side, money = h.Book, h.Currency+" "+Amount(h.Amount)
		case "bills":
			if side = "totals"; h.Amount != "" {
				money = h.Currency + " " + Amount(h.Amount)
			}
		}
		t.add(side, orDash(h.Provider), orDash(h.APIKey), count(h.Rows), money, fromTo(h.From, h.To))
	}
	t.write(s.page)
	s.more(len(s.x.Held), "providers and keys")
}

func orDash(v string) string {
	if v == "" {
		return "-"
	}
	return short(v)
}

// missing lists the days without a log or without a bill.
func (s statusPage) missing() {
	if len(s.x.Held) == 0 {
		return
	}
	s.heading("Days that are missing")
	if len(s.x.Missing) == 0 {
		s.item("none between the first and the last day", "  ", normal)
	}
	for _, m := range s.x.Missing[:min(len(s.x.Missing), statusLines)] {
		days := m.From
		if m.To != m.From {
			days += " … " + m.To + " (" + counted(m.Days, "day", "days") + ")"
		}
		what := "no log"
		if m.Side == "bill" {
			what = "no bill"
		}
		who := ""
		if m.Provider != "" {
			who = " of " + short(m.Provider)
		}
		s.item(what+who+": "+days, "  ", yellow)
	}
	s.more(len(s.x.Missing), "gaps")
}

func (s statusPage) settled() {
	s.heading("What is settled")
	if !s.x.Reconciled {
		s.item("nothing is judged yet", "  ", yellow)
		return
	}
	for _, b := range s.x.Settled {
		text := orDash(b.Provider) + ", " + b.Book + ": " + count(b.Settled) + " of " + counted(b.Lines, "charge line", "charge lines")
		if b.OpenFrom != nil {
			text += "; open from " + b.OpenFrom.Format(minuteFormat) + " on"
		}
		s.item(text, "  ", normal)
	}
}

func (s statusPage) waiting() {
	s.heading("What waits for reconcile")
	if len(s.x.Waiting)+len(s.x.OtherConfig) == 0 {
		s.item("nothing", "  ", normal)
	}
	if n := len(s.x.OtherConfig); n > 0 {
		s.item("everything: the verdicts were made with another configuration", "  ", yellow)
		for _, text := range s.x.OtherConfig[:min(n, statusLines)] {
			s.item(Clean(text), "    ", yellow)
		}
		s.more(n, "settings")
	}
	for _, w := range s.x.Waiting {
		one, many := "attempt", "attempts"
		if w.Role == "charges" {
			one, many = "charge line", "charge lines"
		}
		s.item(counted(w.Rows, one, many)+" "+w.Change+", "+fromTo(w.From, w.To), "  ", yellow)
	}
}

func (s statusPage) runs() {
	s.heading("Last runs")
	t := table{cols: []column{{title: "run", right: true}, {title: "command"}, {title: "at"}, {title: "files", right: true}, {title: "new", right: true},
		{title: "known", right: true}, {title: "rejected", right: true}, {title: "inputs", min: 10, drop: true}}}
	for _, r := range s.x.Runs {
		command := r.Command
		if r.State != "done" {
			command += " (" + r.State + ")"
		}
		if r.Files == 0 {
			t.add(count(r.Run), command, r.StartedAt.Format(minuteFormat), "", "", "", "", "")
			continue
		}
		t.add(count(r.Run), command, r.StartedAt.Format(minuteFormat), count(r.Files), count(r.Loaded), count(r.Known), count(r.Rejected), inputsText(r.Inputs))
	}
	t.write(s.page)
}

// inputsText names the first two files of a run.
func inputsText(names []string) string {
	var shown []string
	for _, n := range names[:min(len(names), 2)] {
		shown = append(shown, short(n))
	}
	text := strings.Join(shown, ", ")
	if len(names) > 2 {
		text += fmt.Sprintf(" and %d more", len(names)-2)
	}
	return text
}

func (s statusPage) rejects() {
	if len(s.x.Rejects) == 0 {
		return
	}
	s.heading("Lines that could not be read")
	for _, r := range s.x.Rejects {
		s.item(fmt.Sprintf("%s, run %d: %s; line %d: %s", short(r.File), r.Run, counted(r.Rows, "line", "lines"), r.Line, Clean(r.Reason)), "  ", yellow)
	}
}

func (s statusPage) reports() {
	if len(s.x.Reports) == 0 {
		return
	}
	s.heading("Reports that are kept")
	for _, r := range s.x.Reports {
		state := "open"
		if r.Closed {
			state = "closed"
		}
		s.item(fmt.Sprintf("%s, %s: %s, run %d", short(r.Period), short(r.Zone), state, r.Run), "  ", normal)
	}
}

// next is what to do now: the first thing that is missing.
func (s statusPage) next() {
	s.blank()
	db := " --db " + Clean(s.x.Database) + configFlag(s.x.ConfigFile)
	switch {
	case len(s.x.Held) == 0:
		s.text("Next: retrytax ingest FILES…"+db, "  ", normal)
	case len(s.x.Waiting)+len(s.x.OtherConfig) > 0 || !s.x.Reconciled:
		s.text("Next: retrytax reconcile"+db, "  ", normal)
	default:
		s.text("Next: retrytax report --period "+s.lastMonth()+db, "  ", normal)
	}
}

// lastMonth is the month of the newest charge.
func (s statusPage) lastMonth() string {
	var newest time.Time
	for _, h := range s.x.Held {
		if h.Role == "charges" && h.To.After(newest) {
			newest = h.To
		}
	}
	return newest.Format("2006-01")
}
