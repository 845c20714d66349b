package config

// Origin says which layer a value came from.
type Origin string

// The layers, strongest first. Unset is the zero value: the layer says nothing.
const (
	Unset   Origin = ""
	User    Origin = "user"
	BuiltIn Origin = "built-in"
	Preset  Origin = "default"
)

// Setting is a value and where it came from.
type Setting[T any] struct {
	Value T
	From  Origin
}

// IsSet reports whether any layer gave the value.
func (s Setting[T]) IsSet() bool { return s.From != Unset }

// Explicit reports whether the user wrote the value. Only such a value beats a measurement.
func (s Setting[T]) Explicit() bool { return s.From == User }

// or keeps s if its layer says something, and else takes the weaker layer's value.
func (s Setting[T]) or(weaker Setting[T]) Setting[T] {
	if s.IsSet() {
		return s
	}
	return weaker
}

func preset[T any](v T) Setting[T] { return Setting[T]{Value: v, From: Preset} }
