package report

import "encoding/json"

// Decode reads audit.json again.
func Decode(text []byte) (*Audit, error) {
	a := &Audit{}
	return a, json.Unmarshal(text, a)
}
