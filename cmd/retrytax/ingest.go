package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/internal/ui"
)

// databaseName is the database that commands work on unless --db names another.
const databaseName = "retrytax.duckdb"

// lookWait is how long a run waits for another one that only looks at the database.
const lookWait = 2 * time.Second

// IngestOptions are the flags of retrytax ingest.
type IngestOptions struct {
	inputOptions
	DB, MemoryLimit string
	JSON, DryRun    bool
}

func newIngestCommand(e env) *cobra.Command {
	var o IngestOptions
	cmd := &cobra.Command{
		Use:   "ingest FILES…",
		Short: "Load new logs and bills into a database that lives",
		Long: "Loads FILES into a database, in one transaction. A content that is there already is no news,\n" +
			"whatever its name or compression; of files that overlap each row counts once; a newer export\n" +
			"replaces what an older one says of the same line. Of a log that is still being written the\n" +
			"last line waits until it has its end. What is new is judged by retrytax reconcile.\n\n" + ui.ExitHelp,
		Example: "  retrytax ingest logs/app-*.log bills/*.csv\n  retrytax ingest app.log bill.csv --db october.duckdb --json\n  retrytax ingest export.csv --dry-run",
		RunE:    func(cmd *cobra.Command, args []string) error { return runIngest(cmd.Context(), e, o, args) },
	}
	f := cmd.Flags()
	o.addReadFlags(f)
	f.BoolVar(&o.KeepRaw, "keep-raw", false, "keep prompts and keys of lines that cannot be read")
	f.StringVar(&o.DB, "db", databaseName, "the database; it is made if there is none")
	addMemoryLimit(f, &o.MemoryLimit)
	f.BoolVar(&o.DryRun, "dry-run", false, "say what each file is taken for, why, and what its rows become; write nothing")
	f.BoolVar(&o.JSON, "json", false, "print the result as JSON (retrytax.ingest/v1)")
	return cmd
}

func runIngest(ctx context.Context, e env, o IngestOptions, args []string) (err error) {
	if err := checkMemoryLimit(o.MemoryLimit); err != nil {
		return err
	}
	files, opts, err := o.prepare(e, args)
	if err != nil {
		return err
	}
	defer closeInputs(files)
	if o.DryRun {
		return dryRun(ctx, e, o, files, opts)
	}
	progress := progressOf(e.err)
	opts.Progress = progress.step
	defer progress.Done()
	l, err := pipeline.OpenLiving(ctx, pipeline.LivingOptions{Options: store.Options{Path: o.DB, Threads: o.Threads, MemoryLimit: o.MemoryLimit},
		Command: "ingest", Create: true, Now: opts.Now, Wait: lookWait})
	if err != nil {
		return err
	}
	r, err := pipeline.Ingest(ctx, l, files, opts)
	if cerr := l.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	progress.Done()
	return printIngested(e.out, o.JSON, r)
}

// dryRun reads the files into a database in memory, and says what came of it. The database of
// --db is not looked at.
func dryRun(ctx context.Context, e env, o IngestOptions, files []pipeline.File, opts pipeline.Options) error {
	s, err := store.Open(ctx, store.Options{Threads: o.Threads, MemoryLimit: o.MemoryLimit})
	if err != nil {
		return err
	}
	defer s.Close()
	p, err := pipeline.Preview(ctx, s, files, opts)
	if err != nil {
		return err
	}
	if o.JSON {
		var b []byte
		if b, err = p.JSON(); err == nil {
			_, err = e.out.Write(b)
		}
	} else {
		err = ui.WritePreview(e.out, p, terminal(e.out))
	}
	bad := 0
	for _, f := range p.Files {
		if f.Error != "" {
			bad++
		}
	}
	if err == nil && bad > 0 {
		err = &ui.Error{Code: ui.Failed, Msg: fmt.Sprintf("%d of %d files cannot be read", bad, len(p.Files)), Hint: "what was said of each file above tells what to do"}
	}
	return err
}

func printIngested(out io.Writer, asJSON bool, r *report.Ingested) error {
	if !asJSON {
		return ui.WriteIngested(out, r, terminal(out))
	}
	b, err := r.JSON()
	if err == nil {
		_, err = out.Write(b)
	}
	return err
}
