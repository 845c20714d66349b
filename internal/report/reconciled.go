package report

// ReconcileSchema names the shape of what retrytax reconcile --json prints.
const ReconcileSchema = "retrytax.reconcile/v1"

// Reconciled is what one reconcile of a database has done.
type Reconciled struct {
	Schema     string   `json:"schema"`
	Database   string   `json:"database"`
	Run        int64    `json:"run"`        // in src_runs; nothing is written there if nothing had changed
	Everything bool     `json:"everything"` // all was looked at anew, not only what changed
	Changes    int64    `json:"changes"`    // changes of rows since the last reconcile
	Attempts   int64    `json:"attempts"`   // lines of the log that were looked at
	Charges    int64    `json:"charges"`    // lines of the bill that were looked at
	Warnings   []string `json:"warnings"`
	ConfigFile string   `json:"-"` // for the commands that are printed; "" is none
}

// JSON is the result for programs.
func (r *Reconciled) JSON() ([]byte, error) {
	if r.Warnings == nil {
		r.Warnings = []string{}
	}
	return indented(r)
}
