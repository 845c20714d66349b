package demo

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"retrytax/internal/synth"
)

// writer writes a month to its files, day by day.
type writer struct {
	plan    plan
	vendors []string
	logs    *folder
	bills   *folder
	labels  *file
	logRows []synth.Encoder[synth.AttemptLine]
	rows    map[string]synth.Encoder[synth.ChargeLine]
	day     int
	count   Written
	buf     []byte
}

// write simulates the month and writes its files under dir.
func write(ctx context.Context, dir string, m *synth.Month, p plan) (w *writer, err error) {
	w = &writer{plan: p, vendors: m.Vendors(), rows: map[string]synth.Encoder[synth.ChargeLine]{}}
	defer func() {
		if cerr := w.close(); err == nil {
			err = cerr
		}
	}()
	if w.logs, err = newFolder(filepath.Join(dir, "logs")); err != nil {
		return w, err
	}
	if w.bills, err = newFolder(filepath.Join(dir, "bills")); err != nil {
		return w, err
	}
	if w.labels, err = create(filepath.Join(dir, "labels.csv")); err != nil {
		return w, err
	}
	if err := w.encoders(); err != nil {
		return w, err
	}
	if err := w.labels.write(synth.LabelHeader(nil), 1); err != nil {
		return w, err
	}
	if err := os.WriteFile(filepath.Join(dir, ConfigName), []byte(p.yaml), 0o666); err != nil {
		return w, err
	}
	err = m.Run(func(d *synth.Day) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return w.write(d)
	})
	w.count.Vendors = len(w.vendors)
	return w, err
}

func (w *writer) encoders() error {
	for _, l := range w.plan.logs {
		e, err := synth.EncodeAttempts(l.format, l.zone)
		if err != nil {
			return err
		}
		w.logRows = append(w.logRows, e)
	}
	for _, vendor := range w.vendors {
		b := w.plan.bills[vendor]
		e, err := synth.EncodeCharges(b.format, b.zone)
		if err != nil {
			return err
		}
		w.rows[vendor] = e
	}
	return nil
}

// write writes one day.
func (w *writer) write(d *synth.Day) error {
	for i, l := range w.plan.logs {
		if err := w.log(l, w.logRows[i], d.Logs[l.service]); err != nil {
			return err
		}
	}
	for i, vendor := range w.vendors {
		if err := w.bill(w.plan.bills[vendor], w.rows[vendor], d.Bills[i]); err != nil {
			return err
		}
	}
	w.day++
	// A file that no later day goes to is complete.
	return w.logs.closeAll(func(name string) bool {
		for _, l := range w.plan.logs {
			if l.name(w.day) == name {
				return true
			}
		}
		return false
	})
}

func (w *writer) log(l logPlan, e synth.Encoder[synth.AttemptLine], lines []synth.AttemptLine) error {
	var f *file
	for i := range lines {
		line := &lines[i]
		if l.layer != "" && line.Layer != l.layer {
			continue
		}
		w.buf = w.buf[:0]
		if f == nil {
			var fresh bool
			var err error
			if f, fresh, err = w.logs.get(l.name(w.day)); err != nil {
				return err
			}
			if fresh {
				w.buf = e.Header(w.buf)
			}
		}
		w.buf = e.Append(w.buf, line)
		f.rows++
		w.count.Attempts++
		if l.noise > 0 && f.rows%int64(l.noise) == 0 {
			w.buf = synth.AppendNoise(w.buf, l.format, l.zone, f.rows/int64(l.noise), line.Written())
			w.count.OtherLines++
		}
		if err := f.write(w.buf, 0); err != nil {
			return err
		}
	}
	return nil
}

// bill writes charges to every export that covers the day, and each one's label.
func (w *writer) bill(b billPlan, e synth.Encoder[synth.ChargeLine], lines []synth.ChargeLine) error {
	var outs []*file
	var names []string
	for _, x := range b.exports {
		if w.day < x.from || w.day > x.to || len(lines) == 0 {
			continue
		}
		f, fresh, err := w.bills.get(x.name)
		if err != nil {
			return err
		}
		if fresh && e.HasHeader() {
			if err := f.write(e.Header(nil), 1); err != nil {
				return err
			}
		}
		outs, names = append(outs, f), append(names, x.name)
	}
	for i := range lines {
		w.buf = e.Append(w.buf[:0], &lines[i])
		var places [2]synth.Place
		for n, f := range outs {
			if err := f.write(w.buf, 1); err != nil {
				return err
			}
			places[n] = synth.Place{File: names[n], Line: f.lines}
		}
		w.count.Charges++
		w.count.RepeatedCharges += int64(len(outs) - 1)
		w.buf = synth.AppendLabel(w.buf[:0], &lines[i], places[0], places[1])
		if err := w.labels.write(w.buf, 1); err != nil {
			return err
		}
	}
	return nil
}

// close ends all files.
func (w *writer) close() error {
	var errs []error
	if w.logs != nil {
		errs = append(errs, w.logs.closeAll(nil))
		w.count.Logs = w.logs.names()
	}
	if w.bills != nil {
		errs = append(errs, w.bills.closeAll(nil))
		w.count.Bills = w.bills.names()
	}
	if w.labels != nil {
		errs = append(errs, w.labels.Close())
	}
	return errors.Join(errs...)
}
