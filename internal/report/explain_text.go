package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/words"
)

// t is a sentence in the language in which the call is explained.
func (c *ExplainedCall) t(english string, args ...any) string { return c.lang.T(english, args...) }

// span is a duration in that language.
func (c *ExplainedCall) span(ms int64) string { return SpanIn(c.lang, ms) }

// SpanIn is a duration in milliseconds, as a person says it in a language.
func SpanIn(l words.Lang, ms int64) string {
	if l != words.Chinese {
		return SpanMS(ms)
	}
	return strings.NewReplacer(" ms", " 毫秒", " min ", " 分 ", " min", " 分", " h ", " 小时 ", " h", " 小时", " d ", " 天 ", " d", " 天", " s", " 秒").Replace(SpanMS(ms))
}

// Span is a duration as a person says it: 3 ms, 2.5 s, 1 min 30 s, 3 h 20 min, 2 d 3 h.
func Span(d time.Duration) string { return SpanMS(d.Milliseconds()) }

// SpanMS is Span of milliseconds.
func SpanMS(ms int64) string {
	sign := ""
	if ms < 0 {
		sign, ms = "-", -ms
	}
	switch {
	case ms < 1000:
		return fmt.Sprintf("%s%d ms", sign, ms)
	case ms < 120_000:
		s := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%03d", ms/1000, ms%1000), "0"), ".")
		return sign + s + " s"
	case ms < 7_200_000:
		return sign + twoUnits(ms/1000, 60, "min", "s")
	case ms < 172_800_000:
		return sign + twoUnits(ms/60_000, 60, "h", "min")
	}
	return sign + twoUnits(ms/3_600_000, 24, "d", "h")
}

func twoUnits(n, per int64, big, small string) string {
	text := fmt.Sprintf("%d %s", n/per, big)
	if n%per > 0 {
		text += fmt.Sprintf(" %d %s", n%per, small)
	}
	return text
}

func (c *ExplainedCall) number(n *int64) string {
	if n == nil {
		return c.t("an unknown number of")
	}
	return strconv.FormatInt(*n, 10)
}

// percentOf is a part in per cent, to one decimal where it is not whole.
func (c *ExplainedCall) percentOf(part, whole *int64) string {
	if part == nil || whole == nil || *whole <= 0 {
		return c.t("an unknown share")
	}
	p := decimal.NewFromInt(*part*100).DivRound(decimal.NewFromInt(*whole), 1)
	return strings.TrimSuffix(p.StringFixed(1), ".0") + " %"
}

func isZeroMoney(m Money) bool {
	d, err := decimal.NewFromString(string(m))
	return err != nil || d.IsZero()
}

// brief is text from the data within a sentence: no longer than the sentence bears.
func brief(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}
