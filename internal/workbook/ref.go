package workbook

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/xuri/excelize/v2"
)

// ref is where the rows of a table stand, in one sheet or, where there are too many, in several.
type ref struct {
	rows    int
	parts   []span
	letters map[string]string // of the columns, by their keys: "E"
}

// span are the rows of one sheet, header excluded.
type span struct {
	sheet       string
	first, last int
}

// newRef lays n rows out over the sheets that begin with name.
func newRef(b *builder, name string, n int) ref {
	r := ref{rows: n, letters: map[string]string{}}
	room := b.maxRows - 1
	for part := 1; n > 0; part++ {
		here := min(n, room)
		r.parts = append(r.parts, span{partName(name, part), 2, 1 + here})
		n -= here
	}
	return r
}

// partName is the name of a sheet: "Evidence", "Evidence (2)".
func partName(name string, part int) string {
	if part == 1 {
		return name
	}
	return fmt.Sprintf("%s (%d)", name, part)
}

// plainCode is a currency or a book that may stand in a formula. Any other text of the data never
// gets into one.
var plainCode = regexp.MustCompile(`^[A-Za-z0-9_-]{1,16}$`)

// sum is a formula for the sum of a column over the rows of a book and currency, and of those for
// which further columns hold what is given ("place", ">0"). It is false where there is no such formula:
// no rows, no such column, or a currency that is no code.
func (r ref) sum(key, book, currency string, further ...string) (string, bool) {
	if !plainCode.MatchString(currency) || !plainCode.MatchString(book) {
		return "", false
	}
	conditions := []string{"currency", quoted(currency)}
	if _, ok := r.letters["book"]; ok { // the tables of an invoice have none
		conditions = []string{"book", quoted(book), "currency", quoted(currency)}
	}
	for i := 0; i+1 < len(further); i += 2 {
		conditions = append(conditions, further[i], quoted(further[i+1]))
	}
	return r.sumWhere(key, conditions...)
}

func quoted(s string) string { return `"` + s + `"` }

// sumWhere is a formula for the sum of a column over the rows in which other columns, by their keys, are what
// is given: a text in quotes, or a cell. It is false where there are no rows or no such column.
func (r ref) sumWhere(key string, conditions ...string) (string, bool) {
	column, ok := r.letters[key]
	if !ok || len(r.parts) == 0 {
		return "", false
	}
	var sums []string
	for _, p := range r.parts {
		f := "SUMIFS(" + p.cells(column)
		for i := 0; i+1 < len(conditions); i += 2 {
			f += fmt.Sprintf(`,%s,%s`, p.cells(r.letters[conditions[i]]), conditions[i+1])
		}
		sums = append(sums, f+")")
	}
	return strings.Join(sums, "+"), true
}

// cells are the cells of a column of a sheet: 'By day'!$E$2:$E$32.
func (p span) cells(column string) string {
	return fmt.Sprintf("%s$%s$%d:$%s$%d", sheetRef(p.sheet), column, p.first, column, p.last)
}

// sheetRef is a sheet's name as formulas write it.
func sheetRef(name string) string { return "'" + strings.ReplaceAll(name, "'", "''") + "'!" }

func columnLetters(n int) string {
	name, err := excelize.ColumnNumberToName(n)
	if err != nil {
		panic(err) // not reached: tables have some thirty columns
	}
	return name
}
