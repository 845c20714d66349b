package main

import (
	"os"

	"retrytax/internal/pipeline"
)

// smallInputs is how many bytes of files one processor audits as fast as several do: nearly all of the
// time goes into planning the queries, and more threads only get in each other's way.
const smallInputs = 1 << 18

// threadsFor are the database's threads for an audit of files: those asked for (0 is all), else one where there
// is little to read. Results do not hang on it.
func threadsFor(asked int, files []pipeline.File) int {
	sum := int64(0)
	for _, f := range files {
		st, err := os.Stat(f.Input.Name)
		if err != nil || !st.Mode().IsRegular() {
			return asked // standard input, or within an archive: its size is not known
		}
		sum += st.Size()
	}
	if asked == 0 && sum <= smallInputs {
		return 1
	}
	return asked
}
