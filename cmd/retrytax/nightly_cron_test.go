//go:build unix

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"retrytax/internal/nightly"
	"retrytax/internal/ui"
)

var (
	cronNights   = flag.Int("cron-nights", 0, "TestCron drives so many nights with a real cron; the month has 31. Needs root, cron and faketime")
	cronRequests = flag.Int("cron-requests", 3000, "calls in the month of TestCron")
)

// nightTime is how long TestCron waits for a night; what takes longer hangs.
const nightTime = 10 * time.Minute

// TestCron drives nights with Debian's cron and the crontab of README.md. Cron's clock is
// frozen by libfaketime at the minute of the crontab, a night later each time; a hang-up makes cron
// look at it. In the nights there are a kill, a missing log, an overlap and a late bill; at the end the
// books are those of one audit.
func TestCron(t *testing.T) {
	if *cronNights < 8 {
		t.Skip("-cron-nights 31 drives a month of nights with a real cron, in a few minutes")
	}
	s := newStage(t, *cronNights, *cronRequests)
	c := startCron(t, s)
	kill, late, missing, overlap := 3, 4, *cronNights/2+1, *cronNights-2
	for n := 1; n <= *cronNights; n++ {
		if n != missing {
			s.deliverLog(n)
		}
		if n == missing+1 {
			s.deliverLog(missing)
		}
		if n != late {
			s.deliverBill(n)
		}
		if n == *cronNights-1 {
			s.deliverBill(late)
		}
		switch n {
		case kill:
			c.night(n, "kill")
			c.wait(n)
		case overlap:
			c.night(n, "pause")
			c.waitFor("paused")
		case overlap + 1: // while the night before stands still
			c.night(n, "")
			c.wait(n)
			s.write("resume", "")
			c.wait(overlap)
		default:
			c.night(n, "")
			c.wait(n)
		}
	}
	codes := c.codes()
	for n := 1; n <= *cronNights; n++ {
		want := []string{"0", "3"}
		switch n {
		case kill:
			want = []string{"137"}
		case overlap + 1:
			want = []string{"5"}
		}
		if !slices.Contains(want, codes[n]) {
			t.Errorf("night %d exited with %q, expected %v", n, codes[n], want)
		}
	}
	results := c.results()
	if len(results) != *cronNights-1 { // the killed one says nothing
		t.Errorf("found %d results, expected %d", len(results), *cronNights-1)
	}
	for _, r := range results {
		lacks := r.Night == s.now(missing)[:10]
		if r.State == "done" && lacks != slices.Contains(r.Missing, "logs/app-*.jsonl") || r.Exit == ui.InUse && r.Night != s.now(overlap + 1)[:10] {
			t.Errorf("%s: %+v", r.Night, r)
		}
	}
	s.compare()
	told := s.toldOnce()
	if !slices.Contains(told, s.now(missing)[:10]+" missing_input") {
		t.Errorf("told: %v", told)
	}
	t.Logf("cron drove %d nights; told: %v", *cronNights, told)
}

// cron is a cron at work in a stage.
type cron struct {
	s   *stage
	cmd *exec.Cmd
}

// startCron starts a cron of its own: in a mount namespace of its own, since cron reads one
// place only, and nothing else that the machine's cron does may happen thirty times.
func startCron(t *testing.T, s *stage) *cron {
	library, _ := filepath.Glob("/usr/lib/*/faketime/libfaketime.so.1")
	for _, p := range []string{"cron", "unshare"} {
		if _, err := exec.LookPath(p); err != nil || os.Getuid() != 0 || len(library) == 0 {
			t.Skipf("%s is missing, or libfaketime, or this is not root", p)
		}
	}
	c := &cron{s: s}
	c.install()
	at := s.first.Add(20 * time.Hour)
	c.setClock(at)
	script := `set -e
mount --bind spool /var/spool/cron/crontabs
mount -t tmpfs none /etc/cron.d
mount --bind empty /etc/crontab
mount -t tmpfs none /run
exec env TZ=UTC LD_PRELOAD="$1" FAKETIME_TIMESTAMP_FILE="$2/clock" FAKETIME_NO_CACHE=1 NO_FAKE_STAT=1 cron -f`
	c.cmd = exec.Command("unshare", "-m", "sh", "-c", script, "sh", library[0], s.dir)
	c.cmd.Dir, c.cmd.Stderr, c.cmd.Stdout = s.dir, os.Stderr, os.Stderr
	s.check(c.cmd.Start())
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait()
	})
	time.Sleep(time.Second) // till it has set its signals
	return c
}

// install writes the crontab of README.md, for the stage's folder, and what it finds as retrytax.
func (c *cron) install() {
	s := c.s
	real, err := exec.LookPath("retrytax")
	s.check(err)
	for _, d := range []string{"spool", "bin"} {
		s.check(os.Mkdir(s.path(d), 0o755))
	}
	s.write("empty", "")
	s.write("alerts.env", "HOOK_URL="+s.hook.URL+"\nHOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")
	tab := strings.ReplaceAll(readmeBlock(s.t, "crontab"), "/srv/retrytax", s.dir)
	tab = regexp.MustCompile(`(?m)^PATH=.*`).ReplaceAllString(tab, "PATH="+s.path("bin")+":/usr/bin:/bin")
	s.write("spool/root", tab)
	s.check(os.Chmod(s.path("spool/root"), 0o600))
	s.write("bin/retrytax", fmt.Sprintf(nightScript, s.dir, real))
	s.check(os.Chmod(s.path("bin/retrytax"), 0o755))
}

// nightScript is the binary, with the clock of the night, and killed or stopped where a night is to be.
const nightScript = `#!/bin/sh
dir=%s real=%s
read n fault now < $dir/night
export RETRYTAX_NOW=$now
locked() { while ! grep -q "(process $1," $dir/retrytax.duckdb.nightly.lock 2>/dev/null; do sleep 0.02; done; }
case $fault in
kill) "$real" "$@" & p=$!; locked $p; sleep 0.2; kill -9 $p; wait $p; code=$?;;
pause) "$real" "$@" & p=$!; locked $p; kill -STOP $p; : > $dir/paused
  while [ ! -e $dir/resume ]; do sleep 0.1; done; kill -CONT $p; wait $p; code=$?;;
*) "$real" "$@"; code=$?;;
esac
echo $n $code >> $dir/codes
exit $code
`

// setClock is cron's time from now on.
func (c *cron) setClock(at time.Time) {
	c.s.write("clock.new", at.Format(time.DateTime)+"\n")
	c.s.check(os.Rename(c.s.path("clock.new"), c.s.path("clock")))
}

// night lets it become the minute of the crontab in a night.
func (c *cron) night(n int, fault string) {
	if fault == "" {
		fault = "none"
	}
	at, err := time.Parse(time.RFC3339, c.s.now(n))
	c.s.check(err)
	c.s.write("night", fmt.Sprintf("%d %s %s\n", n, fault, c.s.now(n)))
	c.setClock(at.Add(time.Second))
	c.s.check(c.cmd.Process.Signal(syscall.SIGHUP))
}

// wait waits until a night has exited.
func (c *cron) wait(n int) {
	c.until(fmt.Sprintf("night %d", n), func() bool { return c.codes()[n] != "" })
}

func (c *cron) waitFor(file string) {
	c.until(file, func() bool { _, err := os.Stat(c.s.path(file)); return err == nil })
}

func (c *cron) until(what string, done func() bool) {
	c.s.t.Helper()
	for end := time.Now().Add(nightTime); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			c.s.t.Fatalf("%s does not come; the log of the nights:\n%s", what, c.s.read("nightly.log"))
		}
	}
}

// codes are the exit codes by night.
func (c *cron) codes() map[int]string {
	out := map[int]string{}
	for _, l := range strings.Split(c.s.read("codes"), "\n") {
		var n int
		var code string
		if _, err := fmt.Sscan(l, &n, &code); err == nil {
			out[n] = code
		}
	}
	return out
}

// results are what the runs have printed, to where the crontab puts it.
func (c *cron) results() (out []*nightly.Result) {
	for _, l := range strings.SplitAfter(c.s.read("nightly.jsonl"), "\n") {
		if l != "" {
			out = append(out, resultOf(c.s.t, l))
		}
	}
	return out
}
