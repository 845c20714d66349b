package ui

import (
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
	s.text("retrytax status · "+Clean(x.Database)+" · "+sizeText(x.Bytes)+" · "+s.t("times in UTC, days in %s", short(x.Zone)), "  ", bold)
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
		s.item(s.t("and %s more %s (--json lists all)", count(int64(n-statusLines)), what), "  ", dim)
	}
}

func (s statusPage) held() {
	s.heading(s.t("What it holds"))
	if s.x.Pruned != nil {
		s.item(s.t("rows before %s were pruned; their reports are kept", s.x.Pruned.Format(minuteFormat)), "  ", normal)
	}
	if len(s.x.Held) == 0 {
		s.item(s.t("nothing yet"), "  ", yellow)
		return
	}
	t := table{cols: []column{{title: ""}, {title: s.t("provider"), min: 8}, {title: s.t("key"), min: 6}, {title: s.t("rows"), right: true}, {title: s.t("billed"), right: true}, {title: s.t("from … to")}}}
	for _, h := range s.x.Held[:min(len(s.x.Held), statusLines)] {
		side, money := s.t("log"), ""
		switch h.Role {
		case "charges":
			side, money = s.t(h.Book), h.Currency+" "+s.unknownOr(h.Amount)
		case "bills":
			if side = s.t("totals"); h.Amount != "" {
				money = h.Currency + " " + Amount(h.Amount)
			}
		}
		t.add(side, orDash(h.Provider), orDash(h.APIKey), count(h.Rows), money, fromTo(h.From, h.To))
	}
	t.write(s.page)
	s.more(len(s.x.Held), s.t("providers and keys"))
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
	s.heading(s.t("Days that are missing"))
	if len(s.x.Missing) == 0 {
		s.item(s.t("none between the first and the last day"), "  ", normal)
	}
	for _, m := range s.x.Missing[:min(len(s.x.Missing), statusLines)] {
		days := m.From
		if m.To != m.From {
			days += " … " + m.To + " (" + s.tn(m.Days, "%s day", "%s days") + ")"
		}
		what := s.t("no log")
		switch {
		case m.Side == "bill" && m.Provider != "":
			what = s.t("no bill of %s", short(m.Provider))
		case m.Side == "bill":
			what = s.t("no bill")
		case m.Provider != "":
			what = s.t("no log of %s", short(m.Provider))
		}
		s.item(what+": "+days, "  ", yellow)
	}
	s.more(len(s.x.Missing), s.t("gaps"))
}

func (s statusPage) settled() {
	s.heading(s.t("What is settled"))
	if !s.x.Reconciled {
		s.item(s.t("nothing is judged yet"), "  ", yellow)
		return
	}
	for _, b := range s.x.Settled {
		text := orDash(b.Provider) + ", " + s.t(b.Book) + ": " + s.t("%s of %s", count(b.Settled), s.tn(b.Lines, "%s charge line", "%s charge lines"))
		if b.OpenFrom != nil {
			text += s.t("; open from %s on", b.OpenFrom.Format(minuteFormat))
		}
		s.item(text, "  ", normal)
	}
}

func (s statusPage) waiting() {
	s.heading(s.t("What waits for reconcile"))
	if len(s.x.Waiting)+len(s.x.OtherConfig) == 0 {
		s.item(s.t("nothing"), "  ", normal)
	}
	if n := len(s.x.OtherConfig); n > 0 {
		s.item(s.t("everything: the verdicts were made with another configuration"), "  ", yellow)
		for _, text := range s.x.OtherConfig[:min(n, statusLines)] {
			s.item(Clean(s.lang.Of(text)), "    ", yellow)
		}
		s.more(n, s.t("settings"))
	}
	for _, w := range s.x.Waiting {
		rows := s.tn(w.Rows, "%s attempt", "%s attempts")
		if w.Role == "charges" {
			rows = s.tn(w.Rows, "%s charge line", "%s charge lines")
		}
		s.item(rows+" "+s.t(w.Change)+", "+fromTo(w.From, w.To), "  ", yellow)
	}
}

func (s statusPage) runs() {
	s.heading(s.t("Last runs"))
	t := table{cols: []column{{title: s.t("run"), right: true}, {title: s.t("command")}, {title: s.t("at")}, {title: s.t("files"), right: true}, {title: s.t("new"), right: true},
		{title: s.t("known"), right: true}, {title: s.t("rejected"), right: true}, {title: s.t("inputs"), min: 10, drop: true}}}
	for _, r := range s.x.Runs {
		command := r.Command
		if r.State != "done" {
			command += " (" + s.t(r.State) + ")"
		}
		if r.Files == 0 {
			t.add(count(r.Run), command, r.StartedAt.Format(minuteFormat), "", "", "", "", "")
			continue
		}
		t.add(count(r.Run), command, r.StartedAt.Format(minuteFormat), count(r.Files), count(r.Loaded), count(r.Known), count(r.Rejected), s.inputsText(r.Inputs))
	}
	t.write(s.page)
}

// inputsText names the first two files of a run.
func (s statusPage) inputsText(names []string) string {
	var shown []string
	for _, n := range names[:min(len(names), 2)] {
		shown = append(shown, short(n))
	}
	text := strings.Join(shown, ", ")
	if len(names) > 2 {
		text += s.t(" and %d more", len(names)-2)
	}
	return text
}

func (s statusPage) rejects() {
	if len(s.x.Rejects) == 0 {
		return
	}
	s.heading(s.t("Lines that could not be read"))
	for _, r := range s.x.Rejects {
		s.item(s.t("%s, run %d: %s; line %d: %s", short(r.File), r.Run, s.tn(r.Rows, "%s line", "%s lines"), r.Line, Clean(r.Reason)), "  ", yellow)
	}
}

func (s statusPage) reports() {
	if len(s.x.Reports) == 0 {
		return
	}
	s.heading(s.t("Reports that are kept"))
	for _, r := range s.x.Reports {
		state := s.t("open")
		if r.Closed {
			state = s.t("closed")
		}
		s.item(s.t("%s, %s: %s, run %d", short(r.Period), short(r.Zone), state, r.Run), "  ", normal)
	}
}

// next is what to do now: the first thing that is missing.
func (s statusPage) next() {
	s.blank()
	db := " --db " + Clean(s.x.Database) + ConfigFlag(s.x.ConfigFile)
	switch {
	case len(s.x.Held) == 0:
		s.text(s.t("Next: %s", "retrytax ingest FILES…"+db), "  ", normal)
	case len(s.x.Waiting)+len(s.x.OtherConfig) > 0 || !s.x.Reconciled:
		s.text(s.t("Next: %s", "retrytax reconcile"+db), "  ", normal)
	default:
		period := ""
		if month := s.lastMonth(); month != "" {
			period = " --period " + month
		}
		s.text(s.t("Next: %s", "retrytax report"+period+db), "  ", normal)
	}
}

// lastMonth is the month of the newest charge in the report's zone, "" where there is none.
func (s statusPage) lastMonth() string {
	var newest time.Time
	for _, h := range s.x.Held {
		if h.Role == "charges" && h.To.After(newest) {
			newest = h.To
		}
	}
	if newest.IsZero() {
		return ""
	}
	zone, err := time.LoadLocation(s.x.Zone)
	if err != nil {
		zone = time.UTC
	}
	return newest.In(zone).Format("2006-01")
}
