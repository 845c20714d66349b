package ui

import (
	"strings"

	"github.com/shopspring/decimal"
)

// bar draws part of whole to scale in eighths of a character, at most width wide. What is
// more than nothing gets at least one eighth.
func bar(part, whole decimal.Decimal, width int) string {
	if width < 1 || !part.IsPositive() || !whole.IsPositive() {
		return ""
	}
	eighths := part.Mul(decimal.NewFromInt(int64(8*width))).DivRound(whole, 0).IntPart()
	eighths = min(max(eighths, 1), int64(8*width))
	text := strings.Repeat("█", int(eighths/8))
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return text
}
