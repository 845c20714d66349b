package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"retrytax/internal/pipeline"
	"retrytax/internal/source"
	"retrytax/internal/ui"
)

// openAll opens a named file and gives what it holds: itself, or the members of an archive or
// the sheets of a workbook, or the one that the name goes on with (bills.zip/a.csv).
func (o *inputOptions) openAll(e env, name string, role source.Role) ([]*source.Input, error) {
	x := source.Expansion{Role: role}
	if file, member := source.SplitMember(name); file != "" {
		name, x.Members = file, []string{member}
	}
	in, err := openInput(e, name)
	if err != nil {
		return nil, err
	}
	x.Maps = o.mapsFor(in)
	type expanded struct {
		ins   []*source.Input
		notes []string
		err   error
	}
	ready := make(chan expanded, 1)
	go func() {
		ins, notes, err := source.Expand(in, x)
		ready <- expanded{ins, notes, err}
	}()
	var got expanded
	select {
	case got = <-ready:
	case <-e.done:
		return nil, context.Canceled
	}
	if got.err != nil {
		return nil, errors.Join(got.err, in.Close())
	}
	for _, n := range got.notes {
		ui.PrintWarning(e.err, n)
	}
	for _, p := range got.ins {
		p.Maps = o.mapsFor(p)
	}
	return got.ins, nil
}

// mapsFor are the mappings that can be meant for an input: the configuration's for its name,
// or its container's, then those of the flags.
func (o *inputOptions) mapsFor(in *source.Input) []*source.Map {
	var maps []*source.Map
	if s, ok := o.cfg.SourceOf(in.Name, in.Container()); ok && s.Columns != nil {
		maps = append(maps, s.Columns)
	}
	return append(maps, o.maps...)
}

// parseMaps reads the flags.
func (o *inputOptions) parseMaps() error {
	for _, text := range o.Map {
		m, err := source.ParseMap(text)
		var bad *source.ErrMap
		if errors.As(err, &bad) {
			return &ui.Error{Code: ui.Usage, Msg: "--map: " + bad.Error(), Hint: bad.Hint}
		}
		if err != nil {
			return err
		}
		o.maps = append(o.maps, m)
	}
	return nil
}

// checkMaps says which mapping fits no file, with the file that comes nearest: what the user
// has written must not be passed over.
func (o *inputOptions) checkMaps(files []pipeline.File) error {
	for _, m := range o.maps {
		fits, best, least, most := false, "", -1, 0
		for _, f := range files {
			missing, has, err := m.Missing(f.Input)
			switch {
			case err != nil: // who reads it says so
				fits = true
			case missing == nil:
				fits = true
			case least < 0 || len(missing) < least || len(missing) == least && len(has) > most:
				least, most = len(missing), len(has)
				best = fmt.Sprintf("%s has no column %s; it has %s", f.Input.Name, strings.Join(missing, ", "), orNone(has))
			}
		}
		if !fits {
			return &ui.Error{Code: ui.Usage, Msg: "--map: found no file with its columns: " + ui.Clean(best), Hint: "retrytax ingest FILE --dry-run shows the columns of a file"}
		}
	}
	return nil
}

func orNone(names []string) string {
	const most = 30
	more := ""
	if len(names) > most {
		names, more = names[:most], " …"
	}
	if len(names) == 0 {
		return "no table of columns"
	}
	return strings.Join(names, ", ") + more
}
