package workbook

import (
	"fmt"
	"math"

	"github.com/xuri/excelize/v2"
)

const (
	paperA4    = 9
	lineHeight = 12.5 // points, for the sheets' font
)

// setUpPage makes the sheet print on A4, landscape, as many pages wide as the layout says and
// as many high as it needs.
func (s *sheet) setUpPage() error {
	f, yes, paper, landscape := s.b.file, true, paperA4, "landscape"
	wide, high := max(s.layout.wide, 1), 0
	if err := f.SetSheetProps(s.name, &excelize.SheetPropsOptions{FitToPage: &yes}); err != nil {
		return err
	}
	err := f.SetPageLayout(s.name, &excelize.PageLayoutOptions{
		Size: &paper, Orientation: &landscape, FitToWidth: &wide, FitToHeight: &high,
	})
	if err != nil {
		return err
	}
	side, edge, none := 0.4, 0.6, 0.3
	err = f.SetPageMargins(s.name, &excelize.PageLayoutMarginsOptions{
		Left: &side, Right: &side, Top: &edge, Bottom: &edge, Header: &none, Footer: &none,
	})
	if err != nil {
		return err
	}
	err = f.SetHeaderFooter(s.name, &excelize.HeaderFooterOptions{OddFooter: "&L&8" + s.b.t(s.b.title) + "&C&8&A&R&8" + s.b.t("Page &P of &N")})
	if err != nil {
		return err
	}
	return f.SetSheetView(s.name, 0, &excelize.ViewOptions{ShowGridLines: &s.layout.grid})
}

// freezeHeader keeps the header row, and the first columns if asked, in view and on every page.
func (s *sheet) freezeHeader() error {
	corner := cellName(s.layout.freeze+1, 2)
	pane := "bottomLeft"
	if s.layout.freeze > 0 {
		pane = "bottomRight"
	}
	err := s.stream.SetPanes(&excelize.Panes{
		Freeze: true, XSplit: s.layout.freeze, YSplit: 1, TopLeftCell: corner, ActivePane: pane,
		Selection: []excelize.Selection{{SQRef: corner, ActiveCell: corner, Pane: pane}},
	})
	if err != nil {
		return err
	}
	titles := sheetRef(s.name) + "$1:$1"
	if s.layout.freeze > 0 {
		last, err := excelize.ColumnNumberToName(s.layout.freeze)
		if err != nil {
			return err
		}
		titles = fmt.Sprintf("%s$A:$%s,%s", sheetRef(s.name), last, titles)
	}
	return s.b.file.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Titles", RefersTo: titles, Scope: s.name})
}

// headerHeight has room for the header that needs most lines.
func headerHeight(l layout) float64 {
	lines := 1
	for i, v := range l.header {
		if i < len(l.widths) {
			lines = max(lines, linesFor(v.text, l.widths[i]-2))
		}
	}
	return float64(lines)*lineHeight + 6
}

// linesFor is about how many lines a text takes in a cell of that many characters.
func linesFor(s string, width float64) int {
	if width < 1 {
		width = 1
	}
	return max(1, int(math.Ceil(float64(textWidth(s))/width)))
}
