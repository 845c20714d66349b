package ui

import (
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress says how far a run has come. Its methods may be called from several goroutines.
type Progress interface {
	Stage(name string, total int64) // begins a stage; total ≤ 0 is unknown
	Add(n int64)                    // n more of the stage's total are done
	Done()                          // ends the last stage and clears the line
}

// NewProgress shows a bar on a terminal, and nothing at all anywhere else: a cron job's
// mail and a log file want no bars.
func NewProgress(f *os.File) Progress {
	if f == nil || !term.IsTerminal(int(f.Fd())) {
		return NoProgress{}
	}
	return &barProgress{out: f}
}

// NoProgress says nothing.
type NoProgress struct{}

func (NoProgress) Stage(string, int64) {}
func (NoProgress) Add(int64)           {}
func (NoProgress) Done()               {}

type barProgress struct {
	mu  sync.Mutex
	out *os.File
	bar *progressbar.ProgressBar
}

func (p *barProgress) Stage(name string, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	if total <= 0 {
		total = -1 // a spinner
	}
	p.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(p.out),
		progressbar.OptionSetDescription(Cut(Clean(name), 40)),
		progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(total > 0),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetRenderBlankState(true),
	)
}

// The bar is decoration: where it cannot be drawn, the run goes on without it, so the
// errors of the terminal are dropped.
func (p *barProgress) Add(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Add64(n)
	}
}

func (p *barProgress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *barProgress) clear() {
	if p.bar != nil {
		_ = p.bar.Finish() // which clears the line, and ends a spinner's goroutine
		p.bar = nil
	}
}
