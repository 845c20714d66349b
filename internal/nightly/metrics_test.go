package nightly

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"retrytax/internal/config"
	"retrytax/internal/report"
)

// hostileProviders are what a bill may call a provider.
var hostileProviders = []string{"acme", `a"} 1` + "\nevil 2", `back\slash`, "nul\x00", "\xff\xfe", strings.Repeat("long", 40) + "1", strings.Repeat("long", 40) + "2",
	"日本", "# HELP x y", "\u202eabc", "a/b", ""}

func hostileMonth() month {
	m := month{Totals: []report.Total{{ProviderBook: "all/bill", Currency: "USD", Billed: "5", Excess: "1", Unsettled: "0"}}}
	for i, p := range hostileProviders {
		m.Totals = append(m.Totals, report.Total{ProviderBook: p + "/bill", Currency: "USD", Billed: report.Money(fmt.Sprintf("%d.5", i)), Excess: "0.000000000001", Unsettled: ""})
	}
	for i := range 50 {
		m.Totals = append(m.Totals, report.Total{ProviderBook: fmt.Sprintf("p%02d/bill", i), Currency: "USD", Billed: "0.1", Excess: "0", Unsettled: "0"})
	}
	return m
}

// The grammar of the text format: comments, and a name with labels and a number.
var metricLine = regexp.MustCompile(`^([a-z_]+)(\{[a-z_]+="(\\[\\"n]|[^\\"\n])*"(,[a-z_]+="(\\[\\"n]|[^\\"\n])*")*\})? -?[0-9]+(\.[0-9]+)?$`)

func TestMetrics(t *testing.T) {
	dir := t.TempDir()
	cfg, err := config.Parse(filepath.Join(dir, "retrytax.yaml"), []byte("nightly: {metrics: t.prom}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := &run{o: Options{Config: cfg}, out: &Result{StartedAt: "2026-11-03T03:17:00Z", Worst: &Minute{Rate: 0.25}, Alerts: []Alert{{State: alertSent}}},
		state: &state{LastSuccess: "2026-11-02T03:17:00Z", Now: &facts{Months: map[string]month{"2026-08": {}, "2026-10": hostileMonth(), "2026-11": hostileMonth()}}}}
	if err := r.writeMetrics(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "t.prom"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	family, series := "", map[string]bool{}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok {
			family = strings.TrimSuffix(name, " gauge")
			continue
		}
		if strings.HasPrefix(line, "# HELP ") {
			continue
		}
		m := metricLine.FindStringSubmatch(line)
		if m == nil || m[1] != family {
			t.Errorf("found %q under %s", line, family)
			continue
		}
		if id := line[:strings.LastIndexByte(line, ' ')]; series[id] {
			t.Errorf("%s stands there twice", id)
		} else {
			series[id] = true
		}
	}
	for _, want := range []string{`retrytax_excess_amount{period="2026-11",provider="acme",currency="USD"} 0.000000000001`, "retrytax_nightly_last_run_timestamp_seconds 1793675820\n",
		"retrytax_nightly_worst_minute_error_ratio 0.25\n", `provider="(others)"`, `retrytax_nightly_alerts{state="sent"} 1`} {
		if !strings.Contains(text, want) {
			t.Errorf("found no %q in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "retrytax_billed_amount{"); n > 2*(mostProviders+1) {
		t.Errorf("found %d series, expected at most %d", n, 2*(mostProviders+1))
	}
	if strings.Contains(text, "2026-08") {
		t.Error("found a month that is not reported any more")
	}
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is missing; with it the file is checked by Prometheus' own rules too")
	}
	check := exec.Command(promtool, "check", "metrics")
	check.Stdin = strings.NewReader(text)
	if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}

// A bill can name a key where a provider should stand; others read the file.
func TestLabelsHoldNoKey(t *testing.T) {
	for _, secret := range []string{"sk-proj-abcdefghijklmnop", "password=hunter2"} {
		if got := labelValue(secret); strings.Contains(got, secret[5:]) {
			t.Errorf("labelValue(%q) = %q", secret, got)
		}
	}
}
