package alert

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// The signatures are those that the receivers document; each is a pure function, tested
// against published values.

// dingTalkSign signs a moment for DingTalk's robot: HMAC-SHA256 over "milliseconds\nsecret",
// keyed with the secret, in base64. It goes into the address, beside the moment.
func dingTalkSign(secret string, at time.Time) (timestamp, sign string) {
	timestamp = strconv.FormatInt(at.UnixMilli(), 10)
	return timestamp, mac([]byte(secret), timestamp+"\n"+secret)
}

// feishuSign signs a moment for Feishu's robot: HMAC-SHA256 over nothing, keyed with
// "seconds\nsecret", in base64. It goes into the body, beside the moment.
func feishuSign(secret string, at time.Time) (timestamp, sign string) {
	timestamp = strconv.FormatInt(at.Unix(), 10)
	return timestamp, mac([]byte(timestamp+"\n"+secret), "")
}

// webhookSign signs a message as Standard Webhooks says: HMAC-SHA256 over "id.seconds.body", in
// base64 behind "v1,". A secret with the prefix whsec_ is base64, any other is taken as it is.
func webhookSign(secret, id string, at time.Time, body []byte) (timestamp, sign string) {
	timestamp = strconv.FormatInt(at.Unix(), 10)
	key := []byte(secret)
	if text, ok := strings.CutPrefix(secret, "whsec_"); ok {
		if raw, err := base64.StdEncoding.DecodeString(text); err == nil {
			key = raw
		}
	}
	return timestamp, "v1," + mac(key, id+"."+timestamp+"."+string(body))
}

func mac(key []byte, text string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text)) // a hash takes everything
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}
