package source

import (
	"regexp"
	"strings"
)

// cellFormat is what a number format makes of a number.
type cellFormat struct {
	date, clock bool // it shows a day; a time of day
	digits      int  // it shows whole numbers with so many digits at least: 00012345
}

// readStyles reads the number formats of the workbook.
func (w *workbook) readStyles() error {
	part := w.a.part("xl/styles.xml")
	if part == nil {
		return nil
	}
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := w.decode(part, &styles); err != nil {
		return err
	}
	codes := map[int]string{}
	for _, f := range styles.Formats {
		codes[f.ID] = f.Code
	}
	for _, c := range styles.Cells {
		code, own := codes[c.Format]
		if !own {
			code = builtInFormat(c.Format)
		}
		w.formats = append(w.formats, formatOf(code))
	}
	return nil
}

// builtInFormat is the code of a format that every spreadsheet knows by its number, as far as
// it shows a time (ECMA-376, part 1, 18.8.30; 27 to 36 and 50 to 58 are those of East Asia).
func builtInFormat(id int) string {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return "yyyy-mm-dd"
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 55, id == 56, id >= 45 && id <= 47:
		return "h:mm:ss"
	case id == 22:
		return "yyyy-mm-dd h:mm"
	}
	return ""
}

var (
	// formatText is what a format shows as it stands: quoted, escaped, a colour, a condition, a locale.
	formatText = regexp.MustCompile(`"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]?`)
	elapsed    = regexp.MustCompile(`(?i)\[(h+|m+|s+)\]`)
)

// formatOf tells what a format code shows. Only the part for positive numbers counts.
func formatOf(code string) cellFormat {
	code, _, _ = strings.Cut(code, ";")
	hours := elapsed.MatchString(code)
	bare := strings.ToLower(formatText.ReplaceAllString(code, ""))
	if bare == "general" {
		return cellFormat{}
	}
	f := cellFormat{date: strings.ContainsAny(bare, "yd") || strings.Contains(bare, "mmm"), clock: strings.ContainsAny(bare, "hs") || hours}
	if !f.date && !f.clock {
		f.date = bare != "" && strings.Trim(bare, "m/- ") == "" && strings.Contains(bare, "m")
	}
	if bare != "" && strings.Trim(bare, "0") == "" && len(bare) > 1 && len(bare) <= 40 {
		f.digits = len(bare)
	}
	return f
}
