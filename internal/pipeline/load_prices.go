package pipeline

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/prices"
	"retrytax/internal/source"
	"retrytax/internal/store"
)

// findPriceLists finds the price lists among the files and tells the others that there are some.
func findPriceLists(files []File, o Options) {
	priced := false
	for i := range files {
		if files[i].roleBy(o) == "" && source.IsPriceList(files[i].Input) {
			files[i].Role = source.Prices
		}
		priced = priced || files[i].roleBy(o) == source.Prices
	}
	for i := range files {
		files[i].Input.Priced = priced
	}
}

// landPrices loads a price list under the number no. The same list under another name is
// known. The error is a *source.Error: a list that does not parse stops the run.
func landPrices(ctx context.Context, s *store.Store, no int, f File) error {
	l, err := prices.Read(f.Input)
	if err != nil {
		return err
	}
	again, err := s.Int(ctx, "SELECT count(*) FROM src_files WHERE sha256 = ?", l.SHA256)
	if err != nil {
		return err
	}
	loaded, known := l.Rows-l.Ignored, int64(0)
	if again > 0 {
		loaded, known = 0, loaded
	} else if err := insertPrices(ctx, s, no, l.Prices); err != nil {
		return err
	}
	line := fileLine{no: no, loaded: loaded, known: known}
	return line.note(ctx, s, f, source.Recognised{Role: source.Prices, Format: l.Format},
		source.Stats{SHA256: l.SHA256, Rows: l.Rows, Ignored: l.Ignored, Bytes: l.Bytes})
}

// insertPrices writes them a few hundred a statement: a list has thousands.
func insertPrices(ctx context.Context, s *store.Store, no int, list []prices.Price) error {
	for len(list) > 0 {
		n := min(len(list), 500)
		rows := make([]string, n)
		for i, p := range list[:n] {
			rows[i] = fmt.Sprintf("(%d, %d, %s, %s, %s, %d, %s, %s, %s, %s, %s, %s, %s, %s)", no, p.Line, text(p.Provider), text(p.Model), text(p.Tier), p.Above,
				at(p.Since), at(p.Until), text(p.Currency), money(p.Input), money(p.CachedInput), money(p.CacheWrite), money(p.Output), money(p.Reasoning))
		}
		if err := s.Exec(ctx, "INSERT INTO src_prices VALUES "+strings.Join(rows, ", ")); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

func text(v string) string {
	if v == "" {
		return "NULL"
	}
	return store.Literal(v)
}

func at(t time.Time) string {
	if t.IsZero() {
		return "NULL"
	}
	return "TIMESTAMP '" + stamp(t) + "'"
}

func money(d *decimal.Decimal) string {
	if d == nil {
		return "NULL"
	}
	return "CAST('" + d.String() + "' AS DECIMAL(38,12))"
}

// priceCharges gives charges without an amount what a list says: those of the files from first
// on, or all where a list is among these. The notes are sentences for the user.
func priceCharges(ctx context.Context, s *store.Store, first int) (notes []string, err error) {
	lists, err := s.Int(ctx, "SELECT count(*) FROM src_prices WHERE file_no >= ?", first)
	if err != nil {
		return nil, err
	}
	if lists > 0 {
		first = 0
	}
	if err := setVariables(ctx, s, map[string]string{"priced_from": number(int64(first))}); err != nil {
		return nil, err
	}
	if err := runSteps(ctx, s, "49_src_listed.sql"); err != nil {
		return nil, err
	}
	n, err := s.Int(ctx, "SELECT count(*) FROM src_listed WHERE amount IS NULL")
	if n > 0 {
		notes = append(notes, source.Counted(n, "charge line names no amount, and the prices listed for it differ", "charge lines name no amount, and the prices listed for them differ")+
			" (of two lists, or of two providers): what is not certain stays unknown; give one list alone, or name the provider")
	}
	return notes, err
}
