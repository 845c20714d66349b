package synth

import (
	"testing"
	"time"
)

// TestPythonLines: the two lines of the first article, character by character. Numbers count
// from 0, the status is that of an earlier attempt, times have no zone.
func TestPythonLines(t *testing.T) {
	e, err := EncodeAttempts(PythonLog, time.FixedZone("UTC+8", 8*3600))
	if err != nil {
		t.Fatal(err)
	}
	end := time.Date(2026, 10, 3, 4, 0, 3, 412e6, time.UTC).UnixMilli()
	line := AttemptLine{RequestID: "9f2c7a1b4d6e8f039f2c7a1b4d6e8f03", Provider: "contoso", StartedAt: end - 12_340, EndedAt: end,
		ElapsedMS: 12_340, Outcome: "success"}
	late, again := line, line
	late.ElapsedMS, late.Outcome, late.Stage, late.number = 60_021, "timeout", "read", 1
	again = late
	again.status, again.number = 503, 2
	for want, a := range map[string]AttemptLine{
		"2026-10-03 12:00:03,412 INFO ai_api_client request_id=9f2c7a1b4d6e8f039f2c7a1b4d6e8f03 attempt=0 success cost=12.34s\n": line,
		"2026-10-03 12:00:03,412 WARNING ai_api_client request_id=9f2c7a1b4d6e8f039f2c7a1b4d6e8f03 attempt=1 timeout=60.02 " +
			"error=HTTPSConnectionPool(host='api.contoso.example', port=443): Read timed out. (read timeout=60) status=None\n": late,
		"2026-10-03 12:00:03,412 WARNING ai_api_client request_id=9f2c7a1b4d6e8f039f2c7a1b4d6e8f03 attempt=2 timeout=60.02 " +
			"error=HTTPSConnectionPool(host='api.contoso.example', port=443): Read timed out. (read timeout=60) status=503\n": again,
	} {
		if got := string(e.Append(nil, &a)); got != want {
			t.Errorf("got  %swant %s", got, want)
		}
	}
}

// TestOnlyTimeoutsAreLogged: the client of the first article says nothing of a refusal, and
// tells the status in the line of a later timeout.
func TestOnlyTimeoutsAreLogged(t *testing.T) {
	c := slowAnswers(4)
	c.Refused, c.OnlyTimeouts, c.FromZero = 0.1, true, true
	told := 0
	for _, a := range Generate(c).Attempts {
		if a.Outcome != "success" && a.Outcome != "timeout" {
			t.Fatalf("a line of a %s", a.Outcome)
		}
		told += count(a.Outcome == "timeout" && a.status == 429)
	}
	if told == 0 {
		t.Error("no timeout tells of a refusal before it")
	}
}
