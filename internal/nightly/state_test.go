package nightly

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A night's files are those of runs since the night before; its news, those since the last night that
// finished. Each case is a history of nights, and what the last one begins with.
func TestBegin(t *testing.T) {
	type past struct {
		date     string
		next     int64 // number of the next run when it begins
		through  int64 // of the last run when it ends; 0: killed before it knew
		finished bool
	}
	for name, c := range map[string]struct {
		nights       []past
		files, lines int64
	}{
		"the first night":                           {[]past{{"d1", 1, 0, false}}, 1, 1},
		"the next night":                            {[]past{{"d1", 1, 2, true}, {"d2", 3, 0, false}}, 3, 3},
		"loaded by hand in between":                 {[]past{{"d1", 1, 2, true}, {"d2", 5, 0, false}}, 3, 3},
		"killed before it had loaded":               {[]past{{"d1", 1, 2, true}, {"d2", 3, 0, false}, {"d3", 3, 0, false}}, 3, 3},
		"killed when it had loaded":                 {[]past{{"d1", 1, 2, true}, {"d2", 3, 0, false}, {"d3", 4, 0, false}}, 4, 3},
		"killed twice":                              {[]past{{"d1", 1, 2, true}, {"d2", 3, 0, false}, {"d3", 4, 0, false}, {"d4", 5, 0, false}}, 5, 3},
		"the same night again":                      {[]past{{"d1", 1, 2, true}, {"d2", 3, 4, true}, {"d2", 5, 0, false}}, 3, 3},
		"failed before it knew of the database":     {[]past{{"d1", 1, 2, true}, {"d2", 0, 0, false}, {"d3", 3, 0, false}}, 3, 3},
		"failed so when the one before was killed":  {[]past{{"d1", 1, 2, true}, {"d2", 3, 0, false}, {"d3", 0, 0, false}, {"d4", 4, 0, false}}, 4, 3},
		"a database that was put back from a copy":  {[]past{{"d1", 1, 9, true}, {"d2", 4, 0, false}}, 4, 4},
		"the same night again, put back in between": {[]past{{"d1", 7, 9, true}, {"d1", 4, 0, false}}, 4, 4},
	} {
		s := &state{Schema: stateSchema}
		for _, p := range c.nights {
			s.open(p.date)
			if p.next > 0 {
				s.number(p.next)
			}
			if p.through > 0 {
				s.Through = p.through
			}
			s.Night.Finished = p.finished
		}
		if s.Night.FilesFrom != c.files || s.Night.LinesFrom != c.lines {
			t.Errorf("%s: found files from %d, lines from %d, expected %d and %d", name, s.Night.FilesFrom, s.Night.LinesFrom, c.files, c.lines)
		}
	}
}

// What is news is told against what was known when the last night finished, not against what a
// night that was killed had seen.
func TestNewsOutliveAKilledNight(t *testing.T) {
	s := &state{Schema: stateSchema}
	s.open("d1")
	s.number(1)
	s.Now, s.Night.Finished = &facts{Providers: []string{"acme"}}, true
	s.open("d2")
	s.number(3)
	s.Now = &facts{Providers: []string{"acme", "beta"}} // killed before it was told
	s.open("d3")
	s.number(5)
	if got := newcomers(s.Before.Providers, s.Now.Providers); !slices.Equal(got, []string{"beta"}) {
		t.Errorf("found %v, expected beta", got)
	}
	s.Night.Finished = true
	s.open("d4")
	s.number(7)
	if got := newcomers(s.Before.Providers, s.Now.Providers); len(got) > 0 {
		t.Errorf("found %v, expected none", got)
	}
}

func TestStateThatCannotBeRead(t *testing.T) {
	for name, text := range map[string]string{"cut": `{"schema":"retrytax.nights/v1","ni`, "other": `{"schema":"x"}`, "empty": ""} {
		db := filepath.Join(t.TempDir(), "t.duckdb")
		if err := os.WriteFile(stateFile(db), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		s, warning, err := loadState(db, true)
		if err != nil || s.Night.Date != "" || !strings.Contains(warning, "put aside as") {
			t.Fatalf("%s: %+v, %q, %v", name, s, warning, err)
		}
		if b, _ := os.ReadFile(stateFile(db) + ".bad"); string(b) != text {
			t.Errorf("%s: found %q put aside", name, b)
		}
		s.open("d1")
		s.number(1)
		if err := s.save(); err != nil {
			t.Fatal(err)
		}
		if s, warning, err := loadState(db, true); err != nil || warning != "" || s.Night.Date != "d1" {
			t.Errorf("%s: %+v, %q, %v", name, s, warning, err)
		}
	}
}
