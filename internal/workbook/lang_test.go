package workbook

import (
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
