package config

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones must work on a machine without a zone database

	"github.com/shopspring/decimal"
)

// reWhole accepts what is a number of up to nine digits and nothing else: no sign, no
// 0x1F, no 1_000.
var (
	reWhole    = regexp.MustCompile(`^[0-9]{1,9}$`)
	reRatio    = regexp.MustCompile(`^(0|1|0\.[0-9]{1,12}|1\.0{1,12})$`)
	reCurrency = regexp.MustCompile(`^[A-Za-z]{3}$`)
	reSecret   = regexp.MustCompile(`^(sk|pk|key|AIza)[-_A-Za-z0-9]{20,}$`)
)

// anyText accepts every text on one line.
func anyText(text string) (string, *wrong) {
	if text == "" || strings.ContainsAny(text, "\x00\r\n") {
		return "", &wrong{expected: "text on one line"}
	}
	return text, nil
}

// providerName folds a name as all comparisons of providers do.
func providerName(text string) (string, *wrong) {
	if _, bad := anyText(text); bad != nil {
		return "", &wrong{expected: "the name of a provider", hint: "such as openai or azure"}
	}
	return foldProvider(text), nil
}

func foldProvider(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// oneOf accepts the words of an enumeration, in lower case.
func oneOf(words ...string) parse[string] {
	return func(text string) (string, *wrong) {
		for _, w := range words {
			if text == w {
				return w, nil
			}
		}
		bad := &wrong{expected: strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]}
		if near, ok := nearest(text, words); ok {
			bad.hint = "did you mean " + near + "?"
		}
		return "", bad
	}
}

// zone accepts a name of the IANA database. "Local" is refused, since the same file would
// mean another thing on another machine.
func zone(text string) (string, *wrong) {
	bad := &wrong{expected: "an IANA time zone", hint: "such as UTC, Asia/Shanghai or Europe/Berlin; an offset such as +08:00 is Etc/GMT-8"}
	if text == "" || strings.EqualFold(text, "local") {
		return "", bad
	}
	if _, err := time.LoadLocation(text); err != nil {
		return "", bad
	}
	return text, nil
}

// duration accepts a Go duration of whole milliseconds that is not negative.
func duration(text string) (time.Duration, *wrong) {
	bad := &wrong{expected: "a duration such as 500ms, 5s, 10m or 48h", hint: "days are not a unit: write 48h for two days"}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, bad
	case d < 0:
		return 0, &wrong{expected: "a duration that is not negative, such as 500ms, 5s, 10m or 48h", hint: "write it without the sign"}
	case d%time.Millisecond != 0:
		return 0, &wrong{expected: "a duration of whole milliseconds, such as 500ms, 5s, 10m or 48h", hint: "round it to milliseconds"}
	}
	return d, nil
}

// ratio accepts a decimal from 0 to 1.
func ratio(text string) (decimal.Decimal, *wrong) {
	if !reRatio.MatchString(text) {
		bad := &wrong{expected: "a ratio from 0 to 1", hint: "such as 0.9"}
		if strings.HasSuffix(text, "%") {
			bad.hint = "write 90% as 0.9"
		}
		return decimal.Decimal{}, bad
	}
	return decimal.RequireFromString(text), nil
}

func milliseconds(text string) (int64, *wrong) {
	if !reWhole.MatchString(text) {
		return 0, &wrong{expected: "a whole number of milliseconds, 0 or more", hint: "such as 30000 for half a minute"}
	}
	n, _ := strconv.ParseInt(text, 10, 64) // nine digits fit
	return n, nil
}

// points accepts a whole number above 0.
func points(text string) (int64, *wrong) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || !reWhole.MatchString(text) || n == 0 {
		return 0, &wrong{expected: "a whole number above 0, of at most nine digits", hint: "quota_per_unit of the relay's /api/status, such as 500000"}
	}
	return n, nil
}

// httpStatus accepts the codes of client and server errors: a 2xx is billed anyway.
func httpStatus(text string) (int, *wrong) {
	n, err := strconv.Atoi(text)
	if err != nil || !reWhole.MatchString(text) || n < 400 || n > 599 {
		return 0, &wrong{expected: "an HTTP status from 400 to 599", hint: "list the failures that this provider bills, such as [400, 408]"}
	}
	return n, nil
}

func boolean(text string) (bool, *wrong) {
	if text != "true" && text != "false" {
		return false, &wrong{expected: "true or false"}
	}
	return text == "true", nil
}

func currency(text string) (string, *wrong) {
	if !reCurrency.MatchString(text) {
		return "", &wrong{expected: "a currency code of three letters", hint: "such as USD, CNY or EUR"}
	}
	return strings.ToUpper(text), nil
}

func date(text string) (string, *wrong) {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return "", &wrong{expected: "a date YYYY-MM-DD", hint: "such as 2026-11-03"}
	}
	return text, nil
}

func pattern(text string) (string, *wrong) {
	_, bad := anyText(text)
	if _, err := path.Match(text, "x"); err != nil || bad != nil {
		return "", &wrong{expected: "a file name pattern", hint: `such as "app-*.log"`}
	}
	return text, nil
}

// keyName accepts what an API key is called. What looks like the key itself is refused, so
// that no secret comes to stand in a configuration file, nor in a report made from it.
func keyName(text string) (string, *wrong) {
	bad := &wrong{expected: "the name of an API key", hint: "write the name that the bill shows, never the key"}
	if reSecret.MatchString(text) {
		bad.secret = true
		return "", bad
	}
	if _, notText := anyText(text); notText != nil {
		return "", bad
	}
	return text, nil
}
