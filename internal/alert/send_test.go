package alert

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// testClock stands still but for what is slept.
type testClock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func (c *testClock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *testClock) Sleep(_ context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.slept = c.now.Add(d), append(c.slept, d)
	return nil
}

// received is one request as a server saw it.
type received struct {
	query  url.Values
	header http.Header
	body   string
}

// post sends a message to a server that answers as answers say, the last one for ever, and
// returns what it saw, how long was slept, and what became of it.
func post(t *testing.T, c Channel, answers ...http.HandlerFunc) ([]received, []time.Duration, Result) {
	t.Helper()
	var seen []received
	var mu sync.Mutex
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		seen = append(seen, received{r.URL.Query(), r.Header, string(b)})
		n := min(len(seen), len(answers)) - 1
		mu.Unlock()
		answers[n](w, r)
	}))
	defer srv.Close()
	c.URL = srv.URL + "/hook?access_token=T0KEN"
	clock := &testClock{now: time.UnixMilli(1601187240000)}
	s := &Sender{Clock: clock, Timeout: 300 * time.Millisecond, Attempts: 4}
	res := s.Send(context.Background(), c, NewMessage("db", NewEvent(NewProvider, "2026-11-03", "UTC", "acme"), c))
	if res.Err != nil && (strings.Contains(res.Err.Error(), "T0KEN") || strings.Contains(res.Err.Error(), srv.URL)) {
		t.Errorf("the error shows the address: %v", res.Err)
	}
	return seen, clock.slept, res
}

func says(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

const secret = "this is a secret"

var channels = []Channel{
	{Name: "d", Kind: DingTalk, Secret: secret}, {Name: "f", Kind: Feishu, Secret: secret}, {Name: "s", Kind: Slack}, {Name: "w", Kind: Webhook, Secret: secret},
}

// taken is what a receiver of a kind answers when all is well.
func taken(kind string) http.HandlerFunc {
	return says(200, map[string]string{DingTalk: `{"errcode":0,"errmsg":"ok"}`, Feishu: `{"code":0,"msg":"success"}`, Slack: "ok", Webhook: ""}[kind])
}

func TestWhatIsSent(t *testing.T) {
	text := "retrytax · 2026-11-03 · a new provider\nSeen for the first time: acme"
	for _, c := range channels {
		seen, _, res := post(t, c, taken(c.Kind))
		if res.Err != nil || res.Attempts != 1 || len(seen) != 1 {
			t.Fatalf("%s: %+v, %d requests", c.Kind, res, len(seen))
		}
		r := seen[0]
		var body map[string]any
		if err := json.Unmarshal([]byte(r.body), &body); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(r.body, secret) || !strings.HasPrefix(r.header.Get("Content-Type"), "application/json") {
			t.Errorf("%s: %s %s", c.Kind, r.body, r.header)
		}
		switch c.Kind {
		case DingTalk:
			if r.query.Get("access_token") != "T0KEN" || r.query.Get("timestamp") != "1601187240000" || r.query.Get("sign") != "7gmCSzcAc2XzfB14K9+cRSM1hqBng7kT+N5k61qXXz0=" {
				t.Errorf("dingtalk: found %v", r.query)
			}
			if body["msgtype"] != "text" || body["text"].(map[string]any)["content"] != text {
				t.Errorf("dingtalk: found %s", r.body)
			}
		case Feishu:
			if _, sign := feishuSign(secret, time.Unix(1601187240, 0)); body["timestamp"] != "1601187240" || body["sign"] != sign {
				t.Errorf("feishu: found %s", r.body)
			}
			if body["msg_type"] != "text" || body["content"].(map[string]any)["text"] != text {
				t.Errorf("feishu: found %s", r.body)
			}
		case Slack:
			if body["text"] != text || body["mrkdwn"] != false {
				t.Errorf("slack: found %s", r.body)
			}
		case Webhook:
			_, sign := webhookSign(secret, r.header.Get("webhook-id"), time.Unix(1601187240, 0), []byte(r.body))
			if r.header.Get("webhook-signature") != sign || r.header.Get("Idempotency-Key") != body["id"] || body["schema"] != Schema || body["text"] != text {
				t.Errorf("webhook: found %s %v", r.body, r.header)
			}
		}
	}
}

// A receiver that stumbles is asked again, later and later, with the same key.
func TestFailedThenTaken(t *testing.T) {
	for _, c := range channels {
		seen, slept, res := post(t, c, says(500, "oops"), says(503, ""), taken(c.Kind))
		if res.Err != nil || res.Attempts != 3 || !slices.Equal(slept, []time.Duration{time.Second, 2 * time.Second}) {
			t.Errorf("%s: %+v, slept %v", c.Kind, res, slept)
		}
		if c.Kind == Webhook && (seen[0].header.Get("webhook-id") != seen[2].header.Get("webhook-id") || seen[0].header.Get("webhook-timestamp") == seen[2].header.Get("webhook-timestamp")) {
			t.Errorf("webhook: expected one id and a signature for each moment, found %v and %v", seen[0].header, seen[2].header)
		}
	}
}

func TestTriesAreBounded(t *testing.T) {
	for _, c := range channels {
		seen, _, res := post(t, c, says(500, ""))
		if res.Err == nil || res.Attempts != 4 || len(seen) != 4 || res.Unknown {
			t.Errorf("%s: %+v after %d requests", c.Kind, res, len(seen))
		}
	}
}

func TestRetryAfterIsWaited(t *testing.T) {
	for _, c := range []struct {
		header string
		slept  time.Duration
		tries  int
	}{
		{"7", 7 * time.Second, 2}, {"Sun, 27 Sep 2020 06:14:20 GMT", 20 * time.Second, 2}, {"soon", time.Second, 2}, {"-3", time.Second, 2},
		{"0", time.Second, 2}, {"3600", 0, 1}, {"99999999999999999999", time.Second, 2},
	} {
		_, slept, res := post(t, channels[2], says(429, "", "Retry-After", c.header), says(200, "ok"))
		if res.Attempts != c.tries || (c.tries == 2) != (res.Err == nil) || c.tries == 2 && slept[0] != c.slept {
			t.Errorf("Retry-After: %s: %+v, slept %v", c.header, res, slept)
		}
	}
}

// What was refused for good is not asked again.
func TestRefusedForGood(t *testing.T) {
	for name, c := range map[string]struct {
		channel Channel
		answer  http.HandlerFunc
		says    string
	}{
		"forbidden":     {channels[2], says(403, "invalid_token"), "found status 403"},
		"gone":          {channels[3], says(410, ""), "found status 410"},
		"dingtalk sign": {channels[0], says(200, `{"errcode":310000,"errmsg":"sign not match"}`), "code 310000 in the answer, expected 0 (its security"},
		"feishu sign":   {channels[1], says(200, `{"code":19021,"msg":"sign match fail"}`), "code 19021"},
		"not a robot":   {channels[0], says(200, `<html>`), "an answer without a code"},
	} {
		seen, _, res := post(t, c.channel, c.answer)
		if res.Err == nil || len(seen) != 1 || !strings.Contains(res.Err.Error(), c.says) {
			t.Errorf("%s: %+v after %d requests", name, res, len(seen))
		}
	}
}

// A robot that is busy says so in the body of a 200.
func TestBusyRobot(t *testing.T) {
	if _, _, res := post(t, channels[0], says(200, `{"errcode":130101,"errmsg":"send too fast"}`), taken(DingTalk)); res.Err != nil || res.Attempts != 2 {
		t.Errorf("%+v", res)
	}
}

// A signed message is for one host: no redirect is followed, and nothing reaches the other.
func TestRedirectIsNotFollowed(t *testing.T) {
	other := 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { other++ }))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 307, 308} {
		for _, c := range channels {
			seen, _, res := post(t, c, says(status, "", "Location", elsewhere.URL))
			if res.Err == nil || len(seen) != 1 || !strings.Contains(res.Err.Error(), "redirect") {
				t.Errorf("%s, %d: %+v after %d requests", c.Kind, status, res, len(seen))
			}
		}
	}
	if other != 0 {
		t.Errorf("%d requests reached the other host", other)
	}
}

// An answer that does not come leaves open whether the message was taken: a webhook, which knows
// the key, is asked again, a robot is not.
func TestSlow(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	slow := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-stop:
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}
	for _, c := range channels {
		_, _, res := post(t, c, slow, taken(c.Kind))
		switch {
		case c.Kind == Webhook && (res.Err != nil || res.Attempts != 2):
			t.Errorf("webhook: %+v", res)
		case c.Kind != Webhook && (res.Err == nil || !res.Unknown || res.Attempts != 1):
			t.Errorf("%s: %+v", c.Kind, res)
		}
	}
}

// Nobody listens: all are tried again, since nothing can have been taken.
func TestRefusedConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + l.Addr().String() + "/T0KEN"
	l.Close()
	for _, c := range channels {
		c.URL = address
		clock := &testClock{now: time.Unix(1601187240, 0)}
		res := (&Sender{Clock: clock, Timeout: time.Second, Attempts: 3}).Send(context.Background(), c, NewMessage("db", Event{Condition: RunFails, Night: "2026-11-03"}, c))
		if res.Err == nil || res.Unknown || res.Attempts != 3 || len(clock.slept) != 2 || strings.Contains(res.Err.Error(), "127.0.0.1") {
			t.Errorf("%s: %+v, slept %v", c.Kind, res, clock.slept)
		}
	}
}

// The key tells apart what is to be told apart, and nothing else.
func TestKeys(t *testing.T) {
	e := NewEvent(NewProvider, "2026-11-03", "UTC", "acme")
	key := NewMessage("db", e, channels[0]).Key
	if NewMessage("db", NewEvent(NewProvider, "2026-11-03", "UTC", "beta"), channels[0]).Key != key {
		t.Error("the same condition of the same night has another key")
	}
	for _, m := range []Message{NewMessage("db2", e, channels[0]), NewMessage("db", e, channels[1]),
		NewMessage("db", NewEvent(NewProvider, "2026-11-04", "UTC", "acme"), channels[0]), NewMessage("db", NewEvent(NewCause, "2026-11-03", "UTC"), channels[0])} {
		if m.Key == key {
			t.Errorf("%+v has the key of another", m)
		}
	}
}
