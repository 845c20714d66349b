package alert

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Kinds of channels.
const (
	DingTalk = "dingtalk"
	Feishu   = "feishu"
	Slack    = "slack"
	Webhook  = "webhook"
)

// Schema names the shape of what a webhook gets.
const Schema = "retrytax.alert/v1"

// Channel is a place to send to.
type Channel struct {
	Name, Kind string
	URL        string // whole, with its token
	Secret     string // for the signature; "" is none
	Language   string // en | zh
}

// Message is an event on its way to one channel. Every try of it, and every later run, has
// the same key.
type Message struct {
	Event Event
	Key   string
}

// NewMessage gives the message of an event its key: of one database, night, condition and
// channel there is one.
func NewMessage(database string, e Event, c Channel) Message {
	h := sha256.Sum256([]byte(strings.Join([]string{database, e.Night, string(e.Condition), c.Name}, "\x00")))
	return Message{Event: e, Key: "retrytax_" + hex.EncodeToString(h[:16])}
}

// Body is what is sent, without a signature.
func (c Channel) Body(m Message) ([]byte, error) {
	b, err := encoded(c.payload(m))
	return b, err
}

// payload is the JSON that a channel takes. All send plain text: markup would be one more thing
// that data could break out of.
func (c Channel) payload(m Message) map[string]any {
	text := m.Event.Text(c.Language)
	switch c.Kind {
	case DingTalk:
		return map[string]any{"msgtype": "text", "text": map[string]any{"content": text}, "at": map[string]any{"isAtAll": false}}
	case Feishu:
		return map[string]any{"msg_type": "text", "content": map[string]any{"text": text}}
	case Slack:
		escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
		return map[string]any{"text": escaped, "mrkdwn": false, "unfurl_links": false}
	}
	return map[string]any{"schema": Schema, "id": m.Key, "title": m.Event.Title(c.Language), "text": text, "language": language(c.Language), "event": m.Event}
}

func language(l string) string {
	if l == Chinese {
		return Chinese
	}
	return English
}

// request is one try of a message, signed for its moment.
func (c Channel) request(ctx context.Context, m Message, now time.Time) (*http.Request, error) {
	payload, address := c.payload(m), c.URL
	if c.Secret != "" {
		switch c.Kind {
		case DingTalk:
			u, err := url.Parse(address)
			if err != nil {
				return nil, errAddress
			}
			q := u.Query()
			timestamp, sign := dingTalkSign(c.Secret, now)
			q.Set("timestamp", timestamp)
			q.Set("sign", sign)
			u.RawQuery = q.Encode()
			address = u.String()
		case Feishu:
			payload["timestamp"], payload["sign"] = feishuSign(c.Secret, now)
		}
	}
	body, err := encoded(payload)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, errAddress // its own words hold the address
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set("User-Agent", "retrytax")
	if c.Kind == Webhook {
		r.Header.Set("Idempotency-Key", m.Key)
		r.Header.Set("webhook-id", m.Key)
		if c.Secret != "" {
			timestamp, sign := webhookSign(c.Secret, m.Key, now, body)
			r.Header.Set("webhook-timestamp", timestamp)
			r.Header.Set("webhook-signature", sign)
		}
	}
	return r, nil
}

var errAddress = errors.New("found no address to send to, expected one such as https://example.com/hook")

// encoded is JSON whose < and > stand as they are: Feishu and DingTalk show text as it comes.
func encoded(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}
