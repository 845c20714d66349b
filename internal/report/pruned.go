package report

import "time"

// PruneSchema names the shape of Pruned as JSON.
const PruneSchema = "retrytax.prune/v1"

// Pruned is what prune has taken out, and the reports that it has kept before.
type Pruned struct {
	Schema   string    `json:"schema"`
	Database string    `json:"database"`
	Run      int64     `json:"run"`
	Before   time.Time `json:"before"`
	Zone     string    `json:"zone"`
	Attempts int64     `json:"attempts"`
	Charges  int64     `json:"charges"`
	Reports  []string  `json:"reports"` // months whose reports were kept now
	Kept     int64     `json:"kept"`    // reports that the database keeps in all
	// Reconciled says that the verdicts are those of the rows that are left.
	Reconciled bool `json:"reconciled"`

	ConfigFile string `json:"-"` // for the commands that are printed; "" is none
}

// JSON is the result for scripts.
func (p *Pruned) JSON() ([]byte, error) { return indented(p) }
