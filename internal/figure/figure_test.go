package figure

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"retrytax/internal/cost"
	"retrytax/internal/report"
)

func projection(t *testing.T, currency string, sweeps ...string) *report.Projection {
	t.Helper()
	d := decimal.RequireFromString
	p := cost.Params{Requests: d("10000"), Timeout: []decimal.Decimal{d("0.05"), d("0.3")}, Started: d("0.8"), UnitCost: d("1"), Partial: d("1"), Kept: d("1"),
		Layers: []cost.Layer{{Name: "app", Retries: 1}}}
	r, err := report.Project(p, currency, 30, report.Remedies(p, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	var axes []cost.Axis
	for _, s := range sweeps {
		a, err := cost.ParseAxis(s)
		if err != nil {
			t.Fatal(err)
		}
		axes = append(axes, a)
	}
	if err := r.AddSweep(axes); err != nil {
		t.Fatal(err)
	}
	if err := r.AddTornado(d("0.2")); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPicturesAreWhole: SVG is XML, PNG an image, both the same twice, whatever a bill calls its currency.
func TestPicturesAreWhole(t *testing.T) {
	one := projection(t, `</text><script>&"`, "timeout-rate=1%..20%:1%")
	two := projection(t, "USD", "timeout-rate=1%..20%:1%", "started=50%..100%:10%")
	single := projection(t, "USD", "started=50%..50%:10%")
	for name, draw := range map[string]func(string) ([]byte, error){
		"curve":    func(f string) ([]byte, error) { return Sweep(one, f) },
		"heat map": func(f string) ([]byte, error) { return Sweep(two, f) },
		"point":    func(f string) ([]byte, error) { return Sweep(single, f) },
		"tornado":  func(f string) ([]byte, error) { return Tornado(two, f) },
	} {
		for _, format := range []string{SVG, PNG} {
			b, err := draw(format)
			if err != nil {
				t.Errorf("%s, %s: %v", name, format, err)
				continue
			}
			again, _ := draw(format)
			if !bytes.Equal(b, again) {
				t.Errorf("%s, %s: two runs gave other bytes", name, format)
			}
			if format == PNG {
				if _, err := png.Decode(bytes.NewReader(b)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if strings.Contains(string(b), "<script") {
				t.Errorf("%s: a currency's name became markup", name)
			}
			for x := xml.NewDecoder(bytes.NewReader(b)); ; {
				if _, err := x.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Errorf("%s: %v", name, err)
					break
				}
			}
		}
	}
}

// TestHeatMapShowsTheNumbers: the first article's 400 a day is 12 000 a month.
func TestHeatMapShowsTheNumbers(t *testing.T) {
	r := projection(t, "CNY", "timeout-rate=5%..10%:5%", "repeat-timeout-rate=0..0.1:0.1")
	b, err := Sweep(r, SVG)
	if err != nil || !strings.Contains(string(b), ">12 000<") || !strings.Contains(string(b), ">24 000<") {
		t.Errorf("found no 12 000 and 24 000 in the picture (%v)", err)
	}
}
