package workbook

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"

	"retrytax/internal/words"
)

// TestChineseHasEverySentence writes all sheets in Chinese and hears of what the catalogue lacks.
func TestChineseHasEverySentence(t *testing.T) {
	var missing []string
	words.Missing = func(english string) {
		if !slices.Contains(missing, english) {
			missing = append(missing, english)
		}
	}
	defer func() { words.Missing = nil }()
	wb := october(t)
	written(t, wb, func(o *Options) { o.Lang = words.Chinese })
	invoiceFile(t, invoiced(t), words.Chinese, 0)
	for _, r := range projected(t) {
		if err := WriteProjection(context.Background(), io.Discard, r, Options{Lang: words.Chinese}); err != nil {
			t.Fatal(err)
		}
	}
	for _, list := range [][]term{verdictTerms, ledgerTerms, otherTerms} {
		for _, x := range list {
			words.Chinese.T(x.name)
			words.Chinese.T(x.meaning)
		}
	}
	for _, m := range missing {
		// What is Chinese already was put together from parts; codes and signs are the same in both.
		if strings.TrimSpace(m) != "" && !strings.ContainsFunc(m, func(r rune) bool { return unicode.Is(unicode.Han, r) }) && len([]rune(m)) > 3 {
			t.Errorf("zh.yaml lacks %q", m)
		}
	}
}

// codes are the columns that hold codes: formulas, filters and the user's file of states go by them, and logs write them.
var codes = []string{"Book", "State", "Outcome", "Stage reached", "Format", "Finish reason"}

// TestChineseHasNoEnglishWord walks the cells of Chinese workbooks: none holds a word of the catalogue in English.
func TestChineseHasNoEnglishWord(t *testing.T) {
	books := map[string][]byte{"report": written(t, october(t), func(o *Options) { o.Lang = words.Chinese }), "invoice": invoiceFile(t, invoiced(t), words.Chinese, 0)}
	for name, r := range projected(t) {
		var b bytes.Buffer
		if err := WriteProjection(context.Background(), &b, r, Options{Lang: words.Chinese}); err != nil {
			t.Fatal(err)
		}
		books[name] = b.Bytes()
	}
	cells := 0
	for name, data := range books {
		f := opened(t, data)
		for _, sheet := range f.GetSheetList() {
			rows, err := f.GetRows(sheet)
			if err != nil {
				t.Fatal(err)
			}
			var skip []int
			for y, row := range rows {
				for x, shown := range row {
					if slices.ContainsFunc(codes, func(c string) bool { return shown == words.Chinese.T(c) }) {
						skip = append(skip, x)
					}
					cells++
					if chinese, ok := words.Sentences()[shown]; ok && chinese != shown && !slices.Contains(skip, x) {
						t.Errorf("%s: %s!%s says %q, expected %q", name, sheet, cellName(x+1, y+1), shown, chinese)
					}
				}
			}
		}
	}
	if cells < 500 {
		t.Errorf("found %d cells, expected whole workbooks", cells)
	}
}
