// Package ui is everything that is said to the user: errors and hints, exit codes, the
// words for verdicts, the progress bar and the summary of an audit.
//
// It reckons nothing. Every amount comes from a report struct and is rounded once, for
// display, in Amount; books and currencies are never added. (One sum is made: of the two parts
// of a ledger that were not judged, for the headline.) Text that comes from data goes
// through Clean before it is printed, so a file name, a request id or a model name cannot
// drive the terminal. Whether there are colours, and how wide a line is, the caller says.
package ui
