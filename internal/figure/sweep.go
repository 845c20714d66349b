package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"retrytax/internal/report"
)

// curve is the month's extra over one parameter.
func curve(r *report.Projection, format string) ([]byte, error) {
	axis := r.Sweep.Axes[0]
	p := newPlot("What retries cost a month, " + r.Currency + ", by " + axisTitle(axis.Parameter))
	p.X.Label.Text, p.Y.Label.Text = axisTitle(axis.Parameter), "retry extra, "+r.Currency+" a month"
	var points plotter.XYs
	for i, row := range r.Sweep.Rows {
		points = append(points, plotter.XY{X: float64(i), Y: float(string(row.ExtraPerMonth))})
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return nil, err
	}
	line.Color, line.Width = blue, vg.Points(1.8)
	dots.Color, dots.Shape, dots.Radius = blue, draw.CircleGlyph{}, vg.Points(2)
	grid := plotter.NewGrid()
	grid.Vertical.Width, grid.Horizontal.Color = 0, color.RGBA{0xe4, 0xe7, 0xeb, 0xff}
	p.Add(grid, line, dots)
	p.X.Tick.Marker = every(axis.Parameter, axis.Values, 12)
	p.Y.Tick.Marker = amounts{}
	p.Y.Min = math.Min(0, p.Y.Min)
	return written(p, format)
}

// cells draws a heat map with the amount in each cell.
type cells struct {
	r             *report.Projection
	columns, rows int
	low, high     float64
}

// heat has the first axis upwards and the second to the right.
func heat(r *report.Projection, format string) ([]byte, error) {
	up, right := r.Sweep.Axes[0], r.Sweep.Axes[1]
	p := newPlot("What retries cost a month, " + r.Currency)
	p.X.Label.Text, p.Y.Label.Text = axisTitle(right.Parameter), axisTitle(up.Parameter)
	c := &cells{r: r, columns: len(right.Values), rows: len(up.Values), low: math.Inf(1), high: math.Inf(-1)}
	for _, row := range r.Sweep.Rows {
		v := float(string(row.ExtraPerMonth))
		c.low, c.high = math.Min(c.low, v), math.Max(c.high, v)
	}
	p.Add(c)
	p.X.Tick.Marker, p.Y.Tick.Marker = every(right.Parameter, right.Values, 12), every(up.Parameter, up.Values, 20)
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5, float64(c.columns)-0.5, -0.5, float64(c.rows)-0.5
	return written(p, format)
}

// Plot implements plot.Plotter.
func (c *cells) Plot(canvas draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&canvas)
	style := p.X.Tick.Label
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	room := float64(toX(1) - toX(0))
	tall := float64(toY(1) - toY(0))
	style.Font.Size = vg.Length(math.Min(9, math.Min(tall*0.7, room/4)))
	for i, row := range c.r.Sweep.Rows {
		x, y := float64(i%c.columns), float64(i/c.columns)
		heat := 0.0
		if c.high > c.low {
			heat = (float(string(row.ExtraPerMonth)) - c.low) / (c.high - c.low)
		}
		canvas.FillPolygon(shade(heat), []vg.Point{{X: toX(x - 0.49), Y: toY(y - 0.48)}, {X: toX(x + 0.49), Y: toY(y - 0.48)},
			{X: toX(x + 0.49), Y: toY(y + 0.48)}, {X: toX(x - 0.49), Y: toY(y + 0.48)}})
		if style.Font.Size < 4 {
			continue // too small to be read
		}
		style.Color = ink
		if heat > 0.6 {
			style.Color = color.White
		}
		canvas.FillText(style, vg.Point{X: toX(x), Y: toY(y)}, amountText(string(row.ExtraPerMonth)))
	}
}

// shade goes from a pale grey to the red of money lost.
func shade(heat float64) color.Color {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + heat*(float64(b)-float64(a)))) }
	return color.RGBA{mix(0xf2, red.R), mix(0xf4, red.G), mix(0xf7, red.B), 0xff}
}

// Tornado draws how far the month's extra goes where one parameter alone changes, the widest bar on top.
func Tornado(r *report.Projection, format string) ([]byte, error) {
	p := newPlot("What matters most: the month's extra, " + r.Currency)
	p.X.Label.Text = "retry extra, " + r.Currency + " a month"
	b := &bars{r.Tornado}
	p.Add(b)
	low, high := float(string(r.ExtraPerMonth)), float(string(r.ExtraPerMonth))
	var ticks plot.ConstantTicks
	for i, x := range r.Tornado {
		for _, v := range []report.Money{x.ExtraAtLow, x.ExtraAtHigh} {
			low, high = math.Min(low, float(string(v))), math.Max(high, float(string(v)))
		}
		ticks = append(ticks, plot.Tick{Value: float64(len(r.Tornado) - 1 - i), Label: axisTitle(x.Parameter)})
	}
	p.Y.Tick.Marker, p.X.Tick.Marker = ticks, amounts{}
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0
	margin := (high - low) * 0.18
	if margin == 0 {
		margin = math.Max(1, math.Abs(high))
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low-margin, high+margin, -0.6, float64(len(r.Tornado))-0.4
	return written(p, format)
}

type bars struct{ list []report.Bar }

// Plot implements plot.Plotter.
func (b *bars) Plot(canvas draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&canvas)
	style := p.X.Tick.Label
	style.Font.Size, style.YAlign = 8, draw.YCenter
	for i, x := range b.list {
		y := float64(len(b.list) - 1 - i)
		middle := float(string(x.ExtraAtMiddle))
		for _, end := range []struct {
			amount report.Money
			value  string
			colour color.Color
		}{{x.ExtraAtLow, x.Low, blue}, {x.ExtraAtHigh, x.High, red}} {
			at := float(string(end.amount))
			canvas.FillPolygon(end.colour, []vg.Point{{X: toX(middle), Y: toY(y - 0.3)}, {X: toX(at), Y: toY(y - 0.3)}, {X: toX(at), Y: toY(y + 0.3)}, {X: toX(middle), Y: toY(y + 0.3)}})
			gap := vg.Points(3)
			style.XAlign = draw.XLeft
			if at < middle {
				style.XAlign, gap = draw.XRight, -gap
			}
			canvas.FillText(style, vg.Point{X: toX(at) + gap, Y: toY(y)}, valueText(x.Parameter, end.value))
		}
	}
	if len(b.list) > 0 {
		middle := toX(float(string(b.list[0].ExtraAtMiddle)))
		canvas.StrokeLine2(draw.LineStyle{Color: ink, Width: vg.Points(0.8)}, middle, canvas.Min.Y, middle, canvas.Max.Y)
	}
}
