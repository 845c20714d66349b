package ui

import (
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	_ "retrytax/internal/drawn"
)

const hostile = "\x1b[2J\x1b]0;owned\x07\r\n\u202eevil\u2066\u200b\ufeff\u0085\u009b31m\x00\x7f\xff\u2028\U000e0041"

// mustBeSafe fails on anything that could drive a terminal; only line feeds are ours.
func mustBeSafe(t interface{ Errorf(string, ...any) }, text string) {
	if !utf8.ValidString(text) {
		t.Errorf("not UTF-8: %q", text)
	}
	for _, r := range text {
		if r != '\n' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) ||
			unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d') {
			t.Errorf("%U reaches the terminal in %q", r, text)
			return
		}
	}
}

func TestCleanMakesControlsVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain, 中文 e\u0301 👩‍💻": "plain, 中文 e\u0301 👩‍💻",
		"a\x1b[31mb":            `a\x1b[31mb`,
		"a\tb\nc\r":             `a\tb\nc\r`,
		"\u202eabc":             `\u202eabc`,
		"\u009b2J":              `\x9b2J`,
		"\xff\xfe":              `\xff\xfe`,
		"\ufffd":                "\ufffd",
		"1\u00a0000":            "1 000",
		"\U000e0041":            `\U000e0041`,
		`C:\logs`:               `C:\logs`,
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCleanIsSafeAndStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		once := Clean(s)
		mustBeSafe(t, once)
		if strings.ContainsRune(once, '\n') || Clean(once) != once {
			t.Errorf("Clean(%q) = %q is not stable", s, once)
		}
	})
}

// spoil puts the hostile text into every string of a value: alone, or after what is there.
func spoil(v reflect.Value, keep bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			spoil(v.Elem(), keep)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				spoil(f, keep)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			spoil(v.Index(i), keep)
		}
	case reflect.String:
		text := hostile
		if keep {
			text = v.String() + hostile
		}
		v.SetString(text)
	}
}

func TestHostileTextCannotReachTheTerminal(t *testing.T) {
	for _, keep := range []bool{false, true} {
		for _, which := range []string{"rich", "clean"} {
			a, x := richAudit()
			if which == "clean" {
				a, x = cleanAudit()
			}
			spoil(reflect.ValueOf(a), keep)
			for i := range a.Totals { // or no section would be printed
				a.Totals[i].ProviderBook = "all/bill" + hostile
			}
			spoil(reflect.ValueOf(&x), keep)
			got := render(t, a, x, Options{})
			mustBeSafe(t, got)
			if strings.Count(got, "evil") < 6 {
				t.Errorf("the text is hardly shown, so this test shows nothing:\n%s", got)
			}
			mustBeSafe(t, reColour.ReplaceAllString(render(t, a, x, Options{Color: true}), ""))
		}
	}
}

// The suggested command is there to be pasted, so an id from data must be harmless in it.
func TestSuggestionHoldsNoShell(t *testing.T) {
	for id, shown := range map[string]bool{
		"req-1": true, "gen-179:a/b@c.d": true,
		"$(reboot)": false, "a b": false, "-rf": false, "a;b": false, "`x`": false, "": false, "请求": false,
	} {
		a, x := richAudit()
		x.Dearest[0].RequestID = id
		_, next, _ := strings.Cut(render(t, a, x, Options{Width: 120}), "next: ")
		if got := id != "" && strings.Contains(next, "explain "+id+" "); got != shown {
			t.Errorf("id %q: shown %v in %q", id, got, next)
		}
	}
}

// A name of thousands of characters takes no more than a line or two, wherever it stands.
func TestLongNamesAreCut(t *testing.T) {
	long := strings.Repeat("x", 5000)
	a, x := richAudit()
	for i := range a.Totals {
		if provider, book := splitBook(a.Totals[i].ProviderBook); provider != "all" {
			a.Totals[i].ProviderBook = long + "/" + book
		}
	}
	for i := range a.Coverage {
		a.Coverage[i].Provider, a.Coverage[i].APIKey = long, long
	}
	for i := range x.Dearest {
		x.Dearest[i].RequestID, x.Dearest[i].Model, x.Dearest[i].Verdicts = long, long, long+" ×2"
	}
	a.Verdicts[0].Verdict, a.Verdicts[1].Recovery, a.Leads[0].Kind, a.Leads[0].Currency = long, long, long, long
	a.Calibration[0].Provider, a.Calibration[1].Stamp = long, long
	for len(a.Calibration) < 1015 {
		a.Calibration = append(a.Calibration, a.Calibration[0])
	}
	got := render(t, a, x, Options{})
	run := strings.Repeat("x", nameWidth+1)
	if strings.Contains(strings.Join(strings.Fields(got), ""), run) {
		t.Errorf("a long name is not cut:\n%s", got)
	}
	if n := strings.Count(got, "stamps of"); n != stampLines || !strings.Contains(got, "and 1 003 more") {
		t.Errorf("%d lines of stamps:\n%s", n, got)
	}
}
