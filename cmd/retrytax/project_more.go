package main

import (
	"context"
	"errors"

	"retrytax/internal/cost"
	"retrytax/internal/report"
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

func (o *ProjectOptions) write(ctx context.Context, e env, r *report.Projection) ([]string, error) {
	return nil, errors.New("todo")
}
