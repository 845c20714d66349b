package config

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Secret is a text of the alerts' channels in which ${NAME} stands for a variable of the
// environment. What it stands for is known only where it is used: it is never printed.
type Secret struct{ text string }

var (
	reVariable  = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)
	reReference = regexp.MustCompile(`^\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)
	reName      = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$`)
	reAmount    = regexp.MustCompile(`^[0-9]{1,15}(\.[0-9]{1,12})?$`)
)

// UnsetError says that a variable of the environment has no value.
type UnsetError struct{ Name string }

func (e *UnsetError) Error() string {
	return "found no variable " + e.Name + " in the environment, expected what ${" + e.Name + "} stands for"
}

// Empty tells whether nothing was given.
func (s Secret) Empty() bool { return s.text == "" }

// String is safe to print: names of variables stay as they are, of an address that was written
// down only scheme and host are shown.
func (s Secret) String() string {
	if s.text == "" || reReference.MatchString(s.text) {
		return s.text
	}
	u, err := url.Parse(s.text)
	if err != nil || u.Host == "" || strings.Contains(u.Host, "$") {
		return "(hidden)"
	}
	if u.Path == "" && u.RawQuery == "" {
		return u.Scheme + "://" + u.Host
	}
	return u.Scheme + "://" + u.Host + "/…"
}

// GoString keeps %#v from showing it.
func (s Secret) GoString() string { return s.String() }

// Reveal puts the variables in. lookup is os.LookupEnv. The error is *UnsetError.
func (s Secret) Reveal(lookup func(string) (string, bool)) (string, error) {
	var missing error
	text := reVariable.ReplaceAllStringFunc(s.text, func(m string) string {
		name := m[2 : len(m)-1]
		v, ok := lookup(name)
		if v = strings.TrimSpace(v); (!ok || v == "") && missing == nil {
			missing = &UnsetError{name}
		}
		return v
	})
	if missing != nil {
		return "", missing
	}
	return text, nil
}

// CheckURL says what is wrong with an address whose variables are put in, or nil. It never
// shows it.
func CheckURL(text, kind string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.User != nil:
		return errors.New("found no address, expected one such as https://example.com/hook")
	case u.Scheme == "https", u.Scheme == "http" && (kind == Webhook || isLoopback(u.Hostname())):
		return nil
	}
	return fmt.Errorf("found an address that does not begin with https, expected https://%s/…", u.Host)
}

func isLoopback(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// secretURL accepts an address, or a text with variables that will be one.
func secretURL(text string) (Secret, *wrong) {
	bad := &wrong{expected: "an address such as https://example.com/hook, or ${NAME}, a variable of the environment that holds it",
		hint: `such as url: "${SLACK_URL}"`, secret: true}
	if _, w := anyText(text); w != nil || hasOpenVariable(text) {
		return Secret{}, bad
	}
	if !strings.Contains(text, "${") && CheckURL(text, Webhook) != nil {
		return Secret{}, bad
	}
	return Secret{text}, nil
}

// secretReference accepts a variable of the environment and nothing else, so that no secret
// comes to stand in a configuration file.
func secretReference(text string) (Secret, *wrong) {
	if !reReference.MatchString(text) {
		return Secret{}, &wrong{expected: "${NAME}, a variable of the environment that holds the secret", hint: `such as secret: "${DINGTALK_SECRET}"`, secret: true}
	}
	return Secret{text}, nil
}

func hasOpenVariable(text string) bool {
	return strings.Contains(reVariable.ReplaceAllString(text, ""), "${")
}

func channelName(text string) (string, *wrong) {
	if !reName.MatchString(text) {
		return "", &wrong{expected: "a name of at most 40 letters, digits, dots, dashes and underscores", hint: "such as ops-group"}
	}
	return text, nil
}

func limitAmount(text string) (decimal.Decimal, *wrong) {
	if !reAmount.MatchString(text) {
		return decimal.Decimal{}, &wrong{expected: "an amount that is not negative", hint: "such as 12.50, without a currency sign"}
	}
	return decimal.RequireFromString(text), nil
}

func atLeastOne(text string) (int64, *wrong) {
	n, _ := strconv.ParseInt(text, 10, 64)
	if !reWhole.MatchString(text) || n < 1 {
		return 0, &wrong{expected: "a whole number from 1", hint: "such as 20"}
	}
	return n, nil
}

func tries(text string) (int64, *wrong) {
	n, bad := atLeastOne(text)
	if bad != nil || n > 10 {
		return 0, &wrong{expected: "a whole number from 1 to 10", hint: "such as 4"}
	}
	return n, nil
}

func tryTimeout(text string) (time.Duration, *wrong) {
	d, bad := duration(text)
	if bad != nil || d < 100*time.Millisecond || d > time.Minute {
		return 0, &wrong{expected: "a duration from 100ms to 1m", hint: "such as 10s"}
	}
	return d, nil
}
