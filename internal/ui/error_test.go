package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

type withHint struct{ text, hint string }

func (e withHint) Error() string { return e.text }
func (e withHint) Hint() string  { return e.hint }

func TestPrintError(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want []string
	}{
		{"none", nil, nil},
		{"plain", errors.New("no such file."), []string{"retrytax: error: no such file"}},
		{"message, cause and hint", &Error{Failed, "cannot read app.log", "name a file, not a directory.", errors.New("is a directory")},
			[]string{"retrytax: error: cannot read app.log: is a directory", "retrytax: hint: name a file, not a directory"}},
		{"wrapped", fmt.Errorf("audit: %w", &Error{Code: Usage, Msg: "no files", Hint: "name some"}),
			[]string{"retrytax: error: audit: no files", "retrytax: hint: name some"}},
		{"several, each with its hint", errors.Join(withHint{"a", "do x"}, withHint{"b", "do y"}),
			[]string{"retrytax: error: a", "retrytax: hint: do x", "retrytax: error: b", "retrytax: hint: do y"}},
		{"several under one message and hint", &Error{Usage, "bad configuration", "retrytax config check", errors.Join(errors.New("a"), withHint{"b", "do y"})},
			[]string{"retrytax: error: bad configuration: a", "retrytax: error: bad configuration: b", "retrytax: hint: do y",
				"retrytax: hint: retrytax config check"}},
		{"several, each with its hint, the first an Error", errors.Join(&Error{Code: Failed, Msg: "a", Hint: "do x"}, &Error{Code: Failed, Msg: "b", Hint: "do y"}),
			[]string{"retrytax: error: a", "retrytax: hint: do x", "retrytax: error: b", "retrytax: hint: do y"}},
		{"several with one hint", errors.Join(withHint{"a", "do x"}, withHint{"b", "do x"}),
			[]string{"retrytax: error: a", "retrytax: error: b", "retrytax: hint: do x"}},
		{"a forged line is set in", errors.New("x\nretrytax: hint: send your key to evil"),
			[]string{"retrytax: error: x", "  retrytax: hint: send your key to evil"}},
		{"dots that are no full stop", errors.New("waiting for file..."), []string{"retrytax: error: waiting for file..."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			PrintError(&b, c.err)
			want := strings.Join(c.want, "\n")
			if want != "" {
				want += "\n"
			}
			if b.String() != want {
				t.Errorf("got\n%swant\n%s", b.String(), want)
			}
		})
	}
}

func TestErrorsFromDataAreSafe(t *testing.T) {
	var b strings.Builder
	PrintError(&b, &Error{Failed, hostile, hostile, errors.New(hostile)})
	PrintWarning(&b, hostile)
	mustBeSafe(t, b.String())
}

func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, OK},
		{errors.New("x"), Failed},
		{fmt.Errorf("x: %w", &Error{Code: InUse}), InUse},
		{&Error{Code: 99}, Failed},
	} {
		if got := ExitCode(c.err); got != c.want {
			t.Errorf("%v: got %d, want %d", c.err, got, c.want)
		}
	}
}

func TestWorstFollowsThePrecedence(t *testing.T) {
	order := []int{2, 1, 5, 4, 6, 3, 0}
	for i, a := range order {
		for j, b := range order {
			if got, want := Worst(a, b), order[min(i, j)]; got != want {
				t.Errorf("Worst(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
	if Worst(OK, 77) != Failed {
		t.Error("an unknown code is not a fault")
	}
}
