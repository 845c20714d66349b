package alert

import (
	"regexp"
	"strings"
	"unicode"
)

// longestName is how much of a name from the data is told.
const longestName = 60

var (
	reUUID   = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)
	reSecret = regexp.MustCompile(`(?i)\b(sk|pk|rk|key|token|bearer|ghp|whsec|xox[a-z]|sec|aiza|secret|passw(or)?d|basic)[-_: =][-_A-Za-z0-9.+/=]{8,}`)
	// What is called a secret is one, however short: password=…, "api_key": "…", Authorization: Bearer ….
	reCalled = regexp.MustCompile(`(?i)(\b|_)(pass(word|wd|phrase)?|pwd|secret|token|auth(orization)?|credentials?|(api[-_ ]?)?key|bearer)["']?\s*[:=]\s*["']?((bearer|basic)\s+)?[^\s"',;]+`)
	reBearer = regexp.MustCompile(`(?i)\bbearer\s+\S+`)
	reNumber = regexp.MustCompile(`(?i)(\b|_)(key|token|secret|pass(word)?|pwd)[-_]?[0-9][-_A-Za-z0-9]{3,}`)
	reMail   = regexp.MustCompile(`[^\s@<>"'(),:;/]+@[^\s@<>"'(),:;/]+\.[^\s@<>"'(),:;/]+`)
	reUser   = regexp.MustCompile(`://[^\s/@]+@`) // of an address
	reRun    = regexp.MustCompile(`[A-Za-z0-9]{16,}|[0-9]{10,}`)
	reDigit  = regexp.MustCompile(`[0-9]`)
)

// Name makes a name from the data fit to be sent: on one line, cut, without what a chat would
// take for a mention, a link or markup, and without what looks like a key, a password, somebody's
// address or a full id. Of these four characters are left, enough to find it in a report.
func Name(text string) string {
	text = reUser.ReplaceAllString(strings.ToValidUTF8(text, ""), "://…＠")
	text = reMail.ReplaceAllStringFunc(text, func(m string) string {
		who, _, _ := strings.Cut(m, "@")
		return begin(who)
	})
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		if with, ok := spoken[r]; ok {
			return with
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "://", ":")), " ")
	for _, re := range []*regexp.Regexp{reUUID, reCalled, reBearer, reNumber, reSecret} {
		text = re.ReplaceAllStringFunc(text, begin)
	}
	text = reRun.ReplaceAllStringFunc(text, func(run string) string {
		if !reDigit.MatchString(run) && len(run) < 32 {
			return run // a long word
		}
		return begin(run)
	})
	if runes := []rune(text); len(runes) > longestName {
		text = string(runes[:longestName-1]) + "…"
	}
	if text == "" {
		return "?"
	}
	return text
}

// spoken are characters that begin markup somewhere, and what stands for them.
var spoken = map[rune]rune{'<': '‹', '>': '›', '@': '＠', '&': '＆', '`': '\'', '[': '(', ']': ')', '|': '¦'}

func begin(id string) string {
	r := []rune(id)
	return string(r[:min(4, len(r))]) + "…"
}
