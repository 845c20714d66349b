package main

import (
	"errors"
	"fmt"
	"testing"

	"retrytax/internal/pipeline"
	"retrytax/internal/ui"
)

func TestErrorsHaveTheirExitCodes(t *testing.T) {
	for want, err := range map[int]error{
		ui.OK:             nil,
		ui.Failed:         errors.New("anything else"),
		ui.Usage:          &pipeline.PeriodError{Found: "tomorrow"},
		ui.Found:          &ui.Error{Code: ui.Found, Msg: "excess above the limit"},
		ui.ChecksFailed:   fmt.Errorf("audit: %w", &pipeline.ChecksError{}),
		ui.NothingAudited: &pipeline.NothingError{Found: "no charges"},
	} {
		if got := exitCode(err); got != want {
			t.Errorf("%v: exit code %d, want %d", err, got, want)
		}
	}
}
