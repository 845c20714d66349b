package workbook

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"
)

// kind is what a cell holds; it decides the look.
type kind int

const (
	kindText kind = iota
	kindID        // text that must never be read as a number
	kindIDRight
	kindWrap
	kindMoney
	kindMoneyAtLeast // a sum of which parts are unknown
	kindMoneyTiny    // an amount that six decimals would show as zero
	kindStrong       // an amount that a section is about
	kindStrongAtLeast
	kindWhole // tokens, counts
	kindShare // a fraction, shown in percent
	kindRatio
	kindTime
	kindDay
	kindDayLeft
	kindMuted // "unknown", "not measurable"
	kindNote
	kindAside // a note that goes on over the empty cells beside it
	kindLabel
	kindHeader
	kindHeaderRight
	kindFilterRight // the same, clear of the drop-down in the cell's right corner
	kindSection
	kindLead // the sentence under the title
	kindTitle
	kindCheck
	kindInput // a cell that the reader may change
	kindInputShare
	kindPlain // a number as it is
	kindTotal // under a table
	kindTotalAtLeast
	kindTotalText
	kindTotalWhole
	kindTotalShare
	kindZero // what must be nothing, to six decimals
	kindBox  // a box to write in
	kindBoxText
	kinds // how many there are
)

// One font, three greys and one blue: the numbers are what should be seen.
const (
	fontName = "Arial"
	inkColor = "1F2933"
	dimColor = "52606D"
	accent   = "1F4E79"
	fillHead = "E9EEF4"
	rule     = "9AA5B1"
	fillCell = "FFF6D6"
)

// Number formats. Amounts have thousands separators and, by withPlaces, two to six decimals.
// One that six decimals would show as zero is shown as less than the smallest.
const (
	formatMoney   = `#,##0.00`
	formatTiny    = `"<0.000001";">-0.000001"`
	formatAtLeast = `"≥ "#,##0.00;"≥ "-#,##0.00`
	formatWhole   = `#,##0`
	formatShare   = `0.00%`
	formatRatio   = `0.000`
	formatTime    = `yyyy-mm-dd hh:mm:ss.000`
	formatDay     = `yyyy-mm-dd`
	formatText    = `@`
	formatZero    = `0.000000`
	// Inputs keep their digits; a share of a share needs more than two decimals.
	formatPlain     = `General`
	formatFineShare = `0.00##%`
)

// look is how a kind of cell is drawn.
type look struct {
	format    string
	size      float64 // 0 is the sheet's
	bold      bool
	italic    bool
	color     string // "" is the ink
	right     bool
	inset     int  // of a right one, in characters
	left      bool // with an indent, to keep clear of a number on its left
	wrap      bool
	fill      bool
	input     bool // shaded as what may be changed
	lineBelow bool
	lineAbove bool
	boxed     bool
}

var looks = [kinds]look{
	kindText:          {left: true},
	kindID:            {format: formatText, left: true},
	kindIDRight:       {format: formatText, right: true},
	kindWrap:          {wrap: true, left: true},
	kindMoney:         {format: formatMoney, right: true},
	kindMoneyAtLeast:  {format: formatAtLeast, right: true},
	kindMoneyTiny:     {format: formatTiny, right: true},
	kindStrong:        {format: formatMoney, bold: true, right: true},
	kindStrongAtLeast: {format: formatAtLeast, bold: true, right: true},
	kindWhole:         {format: formatWhole, right: true},
	kindShare:         {format: formatShare, right: true},
	kindRatio:         {format: formatRatio, right: true},
	kindTime:          {format: formatTime, left: true},
	kindDay:           {format: formatDay},
	kindDayLeft:       {format: formatDay, left: true},
	kindMuted:         {italic: true, color: dimColor, right: true},
	kindNote:          {color: dimColor, wrap: true, left: true},
	kindAside:         {color: dimColor, left: true},
	kindLabel:         {bold: true, left: true},
	kindHeader:        {bold: true, wrap: true, fill: true, lineBelow: true, left: true},
	kindHeaderRight:   {bold: true, wrap: true, fill: true, lineBelow: true, right: true},
	kindFilterRight:   {bold: true, wrap: true, fill: true, lineBelow: true, right: true, inset: 2},
	kindSection:       {size: 12, bold: true, color: accent},
	kindLead:          {size: 11, wrap: true},
	kindTitle:         {size: 17, bold: true, color: accent},
	kindCheck:         {bold: true, lineAbove: true, right: true},
	kindInput:         {format: formatPlain, right: true, input: true},
	kindInputShare:    {format: formatFineShare, right: true, input: true},
	kindPlain:         {format: formatPlain, right: true},
	kindTotal:         {format: formatMoney, bold: true, right: true, lineAbove: true},
	kindTotalAtLeast:  {format: formatAtLeast, bold: true, right: true, lineAbove: true},
	kindTotalText:     {bold: true, left: true, lineAbove: true},
	kindTotalWhole:    {format: formatWhole, bold: true, right: true, lineAbove: true},
	kindTotalShare:    {format: formatShare, bold: true, right: true, lineAbove: true},
	kindZero:          {format: formatZero, bold: true, right: true, lineAbove: true},
	kindBox:           {boxed: true, left: true},
	kindBoxText:       {boxed: true, bold: true, left: true, wrap: true, fill: true},
}

// styles are the style numbers of a file, per kind: plain, with Excel's quote prefix, and both
// with a line above, which begins a group of rows.
type styles struct {
	plain, quoted, lined, quotedLine [kinds]int
	places, linePlaces               [kinds][maxPlaces + 1]int // of amounts, by how many decimals are shown
}

// How many decimals an amount is shown with.
const (
	minPlaces = 2
	maxPlaces = 6
)

// withPlaces is the format of an amount with as many decimals.
func withPlaces(format string, places int) string {
	return strings.ReplaceAll(format, "0.00", "0."+strings.Repeat("0", places))
}

func hasPlaces(k kind) bool {
	return k == kindMoney || k == kindMoneyAtLeast || k == kindStrong || k == kindStrongAtLeast || k == kindTotal || k == kindTotalAtLeast
}

func newStyles(f *excelize.File) (styles, error) {
	var s styles
	if err := f.SetDefaultFont(fontName); err != nil {
		return s, fmt.Errorf("font: %w", err)
	}
	var err error
	for k, l := range looks {
		lined := l
		lined.lineAbove = true
		if s.plain[k], s.places[k], err = stylesOf(f, kind(k), l); err != nil {
			return s, err
		}
		if s.lined[k], s.linePlaces[k], err = stylesOf(f, kind(k), lined); err != nil {
			return s, err
		}
		s.quoted[k], s.quotedLine[k] = quotedCopy(f, s.plain[k]), quotedCopy(f, s.lined[k])
	}
	return s, nil
}

// stylesOf makes the style of a kind, and of amounts one for each number of decimals.
func stylesOf(f *excelize.File, k kind, l look) (plain int, places [maxPlaces + 1]int, err error) {
	if plain, err = f.NewStyle(l.style()); err != nil || !hasPlaces(k) {
		return plain, places, err
	}
	for n := minPlaces; n <= maxPlaces; n++ {
		more := l
		more.format = withPlaces(l.format, n)
		if places[n], err = f.NewStyle(more.style()); err != nil {
			return plain, places, fmt.Errorf("cell style %d: %w", k, err)
		}
	}
	return plain, places, nil
}

// quotedCopy appends a copy of a style that has the quote prefix. excelize can write that
// attribute but offers no call to set it.
func quotedCopy(f *excelize.File, id int) int {
	xfs := f.Styles.CellXfs
	twin := xfs.Xf[id]
	quote := true
	twin.QuotePrefix = &quote
	xfs.Xf = append(xfs.Xf, twin)
	xfs.Count = len(xfs.Xf)
	return len(xfs.Xf) - 1
}

func (l look) style() *excelize.Style {
	font := &excelize.Font{Family: fontName, Size: l.size, Bold: l.bold, Italic: l.italic, Color: l.color}
	if font.Size == 0 {
		font.Size = 9
	}
	if font.Color == "" {
		font.Color = inkColor
	}
	style := &excelize.Style{Font: font, Alignment: &excelize.Alignment{Vertical: "center", WrapText: l.wrap}}
	if l.right {
		style.Alignment.Horizontal, style.Alignment.Indent = "right", l.inset
	}
	if l.left {
		style.Alignment.Horizontal, style.Alignment.Indent = "left", 1
	}
	if l.format != "" {
		style.CustomNumFmt = &l.format
	}
	if l.fill {
		style.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{fillHead}}
	}
	if l.input {
		style.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{fillCell}}
	}
	if l.lineBelow {
		style.Border = append(style.Border, excelize.Border{Type: "bottom", Color: rule, Style: 1})
	}
	if l.lineAbove {
		style.Border = append(style.Border, excelize.Border{Type: "top", Color: rule, Style: 1})
	}
	if l.boxed {
		for _, side := range []string{"top", "bottom", "left", "right"} {
			style.Border = append(style.Border, excelize.Border{Type: side, Color: rule, Style: 1})
		}
	}
	return style
}
