package workbook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"retrytax/internal/cost"
	"retrytax/internal/report"
)

// The sheets of the cost model.
const (
	costSheet   = "Cost model"
	whatIfSheet = "What-if"
)

// WriteProjection writes a workbook of the cost model alone: Cost model and What-if.
func WriteProjection(ctx context.Context, w io.Writer, r *report.Projection, opts Options) (err error) {
	if r == nil {
		return errors.New("workbook: no projection to write")
	}
	b := &builder{ctx: ctx, wb: &report.Workbook{Projection: r}, opts: opts, zone: time.UTC, maxRows: excelMaxRows, title: title, file: excelize.NewFile()}
	defer func() { err = errors.Join(err, b.file.Close()) }()
	if b.styles, err = newStyles(b.file); err == nil {
		err = b.writeCostModel()
	}
	if err != nil {
		return fmt.Errorf("workbook: %w", err)
	}
	return b.finish(w, "retrytax: "+b.t("what retries cost, and what would help"))
}

// model is the sheet Cost model while it is written: parameters are input cells, all else is live formulas whose
// cached values are what the tool computed.
type model struct {
	*sheet
	err    error
	r      *report.Projection
	at     map[string]string // cells of the parameters, "$B$7"
	rates  []string          // cells of p₁, p₂ …
	layers []string          // cells of the layers' retries
	steps  int               // rows of the table of Pₖ
	places int
}

// writeCostModel writes the two sheets, or one sentence where there is nothing to compute with.
func (b *builder) writeCostModel() error {
	r := b.wb.Projection
	if r == nil && b.wb.NoProjection == "" {
		return nil
	}
	sh, err := b.newSheet(layout{name: b.t(costSheet), widths: []float64{44, 18, 18, 18, 60}})
	if err != nil {
		return err
	}
	m := &model{sheet: sh, r: r, at: map[string]string{}}
	m.put(26, textOf(kindTitle, b.t("What retries cost")))
	if r == nil {
		m.put(0, textOf(kindText, b.t("The cost model is %s. retrytax project takes what is missing as a flag.", b.opts.Lang.Of(b.wb.NoProjection))))
		return m.end()
	}
	m.places = placesOf(r.ExtraPerDay, r.UndeliveredPerDay)
	if d := m.r.Day.Base; d.GreaterThan(decimal.New(100, 0)) {
		m.places = minPlaces
	}
	// Room for twice as many executions as there are, so that a layer can be changed.
	m.steps = min(max(2*r.MaxExecutions, 16), cost.MaxExecutions)
	m.put(0, textOf(kindText, b.t("Change a shaded cell: everything below it, and the sheet What-if, follows. Amounts are in %s.", b.t(currencyText(r.Currency)))))
	for _, w := range r.Warnings { // what the numbers leave out, such as other currencies
		m.put(0, textOf(kindText, b.opts.Lang.Of(w.Text)))
	}
	m.parameters()
	m.results()
	m.table()
	if err := m.end(); err != nil {
		return err
	}
	return b.writeWhatIf(m)
}

func currencyText(code string) string {
	if code == "XXX" {
		return "the currency of the unit cost"
	}
	return code
}

func (m *model) put(height float64, cells ...value) {
	if m.err == nil {
		m.err = m.add(cells, height)
	}
}

func (m *model) section(name string, titles ...string) {
	m.row++
	m.put(20, textOf(kindSection, m.t(name)))
	if len(titles) == 0 {
		return
	}
	cells := make([]value, len(titles))
	for i, t := range titles {
		cells[i] = textOf(kindHeader, m.t(strings.TrimPrefix(t, ">")))
		if strings.HasPrefix(t, ">") {
			cells[i].kind = kindHeaderRight
		}
	}
	m.put(20, cells...)
}

func (m *model) t(english string, args ...any) string { return m.b.t(english, args...) }

func (m *model) end() error {
	if m.err != nil {
		return m.err
	}
	return m.close()
}

// input is a parameter that may be changed.
func (m *model) input(name, label string, k kind, v decimal.Decimal, note string) string {
	cell := fmt.Sprintf("$B$%d", m.row+1)
	m.at[name] = cell
	m.put(m.heightFor(m.t(note)), text(m.t(label)), numberOf(k, v), blank, blank, textOf(kindNote, m.t(note)))
	return cell
}

// follows is a parameter that takes another cell's value until it is changed.
func (m *model) follows(name, label string, k kind, cell string, v decimal.Decimal, note string) {
	m.at[name] = fmt.Sprintf("$B$%d", m.row+1)
	m.put(m.heightFor(m.t(note)), text(m.t(label)), computed(k, cell, v, 0), blank, blank, textOf(kindNote, m.t(note)))
}

// heightFor is the height of a row whose last column holds the text, in as many lines as it takes.
func (m *model) heightFor(note string) float64 {
	if lines := linesFor(note, m.layout.widths[4]*1.25); lines > 1 {
		return float64(lines)*lineHeight + 3
	}
	return 0
}

// numberOf is a decimal in a numeric cell.
func numberOf(k kind, v decimal.Decimal) value {
	return value{kind: k, number: roundForCell(v), numeric: true}
}

// computed is a formula and what the tool computed for it.
func computed(k kind, formula string, v decimal.Decimal, places int) value {
	out := numberOf(k, v)
	out.formula = formula
	if hasPlaces(k) {
		out.places = places
	}
	return out
}

// parameters are the input cells.
func (m *model) parameters() {
	p := m.r.Params
	m.section("Parameters", "Parameter", ">Value", "", "", "What it is, and where it is from")
	m.input("N", "N: calls a day", kindInput, p.Requests, m.basis(cost.NameRequests, 0, "Calls a day."))
	for k, t := range p.Timeout {
		label := m.t("p%d: attempt %d times out", k+1, k+1)
		if k == len(p.Timeout)-1 && k > 0 {
			label = m.t("p%d: attempt %d and all later ones time out", k+1, k+1)
		}
		name, note := cost.NameTimeout, "Share of calls whose first execution times out."
		if k > 0 {
			name, note = cost.NameRepeat, "The same, given that those before timed out."
		}
		m.rates = append(m.rates, m.input(fmt.Sprintf("p%d", k+1), label, kindInputShare, t, m.basis(name, k, note)))
	}
	m.input("f", "f: the server had started", kindInputShare, p.Started, m.basis(cost.NameStarted, 0, "Share of timed-out executions that are billed."))
	m.input("u", "u: an answer costs", kindInput, p.UnitCost, m.basis(cost.NameUnitCost, 0, m.t("Mean cost of an answer, %s a call.", m.r.Currency)))
	const longLabel = "u of calls that time out"
	if p.TimedOutCost.Valid {
		m.input("ut", longLabel, kindInput, p.TimedOutCost.Decimal, m.basis(cost.NameTimedOut, 0, m.t("The same of the calls that time out, the long ones, %s a call.", m.r.Currency)))
	} else {
		m.follows("ut", longLabel, kindInput, m.at["u"], p.UnitCost, "The same of the calls that time out, the long ones; as u, unless another value is put here.")
	}
	m.input("g", "g: billed part of an abandoned execution", kindInputShare, p.Partial, m.basis(cost.NamePartial, 0, "In money, of the answer of the same call; above 100 % where what was abandoned ran longer."))
	m.input("h", "h: hidden retries, of N × u", kindInputShare, p.Hidden, "What executions that no log line shows cost, as a share of the bill without retries.")
	m.input("kept", "Share of the excess that is left", kindInputShare, p.Kept, "Below 100 % where vendors answer retries from the first execution, or are asked first.")
	for _, l := range p.Layers {
		m.layers = append(m.layers, m.input("layer "+l.Name, m.t("Retries of layer %s", l.Name), kindInput, decimal.NewFromInt(int64(l.Retries)), "Beyond the first try; layers multiply."))
	}
	m.input("days", "Days a month", kindInput, decimal.NewFromInt(int64(m.r.Days)), "A year has 365.")
}

// basis is a note, with the measured interval where there is one.
func (m *model) basis(name string, place int, note string) string {
	for _, u := range m.r.Uncertain {
		if u.Param == name && u.Place == place {
			low, high := u.Low, u.High
			unit := ""
			if name == cost.NameTimeout || name == cost.NameRepeat || name == cost.NameStarted || name == cost.NamePartial {
				low, high, unit = low.Shift(2).Round(2), high.Shift(2).Round(2), " %"
			}
			return m.t(note) + m.t(" Measured; 95 %% interval %s … %s.", low.String()+unit, high.String()+unit)
		}
	}
	return m.t(note)
}

// executions is M as a formula over the layers' cells; change replaces some of them.
func (m *model) executions(prefix string, change map[string]string) string {
	if len(m.layers) == 0 {
		return "1"
	}
	parts := make([]string, len(m.layers))
	for i, cell := range m.layers {
		parts[i] = "(1+" + prefix + cell + ")"
		if c, ok := change[cell]; ok {
			parts[i] = c
		}
	}
	return strings.Join(parts, "*")
}

// results are the model's amounts a day, a month and a year.
func (m *model) results() {
	d, at := m.r.Day, m.at
	first := m.row + 4 + 12 + 3 // of the table of Pₖ, which stands below: see table
	top, bottom := first, first+m.steps-1
	m.section("Result", "", ">A day", ">A month", ">A year", "How it is computed")
	row := func(label string, k kind, formula string, v decimal.Decimal, money bool, note string) string {
		cell := fmt.Sprintf("$B$%d", m.row+1)
		cells := []value{text(m.t(label)), computed(k, formula, v, m.places), blank, blank, textOf(kindNote, m.t(note))}
		if money {
			cells[2] = computed(k, fmt.Sprintf("%s*%s", cell, at["days"]), cost.Over(v, m.r.Days), m.places)
			cells[3] = computed(k, fmt.Sprintf("%s*%d", cell, cost.DaysAYear), cost.Over(v, cost.DaysAYear), m.places)
		}
		m.put(m.heightFor(m.t(note)), cells...)
		return cell
	}
	sum, last := sumsOf(d)
	at["M"] = row("M: executions of one call at most", kindWhole, m.executions("", nil), decimal.NewFromInt(int64(d.Executions)), false, "Product of 1 + retries over the layers.")
	at["sum"] = row("Σ Pₖ for k < M", kindPlain, fmt.Sprintf(`SUMIF($A$%d:$A$%d,"<"&%s,$C$%d:$C$%d)`, top, bottom, at["M"], top, bottom), sum, false, "From the table below.")
	at["last"] = row("P_M: share of calls that nothing answers", kindPlain, fmt.Sprintf(`SUMIF($A$%d:$A$%d,%s,$C$%d:$C$%d)`, top, bottom, at["M"], top, bottom), last, false, "From the table below.")
	base := row("Bill without retries", kindMoney, at["N"]+"*"+at["u"], d.Base, true, "N × u")
	excess := row("Retry extra", kindStrong, excessFormula("", at, at["sum"], at["last"], at["M"], at["g"], at["h"], at["kept"]), d.Excess, true, "(N × uₜ × g × f × (Σ Pₖ − (M − 1) × P_M) + N × u × h) × share left")
	undelivered := row("Paid, never answered", kindMoney, fmt.Sprintf("%s*%s*%s*%s*%s*%s", at["N"], at["ut"], at["g"], at["f"], at["M"], at["last"]), d.Undelivered, true, "N × uₜ × g × f × M × P_M")
	missing := row("Answers that never came", kindMoney, base+"*"+at["last"], d.Base.Sub(d.Delivered), true, "N × u × P_M")
	row("Bill with retries", kindStrong, fmt.Sprintf("%s+%s+%s-%s", base, excess, undelivered, missing), d.Total(), true, "Without retries + extra + never answered − answers that never came")
	overpay, _ := d.Overpay()
	row("Retry extra, share of the bill without", kindShare, fmt.Sprintf("IF(%s=0,0,%s/%s)", base, excess, base), overpay, false, "")
	row("Calls lost", kindPlain, at["N"]+"*"+at["last"], d.Lost, false, "N × P_M, a day")
	row("The simple formula, N × p × f × u", kindMoney, fmt.Sprintf("%s*%s*%s*%s", at["N"], m.rates[0], at["f"], at["u"]), cost.Documented(m.r.Params), true, "One retry, which succeeds and is billed in full.")
	m.check(at["M"])
	if m.row+3 != first-1 && m.err == nil {
		m.err = fmt.Errorf("the table would begin in row %d, expected %d", m.row+4, first)
	}
}

// check says whether the table below reaches far enough for M.
func (m *model) check(executions string) {
	m.put(0, textOf(kindText, m.t("Check: the table below is long enough for M")), value{kind: kindCheck,
		formula: fmt.Sprintf(`IF(%s>%d,"%s","%s")`, executions, m.steps, m.t("TOO MANY EXECUTIONS"), m.t("long enough")), text: m.t("long enough")})
}

// excessFormula is the retry extra a day.
func excessFormula(prefix string, at map[string]string, sum, last, executions, g, h, kept string) string {
	return fmt.Sprintf("(%[1]s%[2]s*%[1]s%[3]s*%[4]s*%[1]s%[5]s*(%[6]s-(%[7]s-1)*%[8]s)+%[1]s%[2]s*%[1]s%[9]s*%[10]s)*%[11]s",
		prefix, at["N"], at["ut"], g, at["f"], sum, executions, last, at["u"], h, kept)
}

// sumsOf are Σ_{k<M} Pₖ and P_M of a projection.
func sumsOf(d cost.Projection) (sum, last decimal.Decimal) {
	last = decimal.New(1, 0)
	for _, p := range cost.TimedOutShares(d) {
		last = p
	}
	return d.PerCall.Sub(decimal.New(1, 0)), last
}

// table is Pₖ, row by row.
func (m *model) table() {
	m.section("Timeouts in a row", "k", ">pₖ", ">Pₖ", "", "pₖ: the k-th execution times out if those before did; Pₖ: all of the first k do")
	shares := cost.TimedOutShares(m.r.Day)
	for k := 1; k <= m.steps; k++ {
		row, before := m.row+1, "1"
		if k > 1 {
			before = fmt.Sprintf("$C$%d", m.row)
		}
		p := m.r.Params.Timeout[min(k, len(m.r.Params.Timeout))-1]
		all := decimal.Zero
		if k <= len(shares) {
			all = shares[k-1]
		}
		m.put(0, numberOf(kindWhole, decimal.NewFromInt(int64(k))), computed(kindPlain, m.rates[min(k, len(m.rates))-1], p, 0),
			computed(kindPlain, fmt.Sprintf("IF($A$%d<=%s,%s*$B$%d,0)", row, m.at["M"], before, row), all, 0))
	}
}
