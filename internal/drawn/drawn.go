// Package drawn makes property tests draw the same cases in every run, so that a change is what
// makes a run fail, not the day. Tests import it for this effect alone. Whoever searches for
// new cases says so with rapid's own flags: -rapid.seed=0 draws anew, -rapid.checks=N longer.
package drawn

import (
	"flag"

	_ "pgregory.net/rapid" // defines the flags
)

func init() {
	for name, value := range map[string]string{"rapid.seed": "20261103", "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			panic("rapid has no flag " + name + ": " + err.Error())
		}
	}
}
