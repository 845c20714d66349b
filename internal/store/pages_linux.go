package store

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
)

const (
	adviseHuge     = 14 // MADV_HUGEPAGE
	advisePopulate = 23 // MADV_POPULATE_WRITE, of Linux 5.14
	populateStep   = 4 << 20
	// leastRegion: DuckDB reserves four fifths of the machine's memory for its blocks, as one
	// piece of addresses; nothing else in this process is of that size.
	leastRegion = 512 << 20
)

// wholePages lets the system give DuckDB's blocks memory in pages of 2 MB where it can, and asks for the
// first so many bytes of it in one go, while the first file is read. Taken page by page as it is
// touched, memory costs a third of a large run on a virtual machine. A system that knows neither is asked in vain.
// The function that it returns ends the asking.
// Source: https://www.kernel.org/doc/html/latest/admin-guide/mm/transhuge.html
func wholePages(first int64) (stop func()) {
	regions := blockRegions()
	for _, r := range regions {
		advise(r.from, r.to-r.from, adviseHuge)
	}
	var stopped atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for _, r := range regions {
			to := min(r.from+(r.to-r.from)*4/10, r.from+uintptr(first))
			for at := r.from; at+populateStep <= to && !stopped.Load(); at += populateStep {
				if !advise(at, populateStep, advisePopulate) {
					return
				}
			}
		}
	}()
	return func() { stopped.Store(true); <-ended }
}

// addresses are a piece of this process's memory; to is excluded.
type addresses struct{ from, to uintptr }

// blockRegions finds what DuckDB has reserved for its blocks.
// Source: https://www.kernel.org/doc/html/latest/filesystems/proc.html
func blockRegions() (out []addresses) {
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r addresses
		var mode, offset, device, inode string
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x %s %s %s %s", &r.from, &r.to, &mode, &offset, &device, &inode); n < 6 {
			continue
		}
		if anonymous := inode == "0" && !strings.Contains(lines.Text(), "["); anonymous && mode == "rw-p" && r.to-r.from >= leastRegion {
			out = append(out, r)
		}
	}
	return out
}

func advise(at, size uintptr, what int) bool {
	_, _, errno := syscall.Syscall(syscall.SYS_MADVISE, at, size, uintptr(what))
	return errno == 0
}
