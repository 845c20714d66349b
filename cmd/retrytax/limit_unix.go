//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreFileLimit makes a file that grows past the limit of its size (ulimit -f) an error of the
// write, as a full disk is: the run ends with a sentence and leaves nothing half written.
func ignoreFileLimit() { signal.Ignore(syscall.SIGXFSZ) }
