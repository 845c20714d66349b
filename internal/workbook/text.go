package workbook

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxCellUnits is the longest text that a cell holds, in UTF-16 code units, as Excel counts.
const maxCellUnits = 32767

// cleanText makes s fit to stand in a cell. Characters that XML forbids are replaced by ones
// that can be seen (a NUL by ␀, broken UTF-8 by U+FFFD), and a text that is too long for a
// cell is cut with a mark that says so. Everything else survives as it is.
func cleanText(s string) string {
	if isPlain(s) {
		return s
	}
	return cutText(strings.Map(visible, strings.ToValidUTF8(s, string(utf8.RuneError))))
}

// isPlain says of nearly all texts that nothing has to be done: printable ASCII that fits.
func isPlain(s string) bool {
	if len(s) > maxCellUnits {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// visible maps a rune that XML 1.0 forbids to one that it allows.
func visible(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return r
	case r < 0x20:
		return 0x2400 + r // the control pictures stand in the same order
	case r == 0xFFFE || r == 0xFFFF:
		return utf8.RuneError
	}
	return r
}

func cutText(s string) string {
	if len(s) <= maxCellUnits { // bytes are never fewer than UTF-16 units
		return s
	}
	units := utf16Len(s)
	if units <= maxCellUnits {
		return s
	}
	mark := fmt.Sprintf(" … [cut: %d characters in all]", units)
	room, kept := maxCellUnits-utf16Len(mark), 0
	for i, r := range s {
		if kept += utf16Units(r); kept > room {
			return s[:i] + mark
		}
	}
	return s
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n += utf16Units(r)
	}
	return n
}

func utf16Units(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// looksLikeFormula says whether a spreadsheet would take s for a formula if a person typed
// it. Such a cell is text all the same; it gets Excel's quote prefix, so that it stays text
// when somebody edits it.
func looksLikeFormula(s string) bool {
	return s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0
}
