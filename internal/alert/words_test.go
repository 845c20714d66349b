package alert

import (
	"testing"

	"retrytax/internal/words"
)

// TestCatalogueHasEveryWord: the messages are said in Chinese whole.
func TestCatalogueHasEveryWord(t *testing.T) {
	words.Missing = func(english string) { t.Errorf("zh.yaml lacks %q", english) }
	defer func() { words.Missing = nil }()
	if w := vocabularyOf(Chinese); len(w.titles) < 7 || w.comma != "、" {
		t.Errorf("%+v", w)
	}
}
