package source

import "testing"

func TestKnown(t *testing.T) {
	for _, c := range []struct {
		text, known, knownID string
	}{
		{"", "", ""}, {" ", "", ""}, {"-", "", ""}, {"None", "", ""}, {"null", "", ""}, {" NULL ", "", ""},
		{"N/A", "", ""}, {"nil", "", ""}, {"undefined", "", ""}, {"UNDEFINED", "", ""},
		{"0", "0", ""}, {"00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000", ""},
		{" 12 ", "12", "12"}, {"00000000000000a1", "00000000000000a1", "00000000000000a1"},
		{"12345678901234567890", "12345678901234567890", "12345678901234567890"},
		{"-1", "-1", "-1"}, {"nothing", "nothing", "nothing"}, {"undefined2", "undefined2", "undefined2"},
	} {
		if got := string(known([]byte(c.text), false)); got != c.known {
			t.Errorf("known(%q) = %q, expected %q", c.text, got, c.known)
		}
		if got := string(known([]byte(c.text), true)); got != c.knownID {
			t.Errorf("known(%q) as an id = %q, expected %q", c.text, got, c.knownID)
		}
	}
}
