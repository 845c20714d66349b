package source

import (
	"bytes"
	"fmt"
	"strings"
)

// currencySigns are the signs that amounts carry, and the currencies that write them so. A
// sign of one currency alone tells it; the others only strike out what does not fit.
var currencySigns = []struct {
	sign  string
	codes []string
}{
	{"US$", []string{"USD"}}, {"$", []string{"USD", "CAD", "AUD", "SGD", "HKD", "TWD", "NZD", "MXN"}}, {"＄", []string{"USD", "CAD", "AUD", "SGD", "HKD", "TWD", "NZD", "MXN"}},
	{"¥", []string{"CNY", "JPY"}}, {"￥", []string{"CNY", "JPY"}}, {"€", []string{"EUR"}}, {"£", []string{"GBP"}}, {"₹", []string{"INR"}}, {"₩", []string{"KRW"}},
	{"RMB", []string{"CNY"}}, {"人民币", []string{"CNY"}}, {"元", []string{"CNY"}},
}

// decimalSign says which of the two signs stands before the decimals.
type decimalSign int

const (
	unknownSign decimalSign = iota
	pointSign               // 1,234.50
	commaSign               // 1.234,50
)

// plainNumber tells what SQL reads as it stands.
func plainNumber(v []byte) bool {
	for _, c := range v {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return false
		}
	}
	return true
}

// money makes of an amount as people write it the number that SQL reads: $1,234.50, ¥ 0.12,
// 0.5 USD, (3.20) and 3.20- for negative ones. What it does not know it leaves as it is, for
// SQL to refuse. codes are the currencies that its sign can mean, nil without one. why says
// what could mean two things.
func money(v []byte, sign decimalSign) (plain string, codes []string, why string) {
	whole := strings.TrimSpace(strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u3000", " ", "\u2212", "-").Replace(string(v)))
	s := whole
	negative := false
	minus := func() {
		for _, cut := range []func() bool{
			func() (ok bool) { s, ok = strings.CutPrefix(s, "-"); return },
			func() (ok bool) { s, ok = strings.CutSuffix(s, "-"); return },
			func() (ok bool) {
				if ok = strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")"); ok {
					s = s[1 : len(s)-1]
				}
				return
			},
		} {
			if !negative && cut() {
				negative = true
				s = strings.TrimSpace(s)
			}
		}
	}
	minus()
	s, codes = cutCurrency(s)
	minus()
	if codes == nil {
		s, codes = cutCurrency(s)
	}
	number, why := ungrouped(s, sign)
	if number == "" {
		return whole, nil, why
	}
	if negative {
		if number[0] == '+' || number[0] == '-' {
			return whole, nil, ""
		}
		number = "-" + number
	}
	return number, codes, ""
}

// cutCurrency takes a currency's sign or code from the one end or the other.
func cutCurrency(s string) (rest string, codes []string) {
	for _, c := range currencySigns {
		if rest, ok := strings.CutPrefix(s, c.sign); ok {
			return strings.TrimSpace(rest), c.codes
		}
		if rest, ok := strings.CutSuffix(s, c.sign); ok {
			return strings.TrimSpace(rest), c.codes
		}
	}
	if len(s) > 3 {
		if isCode(s[:3]) && strings.ContainsAny(s[3:4], " -+.0123456789(") {
			return strings.TrimSpace(s[3:]), []string{s[:3]}
		}
		if end := s[len(s)-3:]; isCode(end) && strings.ContainsAny(s[len(s)-4:len(s)-3], " .0123456789)") {
			return strings.TrimSpace(s[:len(s)-3]), []string{end}
		}
	}
	return s, nil
}

// isCode tells the code of a currency from other words in capitals: there are no amounts in
// NaN or Inf.
func isCode(s string) bool {
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && s != "INF" && s != "NAN"
}

// ungrouped takes out what stands between thousands, and writes a point before the decimals;
// "" where s is no number. A single comma before three digits could be either.
func ungrouped(s string, sign decimalSign) (plain, why string) {
	if s == "" {
		return "", ""
	}
	if sign != commaSign && plainNumber([]byte(s)) {
		if strings.Trim(s, "+-.eE") == "" || strings.Contains(s[1:], "--") {
			return "", ""
		}
		return s, ""
	}
	group, point := ",", "."
	if sign == commaSign {
		group, point = ".", ","
	}
	head := strings.TrimLeft(s, "+-")
	prefix := s[:len(s)-len(head)]
	if len(prefix) > 1 {
		return "", ""
	}
	ints, decimals, hasPoint := strings.Cut(head, point)
	if hasPoint && (!digits([]byte(decimals))) {
		return "", ""
	}
	for _, g := range []string{group, "'", "’", " "} {
		parts := strings.Split(ints, g)
		if !grouped(parts) {
			continue
		}
		if len(parts) == 2 && g == group && !hasPoint && sign == unknownSign {
			return "", fmt.Sprintf("found %q, which can be %s or %s, expected a number that means one thing (the mapping's decimal=point or decimal=comma says which sign the decimals have)",
				s, parts[0]+parts[1], parts[0]+"."+parts[1])
		}
		plain = prefix + strings.Join(parts, "")
		if hasPoint {
			plain += "." + decimals
		}
		return plain, ""
	}
	return "", ""
}

// grouped tells digits in groups of three, of which the first may be shorter.
func grouped(parts []string) bool {
	for i, p := range parts {
		if !digits([]byte(p)) || len(parts) > 1 && (i == 0 && (len(p) > 3 || p[0] == '0') || i > 0 && len(p) != 3) {
			return false
		}
	}
	return len(parts) > 0
}

// ungroupedCount takes the commas out of a count such as 12,345: tokens have no decimals, so
// it can be nothing else.
func ungroupedCount(v []byte) []byte {
	if bytes.IndexByte(v, ',') < 0 {
		return v
	}
	if parts := strings.Split(string(v), ","); grouped(parts) {
		return []byte(strings.Join(parts, ""))
	}
	return v
}
