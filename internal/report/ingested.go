package report

import "time"

// IngestSchema names the shape of Ingested as JSON.
const IngestSchema = "retrytax.ingest/v1"

// What a file was to the database.
const (
	FileNew     = "new"
	FileKnown   = "known"   // its content was there, whatever its name or compression
	FileGrown   = "grown"   // what was there of it is its beginning
	FileChanged = "changed" // another content stood under its name
	FileEmpty   = "empty"
)

// Ingested is what a run has brought into a database. Times are UTC.
type Ingested struct {
	Schema     string         `json:"schema"`
	Database   string         `json:"database"`
	Run        int64          `json:"run"`
	Files      []IngestedFile `json:"files"`
	Attempts   int64          `json:"attempts"` // rows that are new
	Charges    int64          `json:"charges"`
	Bills      int64          `json:"bills"`      // totals by the day, key and model
	Superseded int64          `json:"superseded"` // charge lines that a newer export has replaced
	Restored   int64          `json:"restored"`   // that a newer export has brought back
	Withdrawn  int64          `json:"withdrawn"`  // last lines that were half of one
	Renamed    int64          `json:"renamed"`    // older lines that have another request id now, as the other rows of their trace say
	Mended     int64          `json:"mended"`     // older lines that could not be read, and that a newer content has whole
	Priced     int64          `json:"priced"`     // older charge lines to which a new list has given an amount
	Pending    int64          `json:"pending"`    // changes that reconcile has not seen, of this run and others
	Rejects    []RejectedFile `json:"rejects"`    // files of this run with lines that could not be read
	Warnings   []string       `json:"warnings"`
	ConfigFile string         `json:"-"` // for the commands that are printed; "" is none
}

// IngestedFile is one file of the run. Of a file that is known or empty nothing is counted.
type IngestedFile struct {
	File     string     `json:"file"`
	SHA256   string     `json:"sha256,omitempty"`
	State    string     `json:"state"`
	Role     string     `json:"role,omitempty"`
	Format   string     `json:"format,omitempty"`
	Rows     int64      `json:"rows"`
	Loaded   int64      `json:"loaded"`
	Known    int64      `json:"known"`
	Ignored  int64      `json:"ignored"`
	Rejected int64      `json:"rejected"`
	From     *time.Time `json:"from,omitempty"`
	To       *time.Time `json:"to,omitempty"`
}

// JSON is the result for scripts.
func (i *Ingested) JSON() ([]byte, error) {
	if i.Files == nil {
		i.Files = []IngestedFile{}
	}
	if i.Rejects == nil {
		i.Rejects = []RejectedFile{}
	}
	if i.Warnings == nil {
		i.Warnings = []string{}
	}
	return indented(i)
}
