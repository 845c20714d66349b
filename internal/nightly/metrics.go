package nightly

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/alert"
	"retrytax/internal/report"
)

// metric is one family of Prometheus' text format.
type metric struct {
	name, help string
	samples    []sample
}

// sample is one line: labels in order, name and value by turns, and the value as text.
type sample struct {
	labels []string
	value  string
}

// mostProviders is how many providers have series of their own in a month; the others are one.
// Names come from the data, and each is a series for ever.
const mostProviders = 20

// writeMetrics writes the file that the configuration names, aside, and renames it. Like the
// state, it says what is known after this night, whether or not the night went well.
func (r *run) writeMetrics() error {
	// A run that another one shut out has nothing to say; the other one's file stays.
	if !r.o.Config.Nightly.Metrics.IsSet() || r.o.DryRun || r.locked {
		return nil
	}
	var b strings.Builder
	for _, m := range r.metrics() {
		if len(m.samples) == 0 {
			continue
		}
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s gauge\n", m.name, m.help, m.name)
		for _, s := range m.samples {
			b.WriteString(m.name + labels(s.labels) + " " + s.value + "\n")
		}
	}
	return writeAside(r.o.Config.Path(r.o.Config.Nightly.Metrics.Value), []byte(b.String()))
}

// metrics are all families, in a fixed order.
func (r *run) metrics() []metric {
	one := func(name, help, value string) metric {
		m := metric{name: name, help: help}
		if value != "" {
			m.samples = []sample{{value: value}}
		}
		return m
	}
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	worst, missing := "", ""
	if r.out.Worst != nil {
		worst = strconv.FormatFloat(r.out.Worst.Rate, 'f', -1, 64)
	}
	if r.night != nil {
		missing = whole(int64(len(r.out.Missing)))
	}
	out := []metric{
		one("retrytax_nightly_last_run_timestamp_seconds", "When the last nightly run began.", seconds(r.out.StartedAt)),
		one("retrytax_nightly_last_success_timestamp_seconds", "When the last nightly run began that went well.", seconds(r.lastSuccess())),
		one("retrytax_nightly_exit_code", "Exit code of the last nightly run: 0 done, 3 a condition was met.", whole(int64(r.out.Exit))),
		{"retrytax_nightly_loaded_rows", "Rows that the last nightly run has loaded.", []sample{
			{[]string{"side", "attempts"}, whole(r.out.Ingest.Attempts)}, {[]string{"side", "charges"}, whole(r.out.Ingest.Charges)}}},
		one("retrytax_nightly_rejected_rows", "Rows that the last nightly run could not read.", whole(r.out.Ingest.Rejected)),
		one("retrytax_nightly_missing_sources", "Sources of which the last nightly run found nothing new.", missing),
		one("retrytax_nightly_failed_checks", "Checks that failed in the last nightly run.", whole(int64(len(r.checks)))),
		one("retrytax_nightly_worst_minute_error_ratio", "Highest share of failed attempts in a minute of the last night's log.", worst),
		r.alertsMetric(),
	}
	return append(out, r.books()...)
}

func (r *run) lastSuccess() string {
	if r.state == nil {
		return ""
	}
	return r.state.LastSuccess
}

func (r *run) alertsMetric() metric {
	m := metric{name: "retrytax_nightly_alerts", help: "Alerts of the last nightly run, by what became of them."}
	count := map[string]int{}
	for _, a := range r.out.Alerts {
		count[a.State]++
	}
	for _, state := range []string{alertSent, alertAlready, alertFailed, alertUnknown} {
		m.samples = append(m.samples, sample{[]string{"state", state}, strconv.Itoa(count[state])})
	}
	return m
}

// books are the money of the months that are still reported, by provider.
func (r *run) books() []metric {
	billed := metric{name: "retrytax_billed_amount", help: "Billed in a month, in the currency named."}
	excess := metric{name: "retrytax_excess_amount", help: "Billed in a month and settled that should not have been paid."}
	open := metric{name: "retrytax_unsettled_amount", help: "Billed in a month and too near the edge of the data to tell."}
	if r.state == nil || r.state.Now == nil {
		return nil
	}
	months := slices.Sorted(maps.Keys(r.state.Now.Months))
	if len(months) > 2 {
		months = months[len(months)-2:]
	}
	for _, period := range months {
		for _, t := range grouped(r.state.Now.Months[period].Totals) {
			l := []string{"period", period, "provider", t.ProviderBook, "currency", t.Currency}
			billed.samples = append(billed.samples, sample{l, string(t.Billed)})
			excess.samples = append(excess.samples, sample{l, string(t.Excess)})
			open.samples = append(open.samples, sample{l, string(t.Unsettled)})
		}
	}
	return []metric{billed, excess, open}
}

// grouped is the totals by provider, those with the most money by name, under names fit for a label: two that
// become one are added, since a series must not stand there twice.
func grouped(totals []report.Total) []report.Total {
	type key struct{ provider, currency string }
	sums := map[key][3]decimal.Decimal{}
	totals = slices.Clone(totals)
	slices.SortStableFunc(totals, func(a, b report.Total) int { return decimalOf(b.Billed).Abs().Cmp(decimalOf(a.Billed).Abs()) })
	named := map[string]bool{}
	for _, t := range totals {
		provider, _ := splitBook(t.ProviderBook)
		if provider == "all" {
			continue
		}
		name := labelValue(provider)
		if !named[name] && len(named) >= mostProviders {
			name = "(others)"
		}
		named[name] = true
		s := sums[key{name, t.Currency}]
		for i, m := range []report.Money{t.Billed, t.Excess, t.Unsettled} {
			s[i] = s[i].Add(decimalOf(m))
		}
		sums[key{name, t.Currency}] = s
	}
	var out []report.Total
	for k, s := range sums {
		out = append(out, report.Total{ProviderBook: k.provider, Currency: labelValue(k.currency), Billed: money(s[0]), Excess: money(s[1]), Unsettled: money(s[2])})
	}
	slices.SortFunc(out, func(a, b report.Total) int {
		return strings.Compare(a.ProviderBook+"\x00"+a.Currency, b.ProviderBook+"\x00"+b.Currency)
	})
	return out
}

// labelValue makes a name from the data fit for a label: as in a message, since a bill can name a key
// where a provider should stand, and the file is read by others.
func labelValue(text string) string { return alert.Name(text) }

// labels are written as Prometheus' text format has them.
func labels(pairs []string) string {
	if len(pairs) == 0 {
		return ""
	}
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		parts = append(parts, pairs[i]+`="`+escape.Replace(pairs[i+1])+`"`)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func seconds(rfc3339 string) string {
	t, err := time.Parse(time.RFC3339, rfc3339)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(t.Unix(), 10)
}
