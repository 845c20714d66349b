package nightly

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"retrytax/internal/alert"
	"retrytax/internal/config"
)

// tellingTime bounds how long a night tells: a scheduler waits for it.
const tellingTime = 5 * time.Minute

// tell sends every event to every channel that this night has not told yet. What cannot be
// delivered stands in the result and fails nothing.
func (r *run) tell(ctx context.Context, events []alert.Event) {
	ctx, cancel := context.WithTimeout(ctx, tellingTime)
	defer cancel()
	sender := r.o.Sender()
	for _, c := range r.o.Config.Alerts.Channels {
		channel, err := r.channel(c)
		if err != nil && !r.o.DryRun {
			r.warn(fmt.Sprintf("alerts: channel %s: %v; nothing reaches it", c.Name, err))
		}
		for _, e := range events {
			told := Alert{Condition: string(e.Condition), Channel: c.Name}
			switch {
			case r.o.DryRun:
				told.State = alertDry
				r.show(c, channel, e)
			case err != nil:
				told.State, told.Error = alertFailed, err.Error()
			default:
				r.deliver(ctx, sender, channel, e, &told)
			}
			r.out.Alerts = append(r.out.Alerts, told)
		}
	}
}

// deliver sends one message, unless this night has. It is noted before and after, so that a
// run that is killed in between tells nobody twice: only a webhook, which knows the key, is told again.
func (r *run) deliver(ctx context.Context, sender *alert.Sender, c alert.Channel, e alert.Event, told *Alert) {
	name := told.Condition + " " + told.Channel
	was := r.state.Night.Alerts[name]
	switch was.State {
	case alertSent:
		told.State, told.Tries = alertAlready, was.Tries
		return
	case alertUnknown, alertSending:
		if c.Kind != alert.Webhook {
			told.State, told.Tries, told.Error = alertUnknown, was.Tries, "an earlier run of this night may have delivered it"
			return
		}
	}
	r.note(name, delivery{State: alertSending, Tries: was.Tries})
	res := sender.Send(ctx, c, alert.NewMessage(r.out.Database, e, c))
	told.Tries = was.Tries + res.Attempts
	switch {
	case res.Err == nil:
		told.State = alertSent
	case res.Unknown:
		told.State, told.Error = alertUnknown, res.Err.Error()
	default:
		told.State, told.Error = alertFailed, res.Err.Error()
	}
	r.note(name, delivery{State: told.State, Tries: told.Tries})
}

func (r *run) note(name string, d delivery) {
	r.state.Night.Alerts[name] = d
	if err := r.state.save(); err != nil {
		r.fail(err)
	}
}

// channel puts the environment's secrets in.
func (r *run) channel(c config.Channel) (alert.Channel, error) {
	out := alert.Channel{Name: c.Name, Kind: c.Kind, Language: cmp.Or(c.Language, r.o.Config.Alerts.Language.Value)}
	var err error
	if out.URL, err = c.URL.Reveal(r.o.Lookup); err != nil {
		return out, err
	}
	if err := config.CheckURL(out.URL, c.Kind); err != nil {
		return out, err
	}
	out.Secret, err = c.Secret.Reveal(r.o.Lookup)
	return out, err
}

// show prints what would be sent, without addresses and secrets.
func (r *run) show(c config.Channel, channel alert.Channel, e alert.Event) {
	body, err := channel.Body(alert.NewMessage(r.out.Database, e, channel))
	if err != nil {
		body = []byte(err.Error())
	}
	text := strings.ReplaceAll(e.Text(channel.Language), "\n", "\n  ")
	fmt.Fprintf(r.o.Shown, "would send to %s (%s, %s):\n  %s\n  as %s\n", c.Name, c.Kind, c.URL, text, body)
}
