package workbook

import (
	"fmt"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"retrytax/internal/cost"
	"retrytax/internal/report"
)

// scenario is a column of the sheet What-if: the model with one remedy, or with all.
type scenario struct {
	title   string
	remedy  *report.ProjectRemedy // nil: as it is
	effect  *report.RemedyEffect
	applies bool
}

var remedyTitles = map[string]string{
	cost.Idempotency: "Idempotency keys", cost.StatusFirst: "Status first", cost.SDKRetriesOff: "SDK retries off",
	cost.FewerRetries: "Fewer retries", cost.LongerTimeout: "Longer timeout", cost.Streaming: "Streaming",
}

// writeWhatIf writes the remedies side by side, each recomputed from the parameters of the Cost model.
func (b *builder) writeWhatIf(m *model) error {
	widths := []float64{44}
	for range len(m.r.Remedies) + 2 {
		widths = append(widths, 17)
	}
	sh, err := b.newSheet(layout{name: b.t(whatIfSheet), widths: widths})
	if err != nil {
		return err
	}
	w := &whatIf{model: &model{sheet: sh, r: m.r, at: m.at, rates: m.rates, layers: m.layers, steps: m.steps, places: m.places}}
	w.put(26, textOf(kindTitle, b.t("What each remedy would save")))
	w.put(0, textOf(kindText, b.t("Shaded cells may be changed; the other parameters are those of the sheet Cost model. Amounts are in %s.", b.t(currencyText(m.r.Currency)))))
	w.inputs()
	w.columns()
	return w.end()
}

type whatIf struct {
	*model
	cell map[string]string // inputs of the remedies
}

// inputs are the remedies' own parameters.
func (w *whatIf) inputs() {
	w.cell = map[string]string{}
	w.section("Parameters of the remedies", "Parameter", ">Value", "Basis")
	for i := range w.r.Chosen {
		c := &w.r.Chosen[i]
		basis := textOf(kindAside, w.t(basisText(c.Basis)))
		in := func(name, label string, k kind, v decimal.Decimal) {
			w.cell[name] = fmt.Sprintf("$B$%d", w.row+1)
			w.put(0, text(w.t(label)), numberOf(k, v), basis)
		}
		switch c.Kind {
		case cost.Idempotency:
			in("c", "Idempotency: share, by money, of vendors that honour keys", kindInputShare, c.Coverage)
			in("s", "Idempotency: share of executions that run on", kindInputShare, c.RunsOn)
		case cost.StatusFirst:
			in("q", "Status first: share, by money, that finishes in time", kindInputShare, c.Share)
		case cost.FewerRetries:
			in("r", w.t("Fewer retries: of layer %s at most", c.Layer), kindInput, decimal.NewFromInt(int64(c.Retries)))
		case cost.LongerTimeout:
			in("a", "Longer timeout: share of timeouts avoided", kindInputShare, c.Share)
		case cost.Streaming:
			in("b", "Streaming: share of timeouts avoided", kindInputShare, c.Share)
			const label = "Streaming: billed part of what is still cut"
			if c.HasPartial {
				in("gs", label, kindInputShare, c.Partial)
				continue
			}
			w.cell["gs"] = fmt.Sprintf("$B$%d", w.row+1)
			w.put(0, text(w.t(label)), computed(kindInputShare, w.onModel(w.at["g"]), w.r.Params.Partial, 0), textOf(kindAside, w.t("as g, unless another value is put here")))
		}
	}
}

func basisText(basis string) string {
	return map[string]string{report.BasisGiven: "given", report.BasisMeasured: "measured", report.BasisAtBest: "at best: nobody measured it",
		report.BasisAssumed: "assumed: nobody measured it"}[basis]
}

// columns are the scenarios: effective parameters, results, and below them the table of Pₖ.
func (w *whatIf) columns() {
	list := []scenario{{title: "As it is", applies: true}}
	for i := range w.r.Remedies {
		e := &w.r.Remedies[i]
		list = append(list, scenario{remedyTitles[e.Remedy], &w.r.Chosen[i], e, e.Applies})
	}
	list = append(list, scenario{title: "All together", effect: &w.r.Together, applies: true})
	titles := []string{""}
	for _, s := range list {
		titles = append(titles, ">"+s.title)
	}
	w.section("The model with each remedy", titles...)
	params := make([]cost.Params, len(list))
	days := make([]cost.Projection, len(list))
	for i, s := range list {
		params[i] = w.scenarioParams(s)
		var err error
		if days[i], err = cost.Project(params[i]); err != nil && w.err == nil {
			w.err = err
		}
	}
	if w.err != nil {
		return
	}
	first := w.row + 1
	line := func(label string, k kind, each func(i int, column string) (string, decimal.Decimal)) {
		cells := []value{text(w.t(label))}
		for i := range list {
			formula, v := each(i, columnName(i+2))
			cells = append(cells, computed(k, formula, v, w.places))
		}
		w.put(0, cells...)
	}
	const rowFactor, rowM, rowG, rowH, rowKept, rowSum, rowLast = 0, 1, 2, 3, 4, 5, 6
	at := func(column string, row int) string { return fmt.Sprintf("%s$%d", column, first+row) }
	top := first + 14 + 3
	bottom := top + w.steps - 1
	line("p is times", kindPlain, func(i int, _ string) (string, decimal.Decimal) { return w.factor(list[i]) })
	line("M", kindWhole, func(i int, _ string) (string, decimal.Decimal) {
		return w.scenarioM(list[i]), decimal.NewFromInt(int64(days[i].Executions))
	})
	line("g", kindPlain, func(i int, _ string) (string, decimal.Decimal) {
		if w.has(list[i], cost.Streaming) {
			return w.cell["gs"], params[i].Partial
		}
		return w.onModel(w.at["g"]), params[i].Partial
	})
	line("h", kindPlain, func(i int, _ string) (string, decimal.Decimal) {
		if w.has(list[i], cost.SDKRetriesOff) {
			return "0", params[i].Hidden
		}
		return w.onModel(w.at["h"]), params[i].Hidden
	})
	line("Share of the excess that is left", kindPlain, func(i int, _ string) (string, decimal.Decimal) {
		return w.kept(list[i]), params[i].Kept
	})
	line("Σ Pₖ for k < M", kindPlain, func(i int, c string) (string, decimal.Decimal) {
		sum, _ := sumsOf(days[i])
		return fmt.Sprintf(`SUMIF($A$%d:$A$%d,"<"&%s,%s$%d:%s$%d)`, top, bottom, at(c, rowM), c, top, c, bottom), sum
	})
	line("P_M", kindPlain, func(i int, c string) (string, decimal.Decimal) {
		_, last := sumsOf(days[i])
		return fmt.Sprintf(`SUMIF($A$%d:$A$%d,%s,%s$%d:%s$%d)`, top, bottom, at(c, rowM), c, top, c, bottom), last
	})
	line("Retry extra a day", kindMoney, func(i int, c string) (string, decimal.Decimal) {
		return excessFormula(sheetRef(w.t(costSheet)), w.at, at(c, rowSum), at(c, rowLast), at(c, rowM), at(c, rowG), at(c, rowH), at(c, rowKept)), days[i].Excess
	})
	line("Paid, never answered, a day", kindMoney, func(i int, c string) (string, decimal.Decimal) {
		return fmt.Sprintf("%s*%s*%s*%s*%s*%s", w.onModel(w.at["N"]), w.onModel(w.at["ut"]), at(c, rowG), w.onModel(w.at["f"]), at(c, rowM), at(c, rowLast)), days[i].Undelivered
	})
	line("Leaves a month, extra and never answered", kindStrong, func(i int, c string) (string, decimal.Decimal) {
		return fmt.Sprintf("(%s+%s)*%s", at(c, 7), at(c, 8), w.onModel(w.at["days"])), cost.Over(days[i].Waste(), w.r.Days)
	})
	line("Saves a month", kindStrong, func(i int, c string) (string, decimal.Decimal) {
		return fmt.Sprintf("%s-%s", at("$B", 9), at(c, 9)), cost.Over(days[0].Waste().Sub(days[i].Waste()), w.r.Days)
	})
	line("Saves a year", kindMoney, func(i int, c string) (string, decimal.Decimal) {
		return fmt.Sprintf("(%s+%s-%s-%s)*%d", at("$B", 7), at("$B", 8), at(c, 7), at(c, 8), cost.DaysAYear), cost.Over(days[0].Waste().Sub(days[i].Waste()), cost.DaysAYear)
	})
	line("Calls lost a day", kindPlain, func(i int, c string) (string, decimal.Decimal) {
		return w.onModel(w.at["N"]) + "*" + at(c, rowLast), days[i].Lost
	})
	w.row++
	w.section("Pₖ: the first k executions all time out", titles...)
	if w.row+1 != top && w.err == nil {
		w.err = fmt.Errorf("the table begins in row %d, expected %d", w.row+1, top)
	}
	w.shares(list, days, func(column string) (factor, executions string) { return at(column, rowFactor), at(column, rowM) })
}

// shares is the table of Pₖ of every scenario.
func (w *whatIf) shares(list []scenario, days []cost.Projection, at func(column string) (factor, executions string)) {
	all := make([][]decimal.Decimal, len(days))
	for i := range days {
		all[i] = cost.TimedOutShares(days[i])
	}
	for k := 1; k <= w.steps; k++ {
		cells := []value{numberOf(kindWhole, decimal.NewFromInt(int64(k)))}
		for i := range list {
			c := columnName(i + 2)
			before := "1"
			if k > 1 {
				before = fmt.Sprintf("%s$%d", c, w.row)
			}
			factor, executions := at(c)
			v := decimal.Zero
			if k <= len(all[i]) {
				v = all[i][k-1]
			}
			cells = append(cells, computed(kindPlain, fmt.Sprintf("IF($A$%d<=%s,%s*%s*%s,0)", w.row+1, executions, before, w.onModel(w.rates[min(k, len(w.rates))-1]), factor), v, 0))
		}
		w.put(0, cells...)
	}
}

func (w *whatIf) onModel(cell string) string { return sheetRef(w.t(costSheet)) + cell }

func columnName(n int) string {
	name, err := excelize.ColumnNumberToName(n)
	if err != nil {
		panic(err) // not reached: there are ten columns
	}
	return "$" + name
}

// has tells whether a scenario contains a remedy.
func (w *whatIf) has(s scenario, kind string) bool {
	if s.remedy != nil {
		return s.remedy.Kind == kind
	}
	return s.effect != nil && w.r.InTogether(kind)
}

// scenarioParams is what the tool computes with.
func (w *whatIf) scenarioParams(s scenario) cost.Params {
	p := w.r.Params
	for _, c := range w.r.Chosen {
		if w.has(s, c.Kind) {
			p = c.Apply(p)
		}
	}
	return p
}

// factor is what p is multiplied with.
func (w *whatIf) factor(s scenario) (string, decimal.Decimal) {
	formula, v := "1", decimal.New(1, 0)
	for _, c := range w.r.Chosen {
		name := map[string]string{cost.LongerTimeout: "a", cost.Streaming: "b"}[c.Kind]
		if name != "" && w.has(s, c.Kind) {
			formula += "*(1-" + w.cell[name] + ")"
			v = v.Mul(decimal.New(1, 0).Sub(c.Share))
		}
	}
	return formula, v
}

// kept is the share of the excess that is left.
func (w *whatIf) kept(s scenario) string {
	formula := w.onModel(w.at["kept"])
	if w.has(s, cost.Idempotency) {
		formula += "*(1-" + w.cell["c"] + "*" + w.cell["s"] + ")"
	}
	if w.has(s, cost.StatusFirst) {
		formula += "*(1-" + w.cell["q"] + ")"
	}
	return formula
}

// scenarioM is M without the retries that a remedy takes away.
func (w *whatIf) scenarioM(s scenario) string {
	change := map[string]string{}
	for i, l := range w.r.Params.Layers {
		retries := w.onModel(w.layers[i])
		if l.Name == "sdk" && w.has(s, cost.SDKRetriesOff) {
			retries = "0"
		}
		for _, c := range w.r.Chosen {
			if c.Kind == cost.FewerRetries && c.Layer == l.Name && w.has(s, cost.FewerRetries) {
				retries = "MIN(" + retries + "," + w.cell["r"] + ")"
			}
		}
		change[w.layers[i]] = "(1+" + retries + ")"
	}
	return w.executions("", change)
}
