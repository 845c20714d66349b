//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"retrytax/internal/nightly"
	"retrytax/internal/synth"
)

// stage is a place in which nights are run: a world's days, a folder as a server has it, and a
// receiver of alerts.
type stage struct {
	t     *testing.T
	dir   string
	days  []day
	first time.Time
	hook  *httptest.Server

	mu   sync.Mutex
	told []toldAlert
}

// day is the lines of one day, the bill's with its head.
type day struct{ log, bill []byte }

// toldAlert is what a webhook got.
type toldAlert struct {
	ID, Text string
	Event    struct{ Condition, Night string }
	body     string
}

// stageConfig is the configuration of the nights. Bills are complete, so that what a night
// reports is what an audit says.
const stageConfig = `currency: USD
providers:
  northwind: {lateness: 0s}
  contoso: {lateness: 0s}
sources:
  - {files: "logs/app-*.jsonl", role: attempts}
  - {files: "bills/*.csv", role: charges}
nightly: {metrics: retrytax.prom}
alerts:
  when: {error_rate: 0.9, retry_tax: {USD: 1000000}}
  channels:
    - {kind: webhook, url: "${HOOK_URL}/own", secret: "${HOOK_SECRET}"}
    - {kind: dingtalk, url: "${HOOK_URL}/dingtalk?access_token=t", secret: "${HOOK_SECRET}", language: zh}
`

func newStage(t *testing.T, days, requests int) *stage {
	c := synth.Mixed(11)
	c.Requests, c.Period = requests, time.Duration(days)*24*time.Hour
	w := synth.Generate(c)
	var attempts, charges bytes.Buffer
	for _, err := range []error{w.WriteAttempts(&attempts, synth.JSONL), w.WriteCharges(&charges, synth.CSV)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s := &stage{t: t, dir: t.TempDir(), first: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), days: make([]day, days)}
	bill := ended(lines(charges.Bytes()))
	for i := range s.days {
		s.days[i].bill = slices.Clone(bill[0])
	}
	for _, l := range ended(lines(attempts.Bytes())) {
		d := &s.days[s.dayOf(l)]
		d.log = append(d.log, l...)
	}
	for _, l := range bill[1:] {
		d := &s.days[s.dayOf(l)]
		d.bill = append(d.bill, l...)
	}
	for _, f := range []string{"logs", "bills", "all"} {
		s.check(os.Mkdir(s.path(f), 0o777))
	}
	s.write("retrytax.yaml", stageConfig)
	for i, d := range s.days {
		s.write(fmt.Sprintf("all/app-%02d.jsonl", i), string(d.log))
		s.write(fmt.Sprintf("all/bill-%02d.csv", i), string(d.bill))
	}
	s.hook = httptest.NewServer(http.HandlerFunc(s.receive))
	t.Cleanup(s.hook.Close)
	return s
}

// ended gives the last line its end as well.
func ended(lines [][]byte) [][]byte {
	for i, l := range lines {
		if !bytes.HasSuffix(l, []byte("\n")) {
			lines[i] = append(slices.Clone(l), '\n')
		}
	}
	return lines
}

var firstTime = regexp.MustCompile(`2026-1\d-\d\d[T ]`)

// dayOf is the day of the first time in a line; what spills over the last day belongs to it.
func (s *stage) dayOf(line []byte) int {
	at, err := time.Parse(time.DateOnly, strings.TrimRight(string(firstTime.Find(line)), "T "))
	s.check(err)
	return max(0, min(len(s.days)-1, int(at.Sub(s.first).Hours()/24)))
}

func (s *stage) path(name string) string { return filepath.Join(s.dir, name) }

func (s *stage) read(name string) string {
	b, _ := os.ReadFile(s.path(name))
	return string(b)
}

func (s *stage) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) write(name, text string) {
	s.t.Helper()
	s.check(os.WriteFile(s.path(name), []byte(text), 0o666))
}

// deliver puts the log of a day where a night finds it, and its bill, with that of the day before:
// exports overlap. Night n, from 1, finds day n-1.
func (s *stage) deliverLog(n int) {
	s.write(fmt.Sprintf("logs/app-%02d.jsonl", n-1), string(s.days[n-1].log))
}

func (s *stage) deliverBill(n int) {
	text := slices.Clone(s.days[n-1].bill)
	if n > 1 {
		_, before, _ := bytes.Cut(s.days[n-2].bill, []byte("\n"))
		text = append(text, before...)
	}
	s.write(fmt.Sprintf("bills/bill-%02d.csv", n-1), string(text))
}

// receive takes alerts as a webhook and as a robot of DingTalk.
func (s *stage) receive(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	if r.URL.Path == "/own" {
		a := toldAlert{body: string(b)}
		_ = json.Unmarshal(b, &a)
		s.mu.Lock()
		s.told = append(s.told, a)
		s.mu.Unlock()
	}
	_, _ = io.WriteString(w, `{"errcode":0,"errmsg":"ok"}`)
}

// now is when night n runs.
func (s *stage) now(n int) string {
	return s.first.AddDate(0, 0, n).Add(3*time.Hour + 17*time.Minute).Format(time.RFC3339)
}

func (s *stage) environment(n int) []string {
	return append(os.Environ(), "RETRYTAX_NOW="+s.now(n), "HOOK_URL="+s.hook.URL, "HOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
}

// command is night n, as cron starts it.
func (s *stage) command(n int) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command("retrytax", "nightly", "--config", s.path("retrytax.yaml"), "--threads", "2")
	cmd.Env = s.environment(n)
	out := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	return cmd, out
}

// run runs night n to its end, and returns what it says.
func (s *stage) run(n int) *nightly.Result {
	s.t.Helper()
	cmd, out := s.command(n)
	err := cmd.Run()
	return s.result(cmd, out, err)
}

// result reads the one line that a run has printed, and holds its code against the run's.
func (s *stage) result(cmd *exec.Cmd, out *bytes.Buffer, err error) *nightly.Result {
	s.t.Helper()
	r := resultOf(s.t, out.String())
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != r.Exit {
		s.t.Fatalf("the result says %d, the run %v", r.Exit, err)
	}
	return r
}

func resultOf(t *testing.T, line string) *nightly.Result {
	t.Helper()
	var r nightly.Result
	if err := json.Unmarshal([]byte(line), &r); err != nil || strings.Count(line, "\n") != 1 || r.Schema != nightly.Schema {
		t.Fatalf("found %q, expected one line of JSON (%v)", line, err)
	}
	return &r
}

// begun starts night n and waits until it holds the lock.
func (s *stage) begun(n int) (*exec.Cmd, *bytes.Buffer) {
	s.t.Helper()
	cmd, out := s.command(n)
	s.check(cmd.Start())
	holds := fmt.Sprintf("(process %d,", cmd.Process.Pid)
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if b, _ := os.ReadFile(s.path("retrytax.duckdb.nightly.lock")); strings.Contains(string(b), holds) {
			return cmd, out
		}
		if time.Now().After(end) {
			s.t.Fatal("the run does not take its lock")
		}
	}
}

// killed starts night n and kills it a while after it has begun.
func (s *stage) killed(n int, after time.Duration) {
	cmd, _ := s.begun(n)
	time.Sleep(after)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// overlapped runs night n while another run of it stands still.
func (s *stage) overlapped(n int) (first, second *nightly.Result) {
	cmd, out := s.begun(n)
	s.check(cmd.Process.Signal(syscall.SIGSTOP))
	second = s.run(n)
	s.check(cmd.Process.Signal(syscall.SIGCONT))
	err := cmd.Wait()
	return s.result(cmd, out, err), second
}

// compare holds the month's books, as the last night has published them, against one audit of all files: what each
// charge is, and every total.
func (s *stage) compare() {
	s.t.Helper()
	all, err := filepath.Glob(s.path("all/*"))
	s.check(err)
	cmd := exec.CommandContext(context.Background(), "retrytax", append([]string{"audit", "--config", s.path("retrytax.yaml"), "--period", "2026-10", "--no-workbook", "--out", s.path("audit")}, all...)...)
	cmd.Env = s.environment(len(s.days))
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("audit: %v\n%s", err, out)
	}
	want, got := s.verdicts("audit"), s.verdicts("reports/2026-10")
	if d := cmp.Diff(want, got); d != "" {
		s.t.Errorf("the verdicts differ (-audit +nights):\n%s", d)
	}
	if s.t.Failed() {
		s.t.Log(s.read("audit/rejects.csv"), s.read("reports/2026-10/rejects.csv"))
	}
	if len(want) < 100 {
		s.t.Errorf("found %d charges, expected a month of them", len(want))
	}
	for _, part := range []string{"totals", "verdicts", "requests", "bounds", "unbilled"} {
		if d := cmp.Diff(s.part("audit", part), s.part("reports/2026-10", part)); d != "" {
			s.t.Errorf("%s differ (-audit +nights):\n%s", part, d)
		}
	}
}

func (s *stage) part(folder, key string) any {
	s.t.Helper()
	b, err := os.ReadFile(s.path(folder + "/audit.json"))
	s.check(err)
	var v map[string]any
	s.check(json.Unmarshal(b, &v))
	return v[key]
}

// verdicts are the rows of verdicts.csv without the places where they stand, sorted.
func (s *stage) verdicts(folder string) (rows []string) {
	s.t.Helper()
	f, err := os.Open(s.path(folder + "/verdicts.csv"))
	s.check(err)
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	s.check(err)
	for _, r := range all {
		rows = append(rows, strings.Join(r[:len(r)-2], ","))
	}
	slices.Sort(rows)
	return rows
}

// toldOnce holds that nobody was told a thing twice, and returns what was told, "night condition".
func (s *stage) toldOnce() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	ids := map[string]bool{}
	for _, a := range s.told {
		what := a.Event.Night + " " + a.Event.Condition
		if slices.Contains(out, what) || ids[a.ID] {
			s.t.Errorf("%s was told twice", what)
		}
		ids[a.ID] = true
		out = append(out, what)
	}
	return out
}
