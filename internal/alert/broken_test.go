package alert

import (
	"net/http"
	"strings"
	"testing"
)

// A robot says in the body whether it has taken a message. One that begins to answer and never
// says it may have; a receiver whose status says it all has.
func TestAnswerThatBreaksOff(t *testing.T) {
	for name, hang := range map[string]bool{"hangs": true, "is cut": false} {
		answer := func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "40")
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			if hang {
				<-r.Context().Done()
			}
			panic(http.ErrAbortHandler)
		}
		for _, c := range channels {
			seen, _, res := post(t, c, answer)
			robot := c.Kind == DingTalk || c.Kind == Feishu
			if len(seen) != 1 || res.Unknown != robot || (res.Err != nil) != robot {
				t.Errorf("%s, the answer %s: %+v after %d requests", c.Kind, name, res, len(seen))
			}
		}
	}
}

// What broke on the way is told in words, not in Go's types.
func TestConnectionWithoutAnAnswer(t *testing.T) {
	for name, answer := range map[string]string{"closed": "", "not HTTP": "nonsense\r\n\r\n"} {
		_, _, res := post(t, channels[0], func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = c.Write([]byte(answer))
			c.Close()
		})
		if res.Err == nil || !res.Unknown || strings.ContainsAny(res.Err.Error(), "*%.") || !strings.HasPrefix(res.Err.Error(), "found ") {
			t.Errorf("%s: %+v", name, res)
		}
	}
}
