package synth

import (
	"cmp"
	"slices"
)

// world puts both sides in the order in which they are written: the log by the
// end of each attempt (its start, where there is none), the bill by its stamps.
func (s *sim) world() *World {
	sortByTime(s.log, (*AttemptLine).Written)
	sortByTime(s.bill, func(line *ChargeLine) int64 { return line.ChargedAt })
	return &World{Attempts: s.log, Charges: s.bill}
}

// Written is when a line was written: at the end of its attempt, or at the beginning of one
// that has no end.
func (a *AttemptLine) Written() int64 { return max(a.StartedAt, a.EndedAt) }

// sortByTime sorts rows in place, ties in the old order. Rows are large and
// there are millions of them, so small keys are sorted, and each row moves once.
func sortByTime[T any](rows []T, at func(*T) int64) {
	type key struct {
		at    int64
		index int32
	}
	keys := make([]key, len(rows))
	for i := range rows {
		keys[i] = key{at(&rows[i]), int32(i)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.index, b.index))
	})
	for start := range keys {
		if keys[start].index < 0 {
			continue // moved already, in the round of an earlier row
		}
		first, to := rows[start], start
		for {
			from := int(keys[to].index)
			keys[to].index = -1
			if from == start {
				break
			}
			rows[to] = rows[from]
			to = from
		}
		rows[to] = first
	}
}
