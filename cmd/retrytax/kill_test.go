//go:build unix

package main

import (
	"bytes"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"retrytax/internal/parts"
	"retrytax/internal/store"
	"retrytax/internal/synth"
)

var (
	kills    = flag.Int("kills", 3, "how often TestKill kills a run; a long search uses 200")
	killSeed = flag.Uint64("killseed", 1, "of the instants at which TestKill kills")
)

// nightCount is how many nights of files a database goes through before it is begun anew.
const nightCount = 5

// TestKill kills runs over a growing database with SIGKILL at random instants. Whatever the
// instant, the next run ends with the same books as a run that nothing disturbed.
func TestKill(t *testing.T) {
	parts.Later(t)
	dir := t.TempDir()
	nights := writeNights(t, dir)
	var want []map[string]string // the books after each night
	undisturbed := filepath.Join(dir, "undisturbed.duckdb")
	took := map[string]time.Duration{}
	for _, n := range nights {
		for _, args := range n.commands() {
			began := time.Now()
			n.run(t, undisturbed, args)
			took[args[0]] = max(took[args[0]], time.Since(began))
		}
		want = append(want, books(t, undisturbed))
	}
	random := rand.New(rand.NewPCG(*killSeed, 0))
	landed := 0
	for i := range *kills {
		n := i % nightCount
		db := filepath.Join(dir, fmt.Sprintf("killed-%d.duckdb", i/nightCount))
		commands := nights[n].commands()
		at := random.IntN(len(commands))
		for c, args := range commands {
			if c == at {
				after := time.Duration(random.Int64N(int64(took[args[0]] * 11 / 10)))
				if nights[n].kill(t, db, args, after) {
					landed++
				}
				lookAfterKill(t, dir, db)
			}
			nights[n].run(t, db, args)
		}
		if d := cmp.Diff(want[n], books(t, db)); d != "" {
			t.Fatalf("kill %d, night %d: the books differ (-undisturbed +killed):\n%s", i, n, d)
		}
	}
	t.Logf("%d runs killed, %d of them before they had ended", *kills, landed)
}

// night is the files of one night, and where they lie.
type night struct {
	dir   string
	files []string
}

// commands are what a night runs, without the database.
func (n night) commands() [][]string {
	all := [][]string{append([]string{"ingest"}, n.files...)}
	root := newRootCommand(env{})
	if c, _, err := root.Find([]string{"reconcile"}); err == nil && c.Name() == "reconcile" {
		all = append(all, []string{"reconcile"})
	}
	return all
}

func (n night) command(db string, args []string) *exec.Cmd {
	cmd := exec.Command("retrytax", append(slices.Clone(args), "--db", db, "--threads", "2")...)
	cmd.Dir = n.dir
	cmd.Env = append(os.Environ(), "RETRYTAX_NOW="+fixedNow)
	return cmd
}

func (n night) run(t *testing.T, db string, args []string) {
	t.Helper()
	if out, err := n.command(db, args).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// kill starts a run and kills it; it returns whether the run had not ended by then.
func (n night) kill(t *testing.T, db string, args []string, after time.Duration) bool {
	t.Helper()
	cmd := n.command(db, args)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	_ = cmd.Process.Kill()
	err := cmd.Wait()
	return err != nil && !cmd.ProcessState.Exited()
}

// lookAfterKill asks for the status of what a killed run has left: it is told, or there is
// no database yet; never anything else.
func lookAfterKill(t *testing.T, dir, db string) {
	t.Helper()
	cmd := exec.Command("retrytax", "status", "--db", db)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(string(out), "found no such file") && !strings.Contains(string(out), "into which nothing was loaded") {
		t.Fatalf("status after a kill: %v\n%s", err, out)
	}
}

// writeNights makes a few days of a world, a log and a bill a night; bills overlap by half.
func writeNights(t *testing.T, dir string) (nights []night) {
	c := synth.Mixed(11)
	c.Requests, c.Period = 1500, nightCount*24*time.Hour
	w := synth.Generate(c)
	var attempts, charges bytes.Buffer
	for _, err := range []error{w.WriteAttempts(&attempts, synth.JSONL), w.WriteCharges(&charges, synth.CSV)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	log, bill := lines(attempts.Bytes()), lines(charges.Bytes())
	head, bill := bill[0], bill[1:]
	for i := range nightCount {
		part := func(all [][]byte, overlap int) []byte {
			from := max(0, len(all)*i/nightCount-overlap)
			return bytes.Join(all[from:len(all)*(i+1)/nightCount], nil)
		}
		n := night{dir: dir, files: []string{fmt.Sprintf("app-%d.jsonl", i), fmt.Sprintf("bill-%d.csv", i)}}
		for name, b := range map[string][]byte{n.files[0]: part(log, 0), n.files[1]: slices.Concat(head, part(bill, len(bill)/nightCount/2))} {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		nights = append(nights, n)
	}
	return nights
}

func lines(b []byte) [][]byte { return bytes.SplitAfter(bytes.TrimRight(b, "\n"), []byte("\n")) }

// books are the tables of a database, each as a sum over its rows. A run that was killed when
// it had committed leaves its run behind, so that the numbers of runs are left out.
func books(t *testing.T, db string) map[string]string {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Path: db, ReadOnly: true, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	sums := map[string]string{}
	err = s.Query(ctx, `SELECT table_name, bool_or(column_name = 'run_no') FROM duckdb_columns() JOIN duckdb_tables() USING (table_name)
		WHERE table_name NOT IN ('src_runs', 'src_settings') GROUP BY table_name`, func(r *sql.Rows) error {
		var name string
		var runs bool
		if err := r.Scan(&name, &runs); err != nil {
			return err
		}
		sums[name] = map[bool]string{true: "* EXCLUDE (run_no)", false: "*"}[runs]
		return nil
	})
	for name, columns := range sums {
		if err == nil {
			err = s.Query(ctx, "SELECT count(*) || ' rows, ' || coalesce(sum(CAST(hash(t) AS HUGEINT)), 0) FROM (SELECT "+columns+" FROM "+store.Ident(name)+") t", func(r *sql.Rows) error {
				var sum string
				err := r.Scan(&sum)
				sums[name] = sum
				return err
			})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return sums
}
