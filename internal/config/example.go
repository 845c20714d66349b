package config

import (
	_ "embed"
	"slices"
)

//go:embed example.yaml
var exampleYAML []byte

// Example is a commented retrytax.yaml in which every key stands with its default. A test
// holds it to that.
func Example() []byte { return slices.Clone(exampleYAML) }
