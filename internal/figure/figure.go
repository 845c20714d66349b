package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"retrytax/internal/report"
)

// Formats in which a picture can be written.
const (
	SVG = "svg"
	PNG = "png"
)

// The size of a picture.
const (
	width  = 18 * vg.Centimeter
	height = 11 * vg.Centimeter
)

// One ink, one grey, one blue, one red: the numbers are what should be seen.
var (
	ink  = color.RGBA{0x1f, 0x29, 0x33, 0xff}
	grey = color.RGBA{0x9a, 0xa5, 0xb1, 0xff}
	blue = color.RGBA{0x1f, 0x4e, 0x79, 0xff}
	red  = color.RGBA{0xb4, 0x3a, 0x3a, 0xff}
)

// Sweep draws the grid of a projection: one axis is a curve, two are a heat map with the amount in each cell.
func Sweep(r *report.Projection, format string) ([]byte, error) {
	if len(r.Sweep.Axes) == 1 {
		return curve(r, format)
	}
	return heat(r, format)
}

// newPlot is an empty picture in the house's style.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text = title
	p.Title.TextStyle.Color, p.Title.TextStyle.Font.Size, p.Title.Padding = ink, 13, vg.Points(8)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle.Color, a.Tick.LineStyle.Color, a.Tick.Label.Color, a.Label.TextStyle.Color = grey, grey, ink, ink
		a.Label.TextStyle.Font.Size, a.Tick.Label.Font.Size = 10, 9
		a.Label.Padding = vg.Points(4)
	}
	for _, f := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Tick.Label.Font} {
		f.Variant = "Sans"
	}
	return p
}

// written renders a picture.
func written(p *plot.Plot, format string) ([]byte, error) {
	var b bytes.Buffer
	switch format {
	case SVG:
		c := vgsvg.New(width, height)
		p.Draw(inside(draw.NewCanvas(c, width, height)))
		if _, err := c.WriteTo(&b); err != nil {
			return nil, err
		}
	case PNG:
		c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(150))}
		p.Draw(inside(draw.New(c)))
		if _, err := c.WriteTo(&b); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("format: found %q, expected svg or png", format)
	}
	return b.Bytes(), nil
}

// inside leaves a margin around the picture.
func inside(c draw.Canvas) draw.Canvas {
	const margin = 0.35 * vg.Centimeter
	return draw.Crop(c, margin, -margin, margin, -margin)
}

// float is a number for drawing only.
func float(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0 // not reached: the report holds decimals
	}
	return f
}

// shares are the parameters that are shown in percent.
var shares = map[string]bool{"timeout-rate": true, "repeat-timeout-rate": true, "started": true, "partial": true}

// valueText is a parameter's value as a person writes it.
func valueText(parameter, v string) string {
	d, err := decimal.NewFromString(v)
	if err != nil {
		return v
	}
	if shares[parameter] {
		return d.Shift(2).Round(2).String() + " %"
	}
	return grouped(d.Round(4).String())
}

// amountText is a short amount: as many digits as a picture has room for.
func amountText(v string) string {
	d, err := decimal.NewFromString(v)
	switch {
	case err != nil:
		return v
	case d.Abs().GreaterThanOrEqual(decimal.New(1000, 0)):
		return grouped(d.Round(0).String())
	case d.Abs().GreaterThanOrEqual(decimal.New(10, 0)):
		return d.Round(1).String()
	}
	return d.Round(4).String()
}

func grouped(s string) string {
	whole, fraction, point := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + " " + whole[i:]
	}
	if point {
		fraction = "." + fraction
	}
	return sign + whole + fraction
}

// axisTitle is a parameter in words.
func axisTitle(parameter string) string {
	words := map[string]string{"partial": "billed part", "requests": "calls a day", "started": "started fraction"}
	if w, ok := words[parameter]; ok {
		return w
	}
	return strings.ReplaceAll(parameter, "-", " ")
}

// every are the ticks of an axis whose values stand at whole numbers, thinned to fit.
func every(parameter string, values []string, most int) plot.ConstantTicks {
	step := (len(values) + most - 1) / most
	var ticks plot.ConstantTicks
	for i, v := range values {
		if i%step == 0 {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: valueText(parameter, v)})
		}
	}
	return ticks
}

// amounts are the ticks of an axis of money.
type amounts struct{}

// Ticks implements plot.Ticker.
func (amounts) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i := range ticks {
		if ticks[i].Label != "" {
			ticks[i].Label = amountText(ticks[i].Label)
		}
	}
	return ticks
}
