package report

import "time"

// PreviewSchema names the shape of Preview as JSON.
const PreviewSchema = "retrytax.dryrun/v1"

// Preview says what files are taken for, without anything being kept of them.
type Preview struct {
	Schema string        `json:"schema"`
	Files  []PreviewFile `json:"files"`
}

// PreviewFile is one file of it. Times are UTC. Of a file that cannot be read there are only
// the error and the hint, and the mapping that would read it where it is a table.
type PreviewFile struct {
	File       string     `json:"file"`
	SHA256     string     `json:"sha256,omitempty"`
	Role       string     `json:"role,omitempty"`
	Format     string     `json:"format,omitempty"`
	Syntax     string     `json:"syntax,omitempty"`
	Encoding   string     `json:"encoding,omitempty"`
	Columns    []FromTo   `json:"columns"` // which columns were read as what
	Unused     []string   `json:"unused"`
	Rows       int64      `json:"rows"`
	Loaded     int64      `json:"loaded"`
	Known      int64      `json:"known"`
	Ignored    int64      `json:"ignored"`
	Rejected   int64      `json:"rejected"`
	From       *time.Time `json:"from,omitempty"`
	To         *time.Time `json:"to,omitempty"`
	Zones      []string   `json:"zones"`      // of its times that are written without one
	First      [][]FromTo `json:"first_rows"` // canonical column and value
	FirstFault string     `json:"first_reject,omitempty"`
	Notes      []string   `json:"notes"`
	Error      string     `json:"error,omitempty"`
	Hint       string     `json:"hint,omitempty"`
	Map        string     `json:"map,omitempty"`

	Cause error `json:"-"`
}

// FromTo is a column of a file and what it becomes, or a canonical column and its value.
type FromTo struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// JSON is the preview for scripts.
func (p *Preview) JSON() ([]byte, error) {
	for i := range p.Files {
		f := &p.Files[i]
		for _, list := range []*[]string{&f.Unused, &f.Zones, &f.Notes} {
			if *list == nil {
				*list = []string{}
			}
		}
		if f.Columns == nil {
			f.Columns = []FromTo{}
		}
		if f.First == nil {
			f.First = [][]FromTo{}
		}
	}
	return indented(p)
}
