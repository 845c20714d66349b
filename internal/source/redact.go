package source

import (
	"regexp"
	"slices"
	"strings"
)

const redacted = "[redacted]"

// secretWords end the names of what must not leave the machine in a report: prompts,
// answers and keys. response_id or finish_reason end in none of them.
var secretWords = []string{
	"prompt", "prompts", "messages", "message", "content", "contents", "answer", "answers", "response", "responses",
	"completion", "completions", "text", "input", "output", "question", "body", "payload", "choices",
	"authorization", "apikey", "api_key", "api-key", "password", "secret", "access_token", "auth_token", "cookie",
}

var (
	secretKey = regexp.MustCompile(`(?i)(?:` + strings.Join(secretWords, "|") + `)(\\*["']?)\s*[:=]\s*`)
	secretRun = regexp.MustCompile(`(?i)\bbearer\s+[^\s"',;]+|\bbasic\s+[a-z0-9+/=]{8,}|\b(?:sk|pk|rk|gsk|xai|hf|key)[-_][a-z0-9_\-]{8,}|\bAIza[a-z0-9_\-]{20,}|\bAKIA[a-z0-9]{12,}|\beyJ[a-z0-9_\-]{8,}\.[a-z0-9_\-.]+`)
	nextPair  = regexp.MustCompile(`\s[A-Za-z_][\w.\-]*=`)
)

// isSecret tells whether a column of that name is one whose values are never shown.
func isSecret(name string) bool {
	n := normalise(name)
	return n == "key" || slices.ContainsFunc(secretWords, func(w string) bool { return strings.HasSuffix(n, normalise(w)) })
}

// redact replaces the values of secret keys, in JSON, logfmt and anything like it, and
// whatever looks like a credential. Where it cannot tell where a value ends, it takes more.
func redact(s string) string {
	if !perhapsSecret(s) {
		return s
	}
	var b strings.Builder
	for {
		m := secretKey.FindStringSubmatchIndex(s)
		if m == nil {
			break
		}
		b.WriteString(s[:m[1]])
		b.WriteString(redacted)
		s = s[m[1]+valueEnd(s[m[1]:], s[m[2]:m[3]] != ""):]
	}
	b.WriteString(s)
	return secretRun.ReplaceAllString(b.String(), redacted)
}

// runStarts are how the credentials that secretRun finds begin, in lower case.
var runStarts = []string{"bearer", "basic", "sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "xai", "hf-", "hf_", "key-", "key_", "aiza", "akia", "eyj"}

// perhapsSecret passes over most texts in a hundredth of the time that the patterns take. It
// may say yes where they find nothing, never no where they find something.
func perhapsSecret(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 { // letters that fold into ASCII ones
			return true
		}
		if (s[i] == ':' || s[i] == '=') && endsInSecretWord(s[:i]) {
			return true
		}
	}
	lower := strings.ToLower(s)
	return slices.ContainsFunc(runStarts, func(w string) bool { return strings.Contains(lower, w) })
}

// endsInSecretWord looks at what stands before a colon or an equals sign.
func endsInSecretWord(s string) bool {
	s = strings.TrimRight(s, " \t\r\n\f")
	if n := len(s); n > 0 && (s[n-1] == '"' || s[n-1] == '\'') {
		s = s[:n-1]
	}
	s = strings.TrimRight(s, "\\")
	return slices.ContainsFunc(secretWords, func(w string) bool {
		return len(s) >= len(w) && strings.EqualFold(s[len(s)-len(w):], w)
	})
}

// valueEnd is where the value at the head of s ends: a string at its quote, an object at
// its bracket, a bare word of JSON at the next comma, of logfmt before the next key.
func valueEnd(s string, json bool) int {
	depth := 0
	for depth < len(s) && s[depth] == '\\' {
		depth++
	}
	if depth == len(s) {
		return depth
	}
	switch c := s[depth]; {
	case c == '"' || c == '\'':
		return stringEnd(s, depth, c)
	case c == '{' || c == '[':
		return bracketEnd(s)
	case json:
		if i := strings.IndexAny(s, ",}]"); i >= 0 {
			return i
		}
	default:
		if m := nextPair.FindStringIndex(s); m != nil {
			return m[0]
		}
	}
	return len(s)
}

// stringEnd is the end of a string whose quote stands behind that many backslashes, as
// JSON inside a JSON string has it: at the next quote behind just as many.
func stringEnd(s string, depth int, quote byte) int {
	for i := depth + 1; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		n := 0
		for i-n-1 > depth && s[i-n-1] == '\\' {
			n++
		}
		if n == depth {
			return i + 1
		}
	}
	return len(s)
}

// bracketEnd is the end of an object or array, with regard to the strings in it.
func bracketEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\\':
			j := i
			for j < len(s) && s[j] == '\\' {
				j++
			}
			if j < len(s) && s[j] == '"' {
				i += stringEnd(s[i:], j-i, '"') - 1
			}
		}
	}
	return len(s)
}
