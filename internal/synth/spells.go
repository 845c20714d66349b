package synth

import (
	"math/rand/v2"
	"time"
)

// spellsPerWeek is how many incidents a vendor has in a week, on average.
const spellsPerWeek = 2

// drawSpells draws the month's incidents, which all services of the company feel alike: a
// vendor is slow and fails for one to three hours, mostly when many people use it.
func drawSpells(m *Month, vendors []string, days int) []Incident {
	rng := rand.New(rand.NewPCG(m.Seed, 0x7370656c6c73))
	var spells []Incident
	for _, vendor := range vendors {
		for range days * spellsPerWeek / 7 {
			from := m.From.Add(time.Duration(rng.Int64N(int64(days) * 24 * int64(time.Hour))))
			for rng.Float64() > busy(from.UnixMilli()) {
				from = from.Add(time.Hour)
			}
			length := time.Hour + time.Duration(rng.Int64N(int64(2*time.Hour)))
			spells = append(spells, Incident{vendor, from, from.Add(length)})
		}
	}
	return spells
}
