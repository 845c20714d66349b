package queries

import (
	_ "embed"
	"strings"
)

//go:embed shapes.txt
var shapes string

// Empty is the condition, in SQL, under which the table of the file holds no rows whatever
// else there is; "" where its head names none. The database need not plan the query then, and
// in a small audit nearly all time goes into planning.
func (f File) Empty() string { return Head(f.SQL)["Empty"] }

// Bare is the statement that makes the table of the file without rows: with the columns that
// its query would give it. It is "" for a table that shapes.txt does not have.
func (f File) Bare() string {
	for line := range strings.Lines(shapes) {
		if strings.HasPrefix(line, f.Name()+" (") {
			return "CREATE OR REPLACE TABLE " + strings.TrimSpace(line)
		}
	}
	return ""
}
