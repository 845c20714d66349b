package workbook

import (
	"fmt"
	"math"

	"github.com/xuri/excelize/v2"
)

// mainBlock is the block to draw: of the paid book, the currency with most charges; the first
// of those that have equally many. -1 if there is no bill. Currencies are not compared by
// money, as that would need a rate.
func mainBlock(blocks []verdictBlock) int {
	best, most := -1, int64(-1)
	for i, block := range blocks {
		if block.book != "bill" {
			continue
		}
		charges := int64(0)
		for _, v := range block.rows {
			charges += v.Charges
		}
		if charges > most {
			best, most = i, charges
		}
	}
	return best
}

// Sizes of the chart, in pixels; a row of the sheet is 20 high.
const (
	chartWidth = 900
	chartRoom  = 80 // title and margins
	barRoom    = 30
	rowPixels  = 20
)

// chart draws the excess by verdict, under the table whose first row is given. Rows are
// sorted, so those with an excess come first; the others would only be empty bars.
func (s *summary) chart(block verdictBlock, first int) {
	bars := 0
	for _, v := range block.rows {
		if d, err := parseMoney(v.Excess); err == nil && d.IsPositive() {
			bars++
		}
	}
	if bars == 0 || s.err != nil {
		return
	}
	s.gap()
	height := chartRoom + barRoom*bars
	heading := fmt.Sprintf("Excess by verdict in %s, %s (%s)", block.currency, s.b.periodText(), s.b.zone)
	if err := s.b.file.AddChart(s.name, cellName(colLabel, s.row+1), s.barChart(cleanText(heading), first, bars, height)); err != nil {
		s.err = s.failed(err)
		return
	}
	s.row += int(math.Ceil(float64(height)/rowPixels)) + 1
}

func (s *summary) barChart(heading string, first, bars, height int) *excelize.Chart {
	column := func(name string) string {
		return fmt.Sprintf("%s!$%s$%d:$%s$%d", s.name, name, first, name, first+bars-1)
	}
	font := excelize.Font{Family: fontName, Size: 9, Color: inkColor}
	off, gap := false, uint(60)
	fill := excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{accent}}
	return &excelize.Chart{
		Type: excelize.Bar,
		Series: []excelize.ChartSeries{{
			Name: fmt.Sprintf("%s!$D$%d", s.name, first-1), Categories: column("A"), Values: column("D"),
			Fill: fill, DataLabel: excelize.ChartDataLabel{Font: font},
		}},
		Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{
			Text: heading, Font: &excelize.Font{Family: fontName, Size: 12, Bold: true, Color: inkColor},
		}}},
		Legend:     excelize.ChartLegend{Position: "none"},
		XAxis:      excelize.ChartAxis{ReverseOrder: true, Font: font},
		YAxis:      excelize.ChartAxis{None: true}, // the bars carry their numbers
		PlotArea:   excelize.ChartPlotArea{ShowVal: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: formatMoney}},
		Dimension:  excelize.ChartDimension{Width: chartWidth, Height: uint(height)},
		VaryColors: &off,
		GapWidth:   &gap,
		Format:     excelize.GraphicOptions{AltText: heading, Positioning: "oneCell"},
	}
}
