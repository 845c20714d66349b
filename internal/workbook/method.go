package workbook

import (
	"strings"
	"time"
)

// methodWidths are the columns of the sheet Method; the last one holds a SHA-256.
var methodWidths = []float64{38, 24, 24, 12, 12, 12, 12, 12, 68}

// method is the sheet Method while it is written; like summary, it keeps the first error.
type method struct {
	*sheet
	err error
	t   func(english string, args ...any) string
}

// writeMethod writes how the numbers were made: enough to trace each and to make it again.
func (b *builder) writeMethod() error {
	sh, err := b.newSheet(layout{
		name: b.t("Method"), widths: methodWidths, portable: true,
		header: []value{textOf(kindTitle, b.t("How the numbers were made"))},
	})
	if err != nil {
		return err
	}
	m := &method{sheet: sh, t: b.t}
	m.about()
	m.closeOut()
	m.inputs()
	m.rows()
	m.calibration()
	m.tiers()
	m.coverage()
	m.checks()
	m.glossary()
	if m.err != nil {
		return m.err
	}
	return m.close()
}

func (m *method) put(height float64, cells ...value) {
	if m.err == nil {
		m.err = m.add(cells, height)
	}
}

func (m *method) section(name string) {
	m.put(0, blank)
	m.put(20, textOf(kindSection, m.t(name)))
}

// header is a header row; a title that begins with > stands on the right.
func (m *method) header(titles ...string) {
	cells := make([]value, len(titles))
	for i, t := range titles {
		cells[i] = textOf(kindHeader, m.t(strings.TrimPrefix(t, ">")))
		if strings.HasPrefix(t, ">") {
			cells[i].kind = kindHeaderRight
		}
	}
	m.put(20, cells...)
}

func (m *method) about() {
	m.section("About this report")
	for _, t := range []term{
		{"Program", strings.TrimSpace("retrytax " + m.b.opts.Version)},
		{"Made at", m.b.opts.Created.In(m.b.zone).Format(time.RFC3339)},
		{"Period", m.b.periodText()},
		{"Time zone of all times", m.t("%s, by the wall clock: in the hour that is set back in autumn, each time of day occurs twice.", m.b.zone.String())},
		{"Currencies", m.b.currencies(m.b.audit.Totals)},
		{"Digits", m.t("A numeric cell holds 15 digits. An amount with more stands beside it as text, in a column named exact.")},
	} {
		m.put(0, text(m.t(t.name)), text(t.meaning))
	}
}

// closeOut is the box in which the two who answer for the numbers sign them.
func (m *method) closeOut() {
	m.section("Close-out of the period")
	box := func(height float64, texts ...string) {
		cells := make([]value, 5)
		for i := range cells {
			cells[i] = value{kind: kindBox}
			if i < len(texts) && texts[i] != "" {
				cells[i] = textOf(kindBoxText, texts[i])
			}
		}
		m.put(height, cells...)
	}
	box(18, " ", m.t("Name"), m.t("Signature"), m.t("Date"), m.t("Result"))
	box(30, m.t("Engineering: the findings are as described"))
	box(30, m.t("Finance: the amounts tie to the bill"))
}

// rows writes the lines that the report brings for this sheet, under their sections. Those
// whose table is written from the audit itself are left out, not to say it twice.
func (m *method) rows() {
	section := ""
	for _, r := range m.b.wb.Method {
		if m.hasTable(r.Section) {
			continue
		}
		if r.Section != section {
			section = r.Section
			m.section(section)
		}
		m.put(0, text(m.b.opts.Lang.Of(r.Name)), text(m.b.opts.Lang.Of(r.Value)))
	}
}

func (m *method) hasTable(section string) bool {
	a := m.b.audit
	switch strings.ToLower(strings.TrimSpace(section)) {
	case "inputs", "input files":
		return len(a.Inputs) > 0
	case "calibration":
		return len(a.Calibration) > 0
	case "coverage":
		return len(a.Coverage) > 0
	case "checks":
		return len(a.Checks) > 0
	case "glossary":
		return true
	}
	return false
}

func (m *method) inputs() {
	if len(m.b.audit.Inputs) == 0 {
		return
	}
	m.section("Input files")
	m.header("File", "Role", "Format", ">Rows", ">Loaded", ">Known before", ">Ignored", ">Rejected", "SHA-256 of the content")
	for _, in := range m.b.audit.Inputs {
		m.put(0, id(in.File), text(m.t(in.Role)), text(in.Format), whole(in.Rows), whole(in.Loaded), whole(in.Known),
			whole(in.Ignored), whole(in.Rejected), id(in.SHA256))
	}
}
