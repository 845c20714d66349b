// Package nightly is the run that cron calls, and nobody watches.
//
//  1. lock: one nightly run works on a database at a time (lock.go).
//  2. begin: what the nights before have left in the state file (state.go).
//  3. load: the files that the configuration's patterns find are ingested, and reconciled.
//  4. look: what came in this night, and what is missing (pipeline.ReadNight).
//  5. report: the last full day and every month that can read otherwise than before, each
//     to a folder of its own; what is proved replaces what was there (reports.go).
//  6. judge: the conditions that the configuration names (conditions.go).
//  7. tell: each condition to each channel, once a night (deliver.go).
//  8. leave: a metrics file for Prometheus, and the result (metrics.go, result.go).
//
// Killed at any instant, the next run goes on: what was loaded is known, what was not judged is
// judged, what was not told is told. An alert that cannot be delivered fails no run. The package
// reads no rows and computes no money but sums and differences of what the reports say.
package nightly
