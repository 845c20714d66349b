package report

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestJSONHasNoUnseenControls: what is written reads back the same, and moves no terminal.
func TestJSONHasNoUnseenControls(t *testing.T) {
	given := "a\u009b31mb\u202ec\x1bd\u007f\u2066é中"
	b, err := (&Audit{Warnings: []Warning{{Code: "x", Text: given}}}).JSON()
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(b), "\u009b\u202e\u2066\x1b\u007f") || !strings.Contains(string(b), "é中") {
		t.Errorf("found a control in %q", b)
	}
	var back Audit
	if err := json.Unmarshal(b, &back); err != nil || back.Warnings[0].Text != given {
		t.Errorf("found %q back (%v), expected %q", back.Warnings, err, given)
	}
}
