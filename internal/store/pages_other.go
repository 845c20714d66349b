//go:build !linux

package store

// wholePages does nothing where the system has no such request.
func wholePages(int64) (stop func()) { return func() {} }
