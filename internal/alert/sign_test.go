package alert

import (
	"testing"
	"time"
)

// The values were published by others: of DingTalk's and Feishu's robots in the tests of public
// clients, of Standard Webhooks in its own test suite.
func TestSignaturesArePublishedOnes(t *testing.T) {
	if at, sign := dingTalkSign("this is a secret", time.UnixMilli(1601187240000)); at != "1601187240000" || sign != "7gmCSzcAc2XzfB14K9+cRSM1hqBng7kT+N5k61qXXz0=" {
		t.Errorf("DingTalk: %s %s", at, sign)
	}
	for _, c := range []struct {
		secret string
		at     int64
		want   string
	}{
		{"demo", 1599360473, "l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8="},
		{"123", 1667820457, "A0jG/9oVYCU86IAS2umF0ZlrZKzG+J16TG+WiNh2eaw="},
		{"test_secret", 1234567890, "3H7JNC7ltBAwibQHFO1KFVN9HTkLtm2virjdsmGcAzw="},
	} {
		if _, sign := feishuSign(c.secret, time.Unix(c.at, 0)); sign != c.want {
			t.Errorf("Feishu, %s at %d: found %s, expected %s", c.secret, c.at, sign, c.want)
		}
	}
	at, sign := webhookSign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if at != "1614265330" || sign != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("Standard Webhooks: %s %s", at, sign)
	}
}
