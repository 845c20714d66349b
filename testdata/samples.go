// Package testdata holds the cases of the tests. The program itself shows one thing of them: a
// sample of each format.
package testdata

import "embed"

//go:embed formats/*/sample.csv formats/*/sample.json formats/*/sample.jsonl formats/*/sample.log
var samples embed.FS

// Sample is a file of the format of that name, made up; "" where there is none.
func Sample(format string) string {
	for _, ending := range []string{"csv", "jsonl", "json", "log"} {
		if text, err := samples.ReadFile("formats/" + format + "/sample." + ending); err == nil {
			return string(text)
		}
	}
	return ""
}
