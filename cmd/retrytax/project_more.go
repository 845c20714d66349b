package main

import (
	"bytes"
	"context"
	"io"
	"time"

	"retrytax/internal/cost"
	"retrytax/internal/figure"
	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/workbook"
)

// axes reads --sweep.
func (o *ProjectOptions) axes() ([]cost.Axis, error) {
	if len(o.Sweeps) > 2 {
		return nil, &cost.DomainError{Param: "sweep", Found: "more than two", Expected: "one or two"}
	}
	var axes []cost.Axis
	for _, s := range o.Sweeps {
		a, err := cost.ParseAxis(s)
		if err != nil {
			return nil, err
		}
		axes = append(axes, a)
	}
	return axes, nil
}

// more adds grid, tornado and simulation where they are asked for.
func (o *ProjectOptions) more(r *report.Projection, axes []cost.Axis) error {
	if len(axes) > 0 {
		if err := r.AddSweep(axes); err != nil {
			return err
		}
	}
	if o.Tornado {
		swing, err := cost.ParseShare("swing", o.Swing)
		if err != nil {
			return err
		}
		if err := r.AddTornado(swing); err != nil {
			return err
		}
	}
	if o.Simulate > 0 {
		return r.AddSimulation(o.Simulate, o.Seed)
	}
	return nil
}

// write writes all that was computed to the folder of --out; project.json comes last, since scripts wait for it.
func (o *ProjectOptions) write(ctx context.Context, e env, r *report.Projection) ([]string, error) {
	now, err := e.now()
	if err != nil {
		return nil, err
	}
	var files []pipeline.NamedFile
	add := func(name string, make func(io.Writer) error) {
		var b bytes.Buffer
		if err == nil {
			err = make(&b)
		}
		files = append(files, pipeline.NamedFile{Name: name, Content: b.Bytes()})
	}
	picture := func(name string, draw func(*report.Projection, string) ([]byte, error)) {
		add(name+"."+o.Images, func(w io.Writer) error {
			b, err := draw(r, o.Images)
			if err == nil {
				_, err = w.Write(b)
			}
			return err
		})
	}
	if r.Sweep != nil {
		add("sweep.csv", func(w io.Writer) error { return report.WriteSweepCSV(w, r) })
		picture("sweep", figure.Sweep)
	}
	if len(r.Tornado) > 0 {
		add("tornado.csv", func(w io.Writer) error { return report.WriteTornadoCSV(w, r) })
		picture("tornado", figure.Tornado)
	}
	add("project.xlsx", func(w io.Writer) error {
		return workbook.WriteProjection(ctx, w, r, workbook.Options{Version: version(), Created: now.UTC().Truncate(time.Second), Lang: o.lang})
	})
	add("project.json", func(w io.Writer) error {
		b, err := r.JSON()
		if err == nil {
			_, err = w.Write(b)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return pipeline.WriteFolder(ctx, o.Out, files)
}
