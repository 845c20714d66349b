package main

import (
	"io"
	"os"
	"sync"

	"retrytax/internal/ui"
)

// progressBar turns the pipeline's reports into a bar on a terminal.
type progressBar struct {
	ui.Progress
	mu    sync.Mutex
	stage string
	done  int64
}

func progressOf(w io.Writer) *progressBar {
	if f, ok := w.(*os.File); ok {
		return &progressBar{Progress: ui.NewProgress(f)}
	}
	return &progressBar{Progress: ui.NoProgress{}}
}

func (p *progressBar) step(stage string, done int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if stage != p.stage {
		p.stage, p.done = stage, 0
		p.Stage(stage, 0)
	}
	if done > p.done {
		p.Add(done - p.done)
		p.done = done
	}
}
