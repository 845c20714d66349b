package workbook

import (
	"fmt"
	"math"
	"slices"

	"github.com/xuri/excelize/v2"

	"retrytax/internal/ui"
)

// mainBlock is the block to draw, which is the page's too; -1 if there is none at all.
func (b *builder) mainBlock(blocks []verdictBlock) int {
	book, currency, ok := b.wb.Main()
	return slices.IndexFunc(blocks, func(x verdictBlock) bool { return ok && x.book == book && x.currency == currency })
}

// Sizes of the charts, in pixels; a row of the sheet is 20 high. The two stand side by side above the
// tables, where they are on the first printed page as a whole.
const (
	dayChartWidth   = 760
	modelChartWidth = 520
	chartHeight     = 300
	rowPixels       = 20
	barsShown       = 10
)

// leaveRoom leaves the rows free that the charts take, and returns the first of them.
func (s *summary) leaveRoom() (row int) {
	s.gap()
	row = s.row + 1
	s.row += int(math.Ceil(float64(chartHeight)/rowPixels)) + 1
	return row
}

// charts draws the excess of a block by day, stacked by verdict, and by model, from the cells of
// the sheets By day and By model.
func (s *summary) charts(block verdictBlock, row int) {
	of := ""
	if block.book != "bill" {
		of = s.t(" by %s", s.t(bookWords(block.book)))
	}
	s.draw(cellName(colLabel, row), s.dayChart(s.t("Retry tax by day%s, %s", of, block.currency), block))
	s.draw(cellName(colWho, row), s.modelChart(s.t("Retry tax by model%s, %s", of, block.currency), block))
}

func (s *summary) draw(cell string, c *excelize.Chart) {
	if s.err != nil || c == nil {
		return
	}
	if err := s.b.file.AddChart(s.name, cell, c); err != nil {
		s.err = s.failed(err)
	}
}

// verdictColors are told apart by people who do not see red and green, and in grey.
var verdictColors = []string{"1F4E79", "E07B39", "7FB2D9", "B23A48", "8E9AAF", "5B8C5A", "D9B44A", "6C4F77", "3E7C7B", "A0522D", "4A4A4A", "C38EB4"}

// dayChart stacks the verdicts of each day. The rows of a block stand together in the sheet By day.
func (s *summary) dayChart(heading string, block verdictBlock) *excelize.Chart {
	first, last := 0, 0
	for i, d := range s.b.wb.Days {
		if d.Book == block.book && d.Currency == block.currency {
			if first == 0 {
				first = i + 2
			}
			last = i + 2
		}
	}
	if first == 0 || len(s.b.days.ref.parts) != 1 {
		return nil
	}
	c := s.chart(heading, dayChartWidth)
	c.Type = excelize.ColStacked
	c.Legend = excelize.ChartLegend{Position: "bottom", Font: &excelize.Font{Family: fontName, Size: 8, Color: inkColor}}
	c.XAxis.NumFmt = excelize.ChartNumFmt{CustomNumFmt: "d"} // of one month, the day says enough
	if from, to := s.b.wb.Days[first-2].Day, s.b.wb.Days[last-2].Day; len(from) > 7 && len(to) > 7 && from[:7] != to[:7] {
		c.XAxis.NumFmt = excelize.ChartNumFmt{CustomNumFmt: "mm-dd"}
		c.XAxis.TickLabelSkip = max(1, (last-first+1)/12)
		c.XAxis.Alignment.TextRotation = -90 // level ones LibreOffice prints over each other, as it knows no skip
	}
	c.YAxis.MajorGridLines = true
	sheet := sheetRef(s.b.days.ref.parts[0].sheet)
	column := span{s.b.days.ref.parts[0].sheet, first, last}.cells
	for _, verdict := range s.b.dayVerdicts {
		if !s.drawn(block, verdict) {
			continue
		}
		letters := s.b.days.ref.letters["verdict "+verdict]
		c.Series = append(c.Series, excelize.ChartSeries{
			Name: fmt.Sprintf("%s$%s$1", sheet, letters), Categories: column(s.b.days.ref.letters["day"]), Values: column(letters), Fill: solid(colorOf(verdict)),
		})
	}
	if len(c.Series) == 0 {
		return nil
	}
	return c
}

// colorOf is the colour of a verdict, the same in every report.
func colorOf(verdict string) string {
	for i, w := range ui.Verdicts {
		if w.Code == verdict {
			return verdictColors[i%len(verdictColors)]
		}
	}
	return verdictColors[len(verdictColors)-1]
}

// drawn says whether a block has an excess of a verdict.
func (s *summary) drawn(block verdictBlock, verdict string) bool {
	for _, v := range block.rows {
		if d, err := parseMoney(v.Excess); err == nil && v.Verdict == verdict && d.IsPositive() {
			return true
		}
	}
	return false
}

// modelChart shows the models with the largest excess. They stand together in the sheet By model, the
// largest first.
func (s *summary) modelChart(heading string, block verdictBlock) *excelize.Chart {
	first, last := 0, 0
	for i, m := range s.b.wb.Models {
		d, err := parseMoney(m.Excess)
		if m.Book != block.book || m.Currency != block.currency || err != nil || !d.IsPositive() {
			continue
		}
		if first == 0 {
			first = i + 2
		}
		if i+2 < first+barsShown {
			last = i + 2
		}
	}
	if first == 0 || len(s.b.models.ref.parts) != 1 {
		return nil
	}
	c := s.chart(heading, modelChartWidth)
	c.Type = excelize.Bar
	c.Legend = excelize.ChartLegend{Position: "none"}
	c.XAxis.ReverseOrder = true
	c.YAxis.None = true // the bars carry their numbers
	c.PlotArea = excelize.ChartPlotArea{ShowVal: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: withPlaces(formatMoney, block.places())}}
	r := s.b.models.ref
	column := span{r.parts[0].sheet, first, last}.cells
	c.Series = []excelize.ChartSeries{{
		Name: fmt.Sprintf("%s$%s$1", sheetRef(r.parts[0].sheet), r.letters["excess"]), Categories: column(r.letters["model"]), Values: column(r.letters["excess"]),
		Fill: solid(accent), DataLabel: excelize.ChartDataLabel{Font: excelize.Font{Family: fontName, Size: 8, Color: inkColor}},
	}}
	return c
}

func solid(color string) excelize.Fill {
	return excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{color}}
}

// chart is what both charts have in common.
func (s *summary) chart(heading string, width uint) *excelize.Chart {
	font := excelize.Font{Family: fontName, Size: 8, Color: inkColor}
	off, gap := false, uint(40)
	heading = cleanText(heading)
	return &excelize.Chart{
		Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{
			Text: heading, Font: &excelize.Font{Family: fontName, Size: 11, Bold: true, Color: inkColor},
		}}},
		XAxis:      excelize.ChartAxis{Font: font},
		YAxis:      excelize.ChartAxis{Font: font},
		Dimension:  excelize.ChartDimension{Width: width, Height: chartHeight},
		VaryColors: &off,
		GapWidth:   &gap,
		Format:     excelize.GraphicOptions{AltText: heading, Positioning: "oneCell"},
	}
}
