package config

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "retrytax/internal/drawn"

	src "retrytax/internal/source"
)

// What a guess proposes for the configuration is read as the mapping that it shows as a flag,
// whatever the columns are called.
func TestProposedMappingsAreRead(t *testing.T) {
	printable := rapid.StringOf(rapid.RuneFrom([]rune(`ab1 :,"'\#{}[]&*!|>%@-?金额é=`))).Filter(func(s string) bool { return strings.TrimSpace(s) == s && s != "" })
	rapid.Check(t, func(t *rapid.T) {
		m := &src.Map{Role: src.Charges, Zone: "Asia/Shanghai"}
		m.Columns = append(m.Columns, src.MapColumn{To: "amount", From: printable.Draw(t, "amount"), Comma: true})
		m.Columns = append(m.Columns, src.MapColumn{To: "charged_at", From: printable.Draw(t, "time") + "2", Layout: `%d/%m/%Y "%H:%M`})
		// A backslash in a file's name counts as a slash everywhere in the configuration.
		file := strings.ReplaceAll(printable.Draw(t, "file"), `\`, "")
		g := src.Guess{File: "exports/" + file + ".csv", Role: src.Charges, Map: m}
		cfg, err := Parse("retrytax.yaml", []byte(strings.Join(g.YAML(), "\n")))
		if err != nil {
			t.Fatalf("%s: %v", strings.Join(g.YAML(), "\n"), err)
		}
		s, ok := cfg.SourceFor(g.File)
		if !ok || s.Columns == nil || s.Columns.Text() != m.Text() {
			t.Fatalf("found %v %v under %s, expected %s", ok, s.Columns, g.File, m.Text())
		}
	})
}
