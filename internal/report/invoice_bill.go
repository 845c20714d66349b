package report

import (
	"cmp"
	"database/sql"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"retrytax/internal/cost"
)

// What the started fraction was measured by.
const (
	ByTokens   = "tokens"
	ByAmount   = "amount"
	ByRequests = "requests"
)

// billCell is one period of one model: the vendor's totals and what the log says of the same.
type billCell struct {
	day                                             string
	m                                               BillModel
	amount, answeredCost, abandonedCost             decimal.NullDecimal
	rounding                                        decimal.Decimal
	rated, cachedInFull, cachedTwice, reasonedTwice decimal.NullDecimal
	abandonedInput, untold                          int64
}

// againstLog reads the vendor's totals beside the log, and measures what the abandoned requests cost.
func (r *reader) againstLog(v *Invoice) {
	var cells []billCell
	b := &BillAgainstLog{Models: []BillModel{}, Days: []BillDay{}, Notes: []string{}}
	logged := int64(0)
	r.each(`SELECT provider, model_key, currency, time_text(since), time_text(until), requests, input, output, amount, rated, rated_cached_in_full, rated_cached_twice, rated_reasoning_twice,
			logged, answered, abandoned, failed, untold, answered_input, answered_output, answered_cost, abandoned_input, abandoned_cost, money_text(rounding)
		FROM (SELECT * REPLACE (money_text(amount) AS amount, money_text(rated) AS rated, money_text(rated_cached_in_full) AS rated_cached_in_full, money_text(rated_cached_twice) AS rated_cached_twice,
			money_text(rated_reasoning_twice) AS rated_reasoning_twice, money_text(answered_cost) AS answered_cost, money_text(abandoned_cost) AS abandoned_cost) FROM rpt_bill_cells)
		ORDER BY provider, model_key, currency, since, until`, func(q *sql.Rows) error {
		var c billCell
		var d BillDay
		var requests, input, output sql.NullInt64
		var amount, rated, full, twice, reasoned, answered, abandoned, rounding Money
		err := q.Scan(&c.m.Provider, &c.m.Model, &c.m.Currency, &d.From, &d.To, &requests, &input, &output, &amount, &rated, &full, &twice, &reasoned,
			&c.m.Logged, &c.m.Answered, &c.m.Abandoned, &c.m.Failed, &c.untold, &c.m.AnsweredInput, &c.m.AnsweredOut, &answered, &c.abandonedInput, &abandoned, &rounding)
		c.m.Requests, c.m.Input, c.m.Output = whole(requests), whole(input), whole(output)
		c.amount, c.rated, c.cachedInFull, c.cachedTwice, c.reasonedTwice = known(amount), known(rated), known(full), known(twice), known(reasoned)
		c.answeredCost, c.abandonedCost = known(answered), known(abandoned)
		c.rounding = decimalOf(rounding)
		c.day = d.From[:min(10, len(d.From))]
		d.Provider, d.Model, d.Requests, d.Logged, d.Answered, d.Abandoned, d.Input = c.m.Provider, c.m.Model, c.m.Requests, c.m.Logged, c.m.Answered, c.m.Abandoned, c.m.Input
		d.Amount, d.Cost = amount, answered
		logged += c.m.Logged
		cells, b.Days = append(cells, c), append(b.Days, d)
		return err
	})
	if r.err != nil || len(cells) == 0 || logged == 0 {
		return
	}
	b.models(cells)
	b.measure(cells)
	v.Bill = b
}

func whole(n sql.NullInt64) *int64 {
	if !n.Valid {
		return nil
	}
	return &n.Int64
}

func known(m Money) decimal.NullDecimal {
	d, err := decimal.NewFromString(string(m))
	return decimal.NullDecimal{Decimal: d, Valid: err == nil && m != ""}
}

// models sums the periods of each model.
func (b *BillAgainstLog) models(cells []billCell) {
	for i := 0; i < len(cells); {
		n := i
		for n < len(cells) && cells[n].m.Provider == cells[i].m.Provider && cells[n].m.Model == cells[i].m.Model && cells[n].m.Currency == cells[i].m.Currency {
			n++
		}
		s := sumCells(cells[i:n])
		s.diagnose()
		b.Models = append(b.Models, s.m)
		i = n
	}
	slices.SortStableFunc(b.Models, func(x, y BillModel) int {
		return cmp.Or(cmp.Compare(x.Provider, y.Provider), cmp.Compare(x.Model, y.Model), cmp.Compare(x.Currency, y.Currency))
	})
}

// sumCells adds periods; a sum of which a part is unknown is unknown. A count that no period with requests in the log lacks is known.
func sumCells(cells []billCell) billCell {
	s := billCell{m: BillModel{Provider: cells[0].m.Provider, Model: cells[0].m.Model, Currency: cells[0].m.Currency}}
	money := []struct {
		sum *decimal.NullDecimal
		of  func(billCell) decimal.NullDecimal
	}{
		{&s.amount, func(c billCell) decimal.NullDecimal { return c.amount }}, {&s.answeredCost, func(c billCell) decimal.NullDecimal { return c.answeredCost }},
		{&s.abandonedCost, func(c billCell) decimal.NullDecimal { return c.abandonedCost }}, {&s.rated, func(c billCell) decimal.NullDecimal { return c.rated }},
		{&s.cachedInFull, func(c billCell) decimal.NullDecimal { return c.cachedInFull }}, {&s.cachedTwice, func(c billCell) decimal.NullDecimal { return c.cachedTwice }},
		{&s.reasonedTwice, func(c billCell) decimal.NullDecimal { return c.reasonedTwice }},
	}
	for _, m := range money {
		m.sum.Valid = true
		for _, c := range cells {
			x := m.of(c)
			m.sum.Valid = m.sum.Valid && x.Valid
			m.sum.Decimal = m.sum.Decimal.Add(x.Decimal)
		}
	}
	s.m.Requests = addCounts(cells, func(m BillModel) *int64 { return m.Requests })
	s.m.Input, s.m.Output = addCounts(cells, func(m BillModel) *int64 { return m.Input }), addCounts(cells, func(m BillModel) *int64 { return m.Output })
	for _, c := range cells {
		s.m.Logged, s.m.Answered, s.m.Abandoned, s.m.Failed = s.m.Logged+c.m.Logged, s.m.Answered+c.m.Answered, s.m.Abandoned+c.m.Abandoned, s.m.Failed+c.m.Failed
		s.m.AnsweredInput, s.m.AnsweredOut = s.m.AnsweredInput+c.m.AnsweredInput, s.m.AnsweredOut+c.m.AnsweredOut
		s.rounding = s.rounding.Add(c.rounding)
		s.abandonedInput, s.untold = s.abandonedInput+c.abandonedInput, s.untold+c.untold
	}
	if s.m.Requests != nil {
		n := max(*s.m.Requests-s.m.Logged, 0)
		s.m.Hidden = &n
	}
	s.lend()
	return s
}

// lend gives the hidden retries the mean cost of what was abandoned, else of an answer.
func (s *billCell) lend() {
	if s.m.Hidden == nil || *s.m.Hidden == 0 || !s.abandonedCost.Valid {
		return
	}
	switch hidden := decimal.NewFromInt(*s.m.Hidden); {
	case s.m.Abandoned > 0:
		s.abandonedCost.Decimal = s.abandonedCost.Decimal.Add(s.abandonedCost.Decimal.Mul(hidden).DivRound(decimal.NewFromInt(s.m.Abandoned), 12))
	case s.m.Answered > 0 && s.answeredCost.Valid:
		s.abandonedCost.Decimal = s.answeredCost.Decimal.Mul(hidden).DivRound(decimal.NewFromInt(s.m.Answered), 12)
	default:
		s.abandonedCost.Valid = false
	}
}

// addCounts adds what the periods tell. Costs to the end of a month beside counts to its twentieth would else be held against all of
// the log: nil where the log has requests in a period that tells nothing.
func addCounts(cells []billCell, of func(BillModel) *int64) (sum *int64) {
	for _, c := range cells {
		n := of(c.m)
		if n == nil && c.m.Logged > 0 {
			return nil
		}
		sum = plus(sum, n)
	}
	return sum
}

func plus(a, b *int64) *int64 {
	if b == nil {
		return a
	}
	n := *b
	if a != nil {
		n += *a
	}
	return &n
}

// diagnose goes down the tree: quantity, then formula, then price.
func (s *billCell) diagnose() {
	m := &s.m
	if s.amount.Valid {
		m.Amount = Money(s.amount.Decimal.String())
	}
	if s.answeredCost.Valid {
		m.AnsweredCost = Money(s.answeredCost.Decimal.String())
	}
	if s.abandonedCost.Valid {
		m.AbandonedCost = Money(s.abandonedCost.Decimal.String())
	}
	if s.rated.Valid && m.Input != nil {
		m.Rated = Money(s.rated.Decimal.String())
	}
	if s.amount.Valid && s.answeredCost.Valid {
		gap := s.amount.Decimal.Sub(s.answeredCost.Decimal)
		m.Gap = Money(gap.String())
		if s.abandonedCost.Valid {
			m.Unexplained = Money(decimal.Max(decimal.Zero, gap.Sub(s.abandonedCost.Decimal)).String())
		}
	}
	rated := s.rated.Valid && m.Input != nil && m.Output != nil && s.amount.Valid
	// Beyond the rounding of its lines, a ten-thousandth is let pass: another kind of rounding.
	near := func(x decimal.NullDecimal) bool {
		return x.Valid && x.Decimal.Sub(s.amount.Decimal).Abs().LessThanOrEqual(decimal.Max(s.amount.Decimal.Abs().Div(decimal.New(10000, 0)), s.rounding))
	}
	switch {
	case rated && !near(s.rated) && near(s.cachedTwice):
		m.Diagnosis, m.Text = "formula", "the amount counts cached tokens twice: as cached and within the whole input"
	case rated && !near(s.rated) && near(s.cachedInFull):
		m.Diagnosis, m.Text = "formula", "the amount asks the full price for cached tokens"
	case rated && !near(s.rated) && near(s.reasonedTwice):
		m.Diagnosis, m.Text = "formula", "the amount counts reasoning tokens twice"
	case rated && !near(s.rated):
		m.Diagnosis, m.Text = "price", fmt.Sprintf("the list asks %s for the tokens on the bill: another price, tier or discount", m.Rated)
	case m.Input != nil && *m.Input > m.AnsweredInput:
		m.Diagnosis, m.Text = "quantity", fmt.Sprintf("%s of input on the bill are of no answer in the log", shareText(*m.Input-m.AnsweredInput, *m.Input))
	case m.Input != nil && *m.Input < m.AnsweredInput:
		m.Diagnosis, m.Text = "quantity", fmt.Sprintf("the log has %s more input in answers than the bill: is the bill of all keys and days?", shareText(m.AnsweredInput-*m.Input, m.AnsweredInput))
	}
}

func shareText(part, of int64) string {
	return decimal.NewFromInt(part*100).DivRound(decimal.NewFromInt(max(of, 1)), 1).StringFixed(1) + " %"
}

// measure estimates the started fraction from the periods, clustered by the day.
func (b *BillAgainstLog) measure(cells []billCell) {
	hidden, counted := b.hidden()
	if counted {
		b.Hidden = &hidden
	}
	tokens, money, requests := clusters(cells, byTokens), clusters(cells, byAmount), clusters(cells, byRequests)
	switch {
	case tokens != nil:
		b.Basis = ByTokens
		b.Started = b.estimate(tokens)
	case money != nil:
		b.Basis = ByAmount
		b.Started = b.estimate(money)
		b.Notes = append(b.Notes, "the bill tells no tokens, so that this is the started fraction times the part of an answer that an abandoned request is billed")
	case requests != nil:
		b.Basis = ByRequests
		b.Started = b.estimate(requests)
		b.Notes = append(b.Notes, "the vendor counts fewer requests than the log shows: it seems to count what it began, and hidden retries cannot be told from it")
	default:
		b.Notes = append(b.Notes, "the started fraction is not measurable: the bill needs tokens by kind, or an amount and a price list, and the log an attempt that was abandoned")
	}
	switch {
	case b.partly(cells):
		b.Notes = append(b.Notes, "the bill counts the requests of a part of its periods only: the hidden retries of such a model are unknown")
	case !counted && b.Basis != "":
		b.Notes = append(b.Notes, "the bill counts no requests: hidden retries, if there are any, count as started")
	}
	untold := int64(0)
	for _, c := range cells {
		untold += c.untold
	}
	if untold > 0 {
		b.Notes = append(b.Notes, fmt.Sprintf("%d answers in the log tell no tokens and were taken at the mean of their model", untold))
	}
	b.Notes = append(b.Notes, "all traffic of these keys is taken to be in the log: what another program sends under them counts as hidden retries, or as started")
}

// partly tells whether the bill counts the requests of some model in some of the periods that the log has, and not in others.
func (b *BillAgainstLog) partly(cells []billCell) bool {
	return slices.ContainsFunc(b.Models, func(m BillModel) bool {
		return m.Requests == nil && slices.ContainsFunc(cells, func(c billCell) bool {
			return c.m.Requests != nil && c.m.Provider == m.Provider && c.m.Model == m.Model && c.m.Currency == m.Currency
		})
	})
}

// hidden sums the models' hidden retries.
func (b *BillAgainstLog) hidden() (n int64, counted bool) {
	for _, m := range b.Models {
		if m.Hidden != nil && m.Logged > 0 {
			n, counted = n+*m.Hidden, true
		}
	}
	return n, counted
}

// estimate is the ratio of the clusters. More than one is no share: then other traffic is on the bill.
func (b *BillAgainstLog) estimate(days []cost.Hour) Estimate {
	part, of := decimal.Zero, decimal.Zero
	for _, d := range days {
		part, of = part.Add(d.Part), of.Add(d.Whole)
	}
	e := shownEstimate(cost.Ratio(days, !part.IsNegative() && part.LessThanOrEqual(of)))
	switch {
	case part.GreaterThan(of):
		b.Notes = append(b.Notes, "more is billed than all abandoned requests explain: other traffic is on the bill, or the log lacks lines")
	case part.IsNegative():
		e.Value, e.Low, e.High = nil, nil, nil // no share is below nothing
		b.Notes = append(b.Notes, "less is billed than the answers in the log: the bill lacks days or keys that the log has")
	}
	switch {
	case e.Value != nil && e.Low == nil:
		b.Notes = append(b.Notes, "the days are too few, or too unlike, for an interval")
	case e.Few:
		b.Notes = append(b.Notes, fmt.Sprintf("the interval rests on %d days and is a hint, not a proof (20 or more are)", e.Hours))
	}
	return e
}

// basis is what of a cell was paid for without an answer, of how much, and of how many requests; false where it does not tell.
type basis func(billCell) (part, of decimal.Decimal, n int64, ok bool)

// requestsOf counts what was abandoned, the hidden retries included; they are signed, so that the edges of days cancel.
func (c billCell) requestsOf() int64 {
	n := c.m.Abandoned
	if c.m.Requests != nil {
		n += *c.m.Requests - c.m.Logged
	}
	return n
}

func byTokens(c billCell) (part, of decimal.Decimal, n int64, ok bool) {
	if c.m.Input == nil {
		return part, of, 0, false
	}
	of = decimal.NewFromInt(c.abandonedInput)
	n = c.requestsOf()
	if hidden := n - c.m.Abandoned; hidden != 0 {
		mean, answers := c.abandonedInput, c.m.Abandoned
		if c.m.Abandoned < 5 { // too few to be a mean
			mean, answers = c.abandonedInput+c.m.AnsweredInput, c.m.Abandoned+c.m.Answered
		}
		of = of.Add(decimal.NewFromInt(mean).Mul(decimal.NewFromInt(hidden)).DivRound(decimal.NewFromInt(max(answers, 1)), 6))
	}
	return decimal.NewFromInt(*c.m.Input - c.m.AnsweredInput), of, n, true
}

func byAmount(c billCell) (part, of decimal.Decimal, n int64, ok bool) {
	if !c.amount.Valid || !c.answeredCost.Valid || !c.abandonedCost.Valid {
		return part, of, 0, false
	}
	of, n = c.abandonedCost.Decimal, c.requestsOf()
	if hidden := n - c.m.Abandoned; hidden != 0 {
		mean, answers := of, c.m.Abandoned
		if c.m.Abandoned < 5 {
			mean, answers = of.Add(c.answeredCost.Decimal), c.m.Abandoned+c.m.Answered
		}
		of = of.Add(mean.Mul(decimal.NewFromInt(hidden)).DivRound(decimal.NewFromInt(max(answers, 1)), 12))
	}
	return c.amount.Decimal.Sub(c.answeredCost.Decimal), of, n, true
}

func byRequests(c billCell) (part, of decimal.Decimal, n int64, ok bool) {
	if c.m.Requests == nil || *c.m.Requests >= c.m.Logged {
		return part, of, 0, false
	}
	return decimal.NewFromInt(*c.m.Requests - (c.m.Logged - c.m.Abandoned)), decimal.NewFromInt(c.m.Abandoned), c.m.Abandoned, true
}

// clusters sums the cells of the models that the log shows by the day; nil where the basis does not tell of all of them, or nothing was abandoned.
func clusters(cells []billCell, of basis) []cost.Hour {
	shown := map[[2]string]bool{}
	for _, c := range cells {
		shown[[2]string{c.m.Provider, c.m.Model}] = shown[[2]string{c.m.Provider, c.m.Model}] || c.m.Logged > 0
	}
	days := map[string]*cost.Hour{}
	var order []string
	n := int64(0)
	for _, c := range cells {
		if !shown[[2]string{c.m.Provider, c.m.Model}] {
			continue
		}
		part, whole, k, ok := of(c)
		if !ok {
			return nil
		}
		if days[c.day] == nil {
			days[c.day] = &cost.Hour{}
			order = append(order, c.day)
		}
		d := days[c.day]
		d.Part, d.Whole, d.Observations = d.Part.Add(part), d.Whole.Add(whole), d.Observations+max(k, 0)
		n += k
	}
	if n <= 0 {
		return nil
	}
	slices.Sort(order)
	out := make([]cost.Hour, len(order))
	for i, day := range order {
		out[i] = *days[day]
	}
	return out
}
