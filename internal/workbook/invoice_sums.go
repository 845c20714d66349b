package workbook

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
)

// invoiceSum is what a provider, a model or a day has on both sides.
type invoiceSum struct {
	name                      string
	invoiced, charged, beside decimal.Decimal
	lines, charges            int64
	differing                 int64 // places that differ
	unknown                   bool  // an amount of the charges is not known
	twin                      bool  // another one differs by upper and lower case only
}

func (s *invoiceSum) difference() decimal.Decimal { return s.invoiced.Sub(s.charged).Sub(s.beside) }

func (s *invoiceSum) add(c *report.InvoiceCell, invoiced, charged, beside decimal.Decimal) {
	s.invoiced, s.charged, s.beside = s.invoiced.Add(invoiced), s.charged.Add(charged), s.beside.Add(beside)
	s.lines, s.charges = s.lines+c.InvoiceLines, s.charges+c.Charges
	switch c.State {
	case report.InvoiceEqual, report.InvoiceRounded, "beside":
	case "unknown":
		s.unknown = true
		s.differing++
	default:
		s.differing++
	}
}

// invoiceBlock is one currency: it is never added to another.
type invoiceBlock struct {
	currency                  string
	all                       invoiceSum
	providers, models, byDate []*invoiceSum
	amounts                   []report.Money // for the decimals that are shown
}

// sumInvoice adds up the places of the comparison by currency, and within it by provider, model and day.
func sumInvoice(x *report.InvoiceBook) ([]*invoiceBlock, error) {
	var blocks []*invoiceBlock
	at := map[string]*invoiceSum{}
	find := func(list *[]*invoiceSum, kind, currency, name string) *invoiceSum {
		key := kind + "\x00" + currency + "\x00" + name
		if at[key] == nil {
			at[key] = &invoiceSum{name: name}
			*list = append(*list, at[key])
		}
		return at[key]
	}
	err := x.Cells.Each(func(c *report.InvoiceCell) error {
		i := slices.IndexFunc(blocks, func(b *invoiceBlock) bool { return b.currency == c.Currency })
		if i < 0 {
			i = len(blocks)
			blocks = append(blocks, &invoiceBlock{currency: c.Currency})
		}
		b := blocks[i]
		invoiced, charged, beside, err := cellAmounts(c)
		if err != nil {
			return err
		}
		for _, s := range []*invoiceSum{&b.all, find(&b.providers, "p", c.Currency, c.Provider), find(&b.models, "m", c.Currency, c.Model), find(&b.byDate, "d", c.Currency, c.Day)} {
			s.add(c, invoiced, charged, beside)
		}
		return nil
	})
	for _, b := range blocks {
		for _, list := range [][]*invoiceSum{b.providers, b.models, b.byDate} {
			slices.SortFunc(list, func(x, y *invoiceSum) int { return cmp.Compare(x.name, y.name) })
			seen := map[string]*invoiceSum{}
			for _, s := range list {
				fold := strings.ToLower(s.name)
				if first := seen[fold]; first != nil {
					first.twin, s.twin = true, true
				}
				seen[fold] = s
				b.amounts = append(b.amounts, moneyText(s.invoiced), moneyText(s.charged), moneyText(s.difference()))
			}
		}
	}
	return blocks, err
}

// cellAmounts are both sides of a place, and what of the invoice is a tax that no charge tells.
func cellAmounts(c *report.InvoiceCell) (invoiced, charged, beside decimal.Decimal, err error) {
	if invoiced, err = parseMoney(orZero(c.Invoiced)); err != nil {
		return
	}
	if charged, err = parseMoney(orZero(c.Charged)); err == nil && c.State == "beside" {
		beside = invoiced
	}
	return
}

func orZero(m report.Money) report.Money { return report.Money(cmp.Or(string(m), "0")) }

func moneyText(d decimal.Decimal) report.Money { return report.Money(d.String()) }
