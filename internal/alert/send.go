package alert

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"syscall"
	"time"
)

// Clock is the time that a Sender goes by. Signatures need the true one.
type Clock interface {
	Now() time.Time
	// Sleep returns early, with its error, when the context ends.
	Sleep(ctx context.Context, d time.Duration) error
}

// WallClock is the machine's.
type WallClock struct{}

// Now is the time.
func (WallClock) Now() time.Time { return time.Now() }

// Sleep waits.
func (WallClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

const (
	firstWait   = time.Second // before the second try; it doubles
	longestWait = 30 * time.Second
)

// Sender delivers messages.
type Sender struct {
	Clock    Clock
	Timeout  time.Duration // of one try
	Attempts int           // tries of one message
	// Transport is what requests go through; nil is one of the package's own.
	Transport http.RoundTripper
}

// Result is what became of a message.
type Result struct {
	Attempts int   // tries made
	Err      error // nil is delivered
	Unknown  bool  // it may have been delivered although no answer came
}

// Send delivers a message, or says why it could not. It gives up when the context ends.
func (s *Sender) Send(ctx context.Context, c Channel, m Message) Result {
	client := &http.Client{Transport: s.Transport, Timeout: s.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	var r Result
	for wait := firstWait; ; wait *= 2 {
		r.Attempts++
		o := s.try(ctx, client, c, m)
		r.Err, r.Unknown = o.err, o.unknown
		if o.err == nil || !o.again || r.Attempts >= s.Attempts || ctx.Err() != nil {
			return r
		}
		if o.wait > longestWait {
			r.Err = fmt.Errorf("%w; it asked to wait %s, longer than a run waits", o.err, o.wait)
			return r
		}
		if s.Clock.Sleep(ctx, min(max(wait, o.wait), longestWait)) != nil {
			return r
		}
	}
}

// outcome is what became of one try: nothing in err is delivered.
type outcome struct {
	err     error
	unknown bool          // it may have been taken
	again   bool          // another try is right
	wait    time.Duration // that the receiver asked for
}

// try sends a message once.
func (s *Sender) try(ctx context.Context, client *http.Client, c Channel, m Message) outcome {
	var written atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { written.Store(true) }})
	req, err := c.request(ctx, m, s.Clock.Now())
	if err != nil {
		return outcome{err: err}
	}
	resp, err := client.Do(req)
	if err != nil {
		// A robot that may have taken the message is not told a second time.
		sent := written.Load()
		return outcome{err: plainly(err), unknown: sent, again: !sent || c.Kind == Webhook}
	}
	defer resp.Body.Close()
	o := outcome{err: c.judge(resp, s.Clock.Now())}
	if no := (*refusal)(nil); errors.As(o.err, &no) {
		o.again, o.wait, o.unknown = no.again, no.wait, no.unknown
	}
	return o
}

// plainly says what went wrong on the way, without the address: its path is a secret.
func plainly(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted")
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return errors.New("found no answer in time, expected one")
	case errors.As(err, &dns):
		return errors.New("found no such host, expected one that can be reached")
	case errors.Is(err, syscall.ECONNREFUSED):
		return errors.New("found nobody that listens there, expected a server")
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("found the connection closed without an answer, expected one")
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return errors.New("found no way to the host, expected one that can be reached")
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, new(tls.RecordHeaderError)):
		return errors.New("found a server that does not speak https, expected one that does")
	case isCertificate(err):
		return errors.New("found a certificate that cannot be trusted, expected a valid one of the host")
	case errors.As(err, new(*net.OpError)):
		return errors.New("found no connection that holds, expected a server that can be reached")
	}
	return errors.New("found no answer that HTTP knows, expected that of a web server")
}

// isCertificate tells what is wrong with the other side's certificate from all else.
func isCertificate(err error) bool {
	return errors.As(err, new(*tls.CertificateVerificationError)) || errors.As(err, new(x509.UnknownAuthorityError)) ||
		errors.As(err, new(x509.HostnameError)) || errors.As(err, new(x509.CertificateInvalidError))
}
