package ui

import (
	"io"
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/cost"
	"retrytax/internal/report"
)

// projection is one run of WriteProjection.
type projection struct {
	*page
	r *report.Projection
}

// WriteProjection prints a projection for a person who decides: the sentence that matters,
// the bill with and without retries, what each remedy would save, and where the numbers are from.
func WriteProjection(w io.Writer, r *report.Projection, written []string, opts Options) error {
	width := opts.Width
	if width == 0 {
		width = 80
	}
	p := &projection{page: &page{width: min(max(width, 60), 120), colour: opts.Color, lang: opts.Lang}, r: r}
	p.head()
	if r.Measured != nil {
		p.measured(r.Measured)
	}
	p.bill()
	p.remedies()
	if r.Sweep != nil {
		p.sweep(r.Sweep)
	}
	if len(r.Tornado) > 0 {
		p.tornado(r.Tornado)
	}
	if r.Simulation != nil {
		p.simulation(r.Simulation)
	}
	for _, x := range r.Warnings {
		p.blank()
		p.marked(cell{"! ", yellow}, Clean(p.lang.Of(x.Text)), "  ", normal)
	}
	if len(written) > 0 {
		p.blank()
		p.text(p.t("written: %s", Clean(strings.Join(written, ", "))), "", dim)
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

func (p *projection) head() {
	r := p.r
	p.text("retrytax project · "+p.t("what retries cost, and what would help"), "", bold)
	p.text(p.assumptions(), "", dim)
	p.blank()
	st := red
	if isZero(r.ExtraPerDay) && isZero(r.UndeliveredPerDay) {
		st = green
	}
	text := p.t("Retries cost %s a month beside the answers", cash(r.Currency, r.ExtraPerMonth))
	if r.Overpay != nil {
		text += p.t(": %s of the bill without them", percentOf(*r.Overpay))
	}
	if !isZero(r.UndeliveredPerMonth) {
		text += p.t("; calls that nothing answers cost %s more", cash(r.Currency, r.UndeliveredPerMonth))
	}
	p.text(text, "", st)
}

// assumptions is "10 000 calls a day at USD 1.00 each; 5 % time out …".
func (p *projection) assumptions() string {
	v := p.r.Parameters
	rates := make([]string, len(v.Timeout))
	for i, t := range v.Timeout {
		rates[i] = percentOf(t)
	}
	text := p.t("%s calls a day at %s each; %s time out", number(v.Requests), money(p.r.Currency, v.UnitCost), rates[0])
	if len(rates) > 1 && !allZero(v.Timeout[1:]) {
		text += p.t(", of the repeats %s", strings.Join(rates[1:], p.t(", then ")))
	}
	text += p.t("; the server had started %s of these", percentOf(v.Started))
	if v.Partial != "1" {
		text += p.t(", and bills %s of an answer for each", percentOf(v.Partial))
	}
	layers := make([]string, len(v.Layers))
	for i, l := range v.Layers {
		layers[i] = short(l.Name) + " " + p.tn(int64(l.Retries), "%s retry", "%s retries")
	}
	return text + p.t("; %s: one call is executed up to %s", strings.Join(layers, " × "), p.tn(int64(p.r.MaxExecutions), "%s time", "%s times"))
}

func allZero(rates []string) bool {
	for _, r := range rates {
		if r != "0" {
			return false
		}
	}
	return true
}

// bill is what a day, a month and a year cost.
func (p *projection) bill() {
	r := p.r
	p.heading(p.t("The bill, %s", currencyName(r.Currency)))
	days := p.t("a month (%s days)", itoaUI(r.Days))
	tab := table{cols: []column{{min: 24}, {title: p.t("a day"), right: true}, {title: days, right: true}, {title: p.t("a year"), right: true}, {title: p.t("share"), right: true, drop: true}}}
	rows := []struct {
		name             string
		day, month, year report.Money
		share            string
		style            style
	}{
		{p.t("without retries"), r.BasePerDay, r.BasePerMonth, r.BasePerYear, "100.0" + string(noBreak) + "%", normal},
		{p.t("+ retry extra"), r.ExtraPerDay, r.ExtraPerMonth, r.ExtraPerYear, share(r.ExtraPerDay, r.BasePerDay), red},
		{p.t("+ paid, never answered"), r.UndeliveredPerDay, r.UndeliveredPerMonth, r.UndeliveredPerYear, share(r.UndeliveredPerDay, r.BasePerDay), normal},
		{p.t("− answers that never came"), less(r.BasePerDay, r.DeliveredPerDay), less(r.BasePerMonth, overDays(r.DeliveredPerDay, r.Days)),
			less(r.BasePerYear, overDays(r.DeliveredPerDay, cost.DaysAYear)), share(less(r.BasePerDay, r.DeliveredPerDay), r.BasePerDay), normal},
		{p.t("= with retries"), r.TotalPerDay, r.TotalPerMonth, r.TotalPerYear, share(r.TotalPerDay, r.BasePerDay), bold},
	}
	var day, month, year []report.Money
	for _, x := range rows {
		day, month, year = append(day, x.day), append(month, x.month), append(year, x.year)
	}
	for i, x := range rows {
		if i == 3 && isZero(x.day) { // every answer came
			continue
		}
		tab.rows = append(tab.rows, []cell{{x.name, x.style}, {aligned(x.day, day), x.style}, {aligned(x.month, month), x.style},
			{aligned(x.year, year), x.style}, {x.share, dim}})
	}
	tab.write(p.page)
	p.item(p.t("calls lost: %s a day; executions of one call: %s on average, %s at worst", number(r.CallsLostPerDay), shortNumber(r.PerCall, 3), itoaUI(r.MaxExecutions)), "  ", dim)
	if !sameMoney(r.Documented, r.ExtraPerDay) {
		p.item(p.t("the simple formula, N × p × f × u, says %s a day", cash(r.Currency, r.Documented)), "  ", dim)
	}
}

var remedyNames = map[string]string{
	cost.Idempotency:   "idempotency keys",
	cost.StatusFirst:   "ask for the status first",
	cost.SDKRetriesOff: "SDK retries off",
	cost.FewerRetries:  "fewer retries",
	cost.LongerTimeout: "longer read timeout",
	cost.Streaming:     "streaming, idle timeouts",
	"together":         "all together",
}

// remedies is what each leaves and saves a month, alone and together.
func (p *projection) remedies() {
	r := p.r
	p.heading(p.t("Remedies, %s a month (of what is paid for nothing: extra and never answered)", currencyName(r.Currency)))
	tab := table{cols: []column{{}, {title: p.t("leaves"), right: true}, {title: p.t("saves"), right: true}, {title: p.t("calls lost a day"), right: true}}}
	rows := append(append([]report.RemedyEffect{}, r.Remedies...), r.Together)
	var leaves, saves []report.Money
	for _, e := range rows {
		leaves, saves = append(leaves, e.LeavesPerMonth), append(saves, e.SavesPerMonth)
	}
	now := report.Money(cost.Text(cost.Over(r.Day.Waste(), r.Days)))
	tab.rows = append(tab.rows, []cell{{p.t("as it is"), dim}, {aligned(now, append(leaves, now)), dim}, {}, {number(r.CallsLostPerDay), dim}})
	for _, e := range rows {
		st := normal
		if e.Remedy == "together" {
			st = bold
		}
		if !e.Applies {
			tab.rows = append(tab.rows, []cell{{p.t(remedyNames[e.Remedy]), dim}, {"–", dim}, {"–", dim}, {}})
			continue
		}
		tab.rows = append(tab.rows, []cell{{p.t(remedyNames[e.Remedy]), st}, {aligned(e.LeavesPerMonth, append(leaves, now)), st}, {aligned(e.SavesPerMonth, saves), green},
			{number(e.CallsLostPerDay), st}})
	}
	tab.write(p.page)
	for _, e := range rows {
		text := p.t(remedyNames[e.Remedy]) + p.t(": ") + p.lang.Of(e.Formula) + p.condition(e)
		if !e.Applies {
			text = p.t(remedyNames[e.Remedy]) + p.t(": ") + p.nothingToChange(e)
		}
		if e.WaitingHoursPerDay != nil {
			text += p.t("; waits at most %s hours more a day, over all calls", shortNumber(*e.WaitingHoursPerDay, 1))
		}
		if e.Note != "" {
			text += p.t("; ") + Clean(p.lang.Of(e.Note))
		}
		p.item(text, "  ", dim)
	}
}

// condition is what a remedy's number rests on.
func (p *projection) condition(e report.RemedyEffect) string {
	v := e.Parameters
	text := map[string]string{
		cost.Idempotency:   p.t(", c: %s of the money goes to vendors that honour keys, s: %s of executions run on", percentOf(v["coverage"]), percentOf(v["runs_on"])),
		cost.StatusFirst:   p.t(", q: %s of the money finishes within the wait", percentOf(v["share"])),
		cost.FewerRetries:  ", " + short(v["layer"]) + "=" + v["retries"],
		cost.LongerTimeout: p.t(", a: it avoids %s of the timeouts", percentOf(v["avoids"])),
		cost.Streaming:     p.t(", b: it avoids %s of the timeouts", percentOf(v["avoids"])),
	}[e.Remedy]
	switch e.Basis {
	case report.BasisAtBest:
		text += p.t(" (at best)")
	case report.BasisAssumed:
		text += p.t(" (assumed)")
	case report.BasisMeasured:
		text += p.t(" (measured)")
	}
	return text
}

func (p *projection) nothingToChange(e report.RemedyEffect) string {
	switch {
	case e.Remedy == cost.SDKRetriesOff:
		return p.t("no layer named sdk retries")
	case e.Remedy == cost.FewerRetries:
		return p.t("no layer has a retry to spare")
	}
	return p.t("nothing to change")
}

func (p *projection) simulation(s *report.Simulation) {
	p.heading(p.t("How sure is that? %s with the measured uncertainty, seed %s", p.tn(int64(s.Runs), "%s run", "%s runs"), count(int64(s.Seed))))
	p.item(p.t("a month's extra lies above %s in 95 %% of them, above %s in half, above %s in 5 %%", cash(p.r.Currency, s.P5), cash(p.r.Currency, s.P50), cash(p.r.Currency, s.P95)), "  ", normal)
}

func (p *projection) tornado(bars []report.Bar) {
	p.heading(p.t("What matters most: the month's extra, %s, where one parameter alone changes", currencyName(p.r.Currency)))
	tab := table{cols: []column{{}, {title: p.t("from"), right: true}, {title: p.t("to"), right: true}, {title: p.t("extra"), right: true}, {title: p.t("to"), right: true}, {title: p.t("range"), min: 8, drop: true}}}
	var all []report.Money
	for _, b := range bars {
		all = append(all, b.ExtraAtLow, b.ExtraAtHigh)
	}
	for _, b := range bars {
		tab.rows = append(tab.rows, []cell{{short(b.Parameter), normal}, {parameterText(b.Parameter, b.Low), normal}, {parameterText(b.Parameter, b.High), normal},
			{aligned(b.ExtraAtLow, all), normal}, {aligned(b.ExtraAtHigh, all), normal}, {p.lang.Of(b.Basis), dim}})
	}
	tab.write(p.page)
}

// sweep is the grid: with two axes the second goes to the right.
func (p *projection) sweep(s *report.Sweep) {
	p.heading(p.t("What if: the month's extra, %s", currencyName(p.r.Currency)))
	var all []report.Money
	for _, row := range s.Rows {
		all = append(all, row.ExtraPerMonth)
	}
	if len(s.Axes) == 1 {
		tab := table{cols: []column{{title: s.Axes[0].Parameter, right: true}, {title: p.t("extra"), right: true}, {title: p.t("of the bill"), right: true, drop: true}, {title: p.t("calls lost a day"), right: true, drop: true}}}
		for _, row := range s.Rows {
			tab.add(parameterText(s.Axes[0].Parameter, row.Values[0]), aligned(row.ExtraPerMonth, all), optionalPercent(row.Overpay), number(row.CallsLostPerDay))
		}
		tab.write(p.page)
		return
	}
	p.item(p.t("down: %s; to the right: %s", s.Axes[0].Parameter, s.Axes[1].Parameter), "  ", dim)
	cols := []column{{right: true}}
	for _, v := range s.Axes[1].Values {
		cols = append(cols, column{title: parameterText(s.Axes[1].Parameter, v), right: true, drop: true})
	}
	tab := table{cols: cols}
	width := len(s.Axes[1].Values)
	for i, v := range s.Axes[0].Values {
		row := []string{parameterText(s.Axes[0].Parameter, v)}
		for _, x := range s.Rows[i*width : (i+1)*width] {
			row = append(row, aligned(x.ExtraPerMonth, all))
		}
		tab.add(row...)
	}
	if total(tab.fit(1<<20)) > p.width-len(tableIndent) {
		p.item(p.t("columns that do not fit are left out here: --csv, --json and --out have all"), "  ", dim)
	}
	tab.write(p.page)
}

// parameterText shows a value of a parameter as its flag takes it.
func parameterText(name, v string) string {
	switch name {
	case cost.NameTimeout, cost.NameRepeat, cost.NameStarted, cost.NamePartial:
		return percentOf(v)
	case cost.NameUnitCost, cost.NameTimedOut:
		return aligned(report.Money(v), []report.Money{report.Money(v)})
	}
	return number(v)
}

func optionalPercent(s *string) string {
	if s == nil {
		return ""
	}
	return percentOf(*s)
}

// percentOf is a share in percent, with at most two decimals and no zeros at their end.
func percentOf(s string) string {
	d, err := decimal.NewFromString(s)
	if err != nil {
		return unknown
	}
	d = d.Shift(2)
	if d.IsPositive() && d.LessThan(decimal.New(1, -2)) {
		return "<0.01" + string(noBreak) + "%"
	}
	return d.Round(2).String() + string(noBreak) + "%"
}

// number is a count for display, which may have decimals.
func number(s string) string { return shortNumber(s, 2) }

func shortNumber(s string, most int32) string {
	d, err := decimal.NewFromString(s)
	if err != nil {
		return unknown
	}
	if !d.IsZero() && d.Round(most).IsZero() {
		return "<" + decimal.New(1, -most).String()
	}
	whole, fraction, _ := strings.Cut(d.Round(most).String(), ".")
	if fraction != "" {
		fraction = "." + fraction
	}
	if strings.HasPrefix(whole, "-") {
		return "-" + thousands(whole[1:]) + fraction
	}
	return thousands(whole) + fraction
}

// aligned is an amount with as many decimals as the column's values need, of two to four.
func aligned(m report.Money, column []report.Money) string {
	d, ok := value(m)
	if !ok {
		return unknown
	}
	var all []decimal.Decimal
	for _, c := range column {
		if v, ok := value(c); ok {
			all = append(all, v)
		}
	}
	most := int32(2)
	if small(all) {
		most = maxPlaces
	}
	return amount(d, places(most, all...))
}

// small tells whether two decimals would hide the amounts.
func small(all []decimal.Decimal) bool {
	for _, d := range all {
		if d.Abs().GreaterThanOrEqual(decimal.New(1, 0)) {
			return false
		}
	}
	return true
}

func less(a, b report.Money) report.Money {
	x, okX := value(a)
	y, okY := value(b)
	if !okX || !okY {
		return ""
	}
	return report.Money(cost.Text(x.Sub(y)))
}

func overDays(m report.Money, days int) report.Money {
	d, ok := value(m)
	if !ok {
		return ""
	}
	return report.Money(cost.Text(cost.Over(d, days)))
}

// cash is an amount with its currency: to the cent, unless cents would hide it.
func cash(currency string, m report.Money) string {
	return currencyName(currency) + string(noBreak) + aligned(m, []report.Money{m})
}

func itoaUI(n int) string { return count(int64(n)) }
