package source

import (
	"fmt"
	"strings"
	"time"
)

// checkLayout says what is wrong with a layout, or is "". A month alone will do where one is a period.
func checkLayout(layout string, month bool) string {
	seen := ""
	for i := 0; i < len(layout); i++ {
		if layout[i] != '%' {
			continue
		}
		if i++; i == len(layout) {
			return "a % at its end"
		}
		if !strings.ContainsRune("YymbBdHIMSfpzZaA%", rune(layout[i])) {
			return fmt.Sprintf("%%%c is not known", layout[i])
		}
		seen += string(layout[i])
	}
	switch {
	case !strings.ContainsAny(seen, "Yy"), !strings.ContainsAny(seen, "mbB"), !strings.Contains(seen, "d") && !(month && !strings.ContainsAny(seen, "HIMSf")):
		return "a day needs %Y or %y, %m or %b, and %d"
	case strings.Contains(seen, "I") && !strings.Contains(seen, "p"):
		return "%I needs %p"
	}
	return ""
}

// periodOf leaves of a time what its layout tells: a day or a month without more is a period by itself.
func periodOf(t, layout string) string {
	has := func(parts string) bool {
		for i := 0; i+1 < len(layout); i++ {
			if layout[i] == '%' {
				i++
				if strings.IndexByte(parts, layout[i]) >= 0 {
					return true
				}
			}
		}
		return false
	}
	switch {
	case has("HIMSfzZ"):
		return t
	case has("d"):
		return t[:len("2006-01-02")]
	}
	return t[:len("2006-01")]
}

// moment is a time while it is taken apart.
type moment struct {
	year, month, day, hour, minute, second, nano int
	half                                         int // -1 none, 0 before noon, 1 after it
	offset                                       string
}

// parseLayout reads a time by its layout, and writes it as SQL reads it: with its offset where
// the layout has one. ok is false where the text does not fit, or no calendar has that day.
func parseLayout(text, layout string) (out string, ok bool) {
	m := moment{half: -1, month: 1, day: 1}
	text = strings.TrimSpace(text)
	for i := 0; i < len(layout); i++ {
		c := layout[i]
		switch {
		case c == ' ' || c == '\t':
			text = strings.TrimLeft(text, " \t\u00a0")
		case c != '%':
			if len(text) == 0 || text[0] != c {
				return "", false
			}
			text = text[1:]
		default:
			i++
			if text, ok = m.take(layout[i], text); !ok {
				return "", false
			}
		}
	}
	if text != "" {
		return "", false
	}
	return m.text()
}

// take reads one part of a time.
func (m *moment) take(part byte, text string) (rest string, ok bool) {
	number := func(into *int, least, most int) (string, bool) {
		n, i := 0, 0
		for ; i < len(text) && i < most && text[i] >= '0' && text[i] <= '9'; i++ {
			n = n*10 + int(text[i]-'0')
		}
		*into = n
		return text[i:], i >= least
	}
	switch part {
	case 'Y':
		return number(&m.year, 4, 4)
	case 'y':
		rest, ok = number(&m.year, 2, 2)
		m.year += 2000
		return rest, ok
	case 'm':
		return number(&m.month, 1, 2)
	case 'd':
		return number(&m.day, 1, 2)
	case 'H', 'I':
		return number(&m.hour, 1, 2)
	case 'M':
		return number(&m.minute, 1, 2)
	case 'S':
		return number(&m.second, 1, 2)
	case 'f':
		if rest, ok = number(&m.nano, 1, 9); ok {
			for range 9 - (len(text) - len(rest)) {
				m.nano *= 10
			}
		}
		return rest, ok
	case 'b', 'B':
		return m.monthName(text)
	case 'a', 'A':
		rest = strings.TrimLeft(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
		return rest, len(rest) < len(text)
	case 'p':
		for i, words := range [][]string{{"AM", "am", "上午"}, {"PM", "pm", "下午"}} {
			for _, w := range words {
				if rest, ok := strings.CutPrefix(text, w); ok {
					m.half = i
					return rest, true
				}
			}
		}
	case 'z', 'Z':
		return m.zone(text)
	case '%':
		return strings.CutPrefix(text, "%")
	}
	return "", false
}

func (m *moment) monthName(text string) (string, bool) {
	for n := time.December; n >= time.January; n-- {
		for _, name := range []string{n.String(), n.String()[:3]} {
			if len(text) >= len(name) && strings.EqualFold(text[:len(name)], name) {
				m.month = int(n)
				return text[len(name):], true
			}
		}
	}
	return "", false
}

// zone reads Z, UTC, GMT, +08, +0800 or +08:00.
func (m *moment) zone(text string) (string, bool) {
	for _, w := range []string{"UTC", "GMT", "Z"} {
		if rest, ok := strings.CutPrefix(text, w); ok {
			m.offset = "Z"
			return rest, true
		}
	}
	for _, layout := range []string{"-07:00", "-0700", "-07"} {
		if len(text) >= len(layout) {
			if t, err := time.Parse(layout, text[:len(layout)]); err == nil {
				m.offset = t.Format("-07:00")
				return text[len(layout):], true
			}
		}
	}
	return "", false
}

func (m *moment) text() (string, bool) {
	if m.half >= 0 {
		if m.hour < 1 || m.hour > 12 {
			return "", false
		}
		m.hour = m.hour%12 + 12*m.half
	}
	t := time.Date(m.year, time.Month(m.month), m.day, m.hour, m.minute, m.second, m.nano, time.UTC)
	if m.month > 12 || t.Day() != m.day || t.Hour() != m.hour || t.Minute() != m.minute || t.Second() != m.second {
		return "", false
	}
	return t.Format("2006-01-02 15:04:05.999999999") + m.offset, true
}
