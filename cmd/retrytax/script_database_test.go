package main

import (
	"context"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"retrytax/internal/pipeline"
	"retrytax/internal/store"
)

// execSQL makes what no command of retrytax makes: databases of other versions and of others.
func execSQL(ts *testscript.TestScript, args []string) {
	s, err := store.Open(context.Background(), store.Options{Path: ts.MkAbs(args[0]), Threads: 1})
	ts.Check(err)
	ts.Check(s.Run(context.Background(), "script", args[1]))
	ts.Check(s.Close())
}

// held are the databases that scripts hold, by path.
var held sync.Map

func hold(ts *testscript.TestScript, args []string) {
	path := ts.MkAbs(args[0])
	now, err := time.Parse(time.RFC3339, fixedNow)
	ts.Check(err)
	l, err := pipeline.OpenLiving(context.Background(), pipeline.LivingOptions{Options: store.Options{Path: path, Threads: 1}, Command: "ingest", Now: now})
	ts.Check(err)
	held.Store(path, l)
	ts.Defer(func() { _ = letGoOf(path) })
}

func letGo(ts *testscript.TestScript, args []string) { ts.Check(letGoOf(ts.MkAbs(args[0]))) }

func letGoOf(path string) error {
	l, ok := held.LoadAndDelete(path)
	if !ok {
		return nil
	}
	return l.(*pipeline.Living).Close()
}
