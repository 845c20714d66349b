package queries

import "strings"

// Format is the query file of one vendor's or logger's format: its SQL makes canonical rows of
// raw records, and its head says how such a file is told and what is taken of its records.
type Format struct {
	File
	Format string            // its name, as the user sees it: "openrouter-activity"
	What   string            // what it is, in a sentence without its stop
	Head   map[string]string // the other keys of the head
}

// AllFormats returns the formats in the order of their files.
func AllFormats() []Format {
	var out []Format
	for _, f := range In(Formats) {
		if head := Head(f.SQL); head["Format"] != "" {
			what, _, _ := strings.Cut(f.SQL, "\n--\n")
			_, what, _ = strings.Cut(strings.ReplaceAll(what, "\n--", ""), ": ")
			out = append(out, Format{File: f, Format: head["Format"], What: strings.TrimSuffix(what, "."), Head: head})
		}
	}
	return out
}

// IsFormat tells the query file of a format from the other ones of its folder.
func (f File) IsFormat() bool { return Head(f.SQL)["Format"] != "" }

// Head reads the keys of the comment that a query file opens with: "-- Key: value", and what
// continues a value indented under it.
func Head(sql string) map[string]string {
	out, last := map[string]string{}, ""
	for line := range strings.Lines(sql) {
		text, comment := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "--")
		if !comment {
			break
		}
		key, value, isKey := strings.Cut(strings.TrimPrefix(text, " "), ":")
		switch {
		case strings.HasPrefix(text, "         ") && last != "":
			out[last] += " " + strings.TrimSpace(text)
		case isKey && key != "" && key[0] >= 'A' && key[0] <= 'Z' && (value == "" || value[0] == ' '):
			last = key
			out[last] = strings.TrimSpace(value)
		}
	}
	return out
}
