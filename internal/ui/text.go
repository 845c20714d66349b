package ui

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Width is how many columns text takes on a terminal; wide East Asian characters take two.
func Width(s string) int { return uniseg.StringWidth(s) }

// Cut shortens text to a width, at a whole character, and marks that it did.
func Cut(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	return prefix(s, width-1) + "…"
}

// CutFront shortens text to a width from its beginning: of a path, the end tells files apart.
func CutFront(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	over := Width(s) - (width - 1)
	for state, rest := -1, s; rest != ""; {
		var w int
		_, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if over -= w; over <= 0 {
			return "…" + rest
		}
	}
	return "…"
}

// nameWidth is how much of a name from data is shown: a provider, a model, a key, an id.
const nameWidth = 60

// short is a name from data, safe and at most so long.
func short(s string) string { return Cut(Clean(s), nameWidth) }

// prefix is as many whole characters of text as fit a width.
func prefix(s string, width int) string {
	end := 0
	for state, rest := -1, s; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if w > width {
			break
		}
		end += len(cluster)
		width -= w
	}
	return s[:end]
}

// pad fills text with spaces up to a width, on the left or on the right.
func pad(s string, width int, right bool) string {
	gap := strings.Repeat(" ", max(0, width-Width(s)))
	if right {
		return gap + s
	}
	return s + gap
}

// wrap breaks text at spaces into lines of at most width columns; a word that is longer
// than a line is broken where the line ends, so that no line is ever wider.
func wrap(s string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(strings.ReplaceAll(s, string(noBreak), "\x00")) {
		word = strings.ReplaceAll(word, "\x00", string(noBreak))
		for Width(word) > width {
			if line != "" {
				lines, line = append(lines, line), ""
			}
			head := prefix(word, width)
			if head == "" {
				break // narrower than one character
			}
			lines, word = append(lines, head), word[len(head):]
		}
		switch {
		case line == "":
			line = word
		case Width(line)+1+Width(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}
