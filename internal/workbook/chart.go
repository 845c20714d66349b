package workbook

import (
	"fmt"
	"math"

	"github.com/xuri/excelize/v2"
)

// mainBlock is the block to draw: of the paid book's currencies in which there is an excess,
// the one with most charges; the first of those that have equally many. Where the bill has no
// excess, another book's is drawn; -1 if there is none at all. Currencies are not compared by
// money, as that would need a rate.
func mainBlock(blocks []verdictBlock) int {
	best, most, paid := -1, int64(0), false
	for i, block := range blocks {
		if block.bars() == 0 {
			continue
		}
		charges := int64(0)
		for _, v := range block.rows {
			charges += v.Charges
		}
		isPaid := block.book == "bill"
		if best < 0 || isPaid && !paid || isPaid == paid && charges > most {
			best, most, paid = i, charges, isPaid
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

// leaveRoom leaves the rows free that the chart of a block takes, and returns the first of
// them. It stands above the tables, where it is on the first printed page as a whole.
func (s *summary) leaveRoom(block verdictBlock) (row int) {
	s.gap()
	row = s.row + 1
	s.row += int(math.Ceil(float64(chartHeight(block))/rowPixels)) + 1
	return row
}

func chartHeight(block verdictBlock) int { return chartRoom + barRoom*block.bars() }

// chart draws the excess by verdict of the table whose first row is given, at a row that was
// left free for it. Rows are sorted, so those with an excess come first; the others would
// only be empty bars.
func (s *summary) chart(block verdictBlock, first, row int) {
	if s.err != nil {
		return
	}
	heading := fmt.Sprintf("Excess by verdict in %s, %s (%s)", block.currency, s.b.periodText(), s.b.zone)
	if block.book != "bill" {
		heading = fmt.Sprintf("Excess by verdict by %s in %s, %s (%s)", bookWords(block.book), block.currency, s.b.periodText(), s.b.zone)
	}
	if err := s.b.file.AddChart(s.name, cellName(colLabel, row), s.barChart(cleanText(heading), first, block)); err != nil {
		s.err = s.failed(err)
	}
}

func (s *summary) barChart(heading string, first int, block verdictBlock) *excelize.Chart {
	column := func(name string) string {
		return fmt.Sprintf("%s!$%s$%d:$%s$%d", s.name, name, first, name, first+block.bars()-1)
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
		PlotArea:   excelize.ChartPlotArea{ShowVal: true, NumFmt: excelize.ChartNumFmt{CustomNumFmt: withPlaces(formatMoney, block.places())}},
		Dimension:  excelize.ChartDimension{Width: chartWidth, Height: uint(chartHeight(block))},
		VaryColors: &off,
		GapWidth:   &gap,
		Format:     excelize.GraphicOptions{AltText: heading, Positioning: "oneCell"},
	}
}
