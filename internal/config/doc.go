// Package config reads retrytax.yaml, which holds what flags cannot: how each provider
// bills, what the models are called, the thresholds, and what a source's file leaves unsaid.
//
// Three layers are merged field by field: what the user wrote, over what is known about a
// vendor (builtin.yaml, dated, each entry with its source), over the defaults of the tool.
// Every effective value carries its Origin. The matching needs it: a clock skew that the
// user states beats one that was measured, while one that is only built in does not.
//
// The package refuses to guess. A key it does not know, a value of the wrong kind, a zone
// that does not exist: each is a Problem with its line, what was found, what was expected
// and a hint, and all problems of a file come back at once. Ratios are decimals, never
// floats. Nothing is read from the environment or the network, and nothing is printed.
package config
