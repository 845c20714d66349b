package alert

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestAnswer is how much of an answer is read.
const longestAnswer = 64 << 10

// refusal is why a receiver did not take a message.
type refusal struct {
	text  string
	again bool          // it may take it later
	wait  time.Duration // that it asked for; 0 is none
	// unknown is that what it has said of the message was lost.
	unknown bool
}

func (r *refusal) Error() string { return r.text }

// judge reads an answer: nil is delivered. The robots answer 200 to what they refuse, with a
// code in the body.
func (c Channel) judge(resp *http.Response, now time.Time) error {
	body, err := io.ReadAll(io.LimitReader(resp.Body, longestAnswer))
	status := resp.StatusCode
	switch {
	case status >= 300 && status < 400:
		return &refusal{text: fmt.Sprintf("found a redirect (status %d), which is not followed; expected the final address", status)}
	case status < 200 || status > 299:
		return &refusal{text: fmt.Sprintf("found status %d, expected 200", status), again: mayPass(status), wait: retryAfter(resp.Header.Get("Retry-After"), now)}
	case c.Kind == Slack || c.Kind == Webhook:
		return nil // the status says it all
	}
	code, known := answerCode(body)
	switch {
	case !known && err != nil:
		return &refusal{text: "found an answer that breaks off before its code, expected that of a robot of " + c.Kind, unknown: true}
	case !known:
		return &refusal{text: "found an answer without a code, expected that of a robot of " + c.Kind}
	case code != 0:
		return &refusal{text: fmt.Sprintf("found code %d in the answer, expected 0%s", code, codeHints[c.Kind][code]), again: codeAgain[c.Kind][code]}
	}
	return nil
}

// answerCode is errcode of DingTalk, code or StatusCode of Feishu.
func answerCode(body []byte) (int64, bool) {
	var a struct {
		ErrCode    *int64 `json:"errcode"`
		Code       *int64 `json:"code"`
		StatusCode *int64 `json:"StatusCode"`
	}
	if json.Unmarshal(body, &a) != nil {
		return 0, false
	}
	for _, v := range []*int64{a.ErrCode, a.Code, a.StatusCode} {
		if v != nil {
			return *v, true
		}
	}
	return 0, false
}

// codeAgain are codes of robots that ask to come again: busy, or too many messages.
var codeAgain = map[string]map[int64]bool{
	DingTalk: {-1: true, 130101: true, 410100: true},
	Feishu:   {9499: false, 11232: true},
}

var codeHints = map[string]map[int64]string{
	DingTalk: {310000: " (its security settings refuse the message: is the secret right?)", 300005: " (the token is not known)"},
	Feishu:   {19021: " (the signature is not right: is the secret, is the clock?)", 19022: " (this address is not allowed)", 19024: " (the keyword is missing)"},
}

// mayPass tells whether a status may be another one later.
func mayPass(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// retryAfter reads seconds or a date; 0 is neither.
func retryAfter(v string, now time.Time) time.Duration {
	v = strings.TrimSpace(v)
	if n, err := strconv.ParseInt(v, 10, 32); err == nil && n >= 0 {
		return time.Duration(n) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return 0
}
