package source

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
)

// maxRaw is how much of a rejected record is kept, in bytes.
const maxRaw = 4 << 10

// rawPrinter makes of a record the text that a reject carries: cut, without prompts,
// answers and keys unless the user has asked to keep them, and valid UTF-8 in any case.
type rawPrinter struct {
	keep   bool
	opaque bool       // nothing tells where a secret stands: show nothing
	json   bool       // text that does not begin as an object may be the middle of a prompt
	prefix bool       // an object may begin behind a time
	cells  *cellHider // of CSV: the columns to hide, or nil
}

func (p rawPrinter) print(raw []byte) string {
	return p.printHead(raw, int64(len(raw)), func() []byte {
		sum := sha256.Sum256(raw)
		return sum[:]
	})
}

// printStray prints a record of which only the head is at hand.
func (p rawPrinter) printStray(s *stray) string {
	return p.printHead(s.head, s.size, func() []byte { return s.sum.Sum(nil) })
}

func (p rawPrinter) printHead(head []byte, size int64, sum func() []byte) string {
	head = head[:min(maxRaw, len(head))]
	whole := int64(len(head)) == size
	shown := bytes.TrimSuffix(head, []byte{'\r'})
	p.opaque = p.opaque || p.json && !beginsObject(shown) && !(p.prefix && timeThenObject(shown))
	if p.cells != nil && !p.keep {
		shown = p.cells.hide(shown)
		p.opaque = shown == nil || !whole
	}
	if p.opaque && !p.keep {
		return fmt.Sprintf("%s … [%d bytes, sha256 %x]", redacted, size, sum())
	}
	text := printable(shown)
	if !p.keep {
		text = redact(text)
	}
	if !whole {
		text += fmt.Sprintf("… [%d bytes, sha256 %x]", size, sum())
	}
	return text
}

// printable is b as UTF-8 text without NUL.
func printable(b []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(b), "\uFFFD"), "\x00", "\uFFFD")
}

// beginsObject tells whether text begins with an object or an array of them, so that keys
// tell what is secret in it.
func beginsObject(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) > 0 && text[0] == '[' {
		text = bytes.TrimLeft(text[1:], " \t\r\n")
	}
	return len(text) == 0 || text[0] == '{'
}

// timeThenObject tells whether a line begins with a time and has an object behind it.
func timeThenObject(line []byte) bool {
	i := objectStart(line)
	if i <= 0 {
		return false
	}
	t, _ := lineTime(line[:i], nil)
	return t != nil
}
