package source

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/zip"
)

// A workbook is read here and not by excelize, whose streaming reader tells neither the type
// nor the number format of a cell: without them a 20-digit id that has lost its end looks
// like any other, and 46298.5 is no time.

// isWorkbook tells an .xlsx workbook from other archives.
func (a *archive) isWorkbook() bool {
	return a.part("[Content_Types].xml") != nil && a.workbookPart() != nil
}

// part is a file of the archive by its exact name, or nil.
func (a *archive) part(name string) *zip.File {
	for _, f := range a.zip.File {
		if strings.TrimPrefix(f.Name, "/") == name {
			return f
		}
	}
	return nil
}

func (a *archive) workbookPart() *zip.File { return a.part("xl/workbook.xml") }

// workbook is what is known of a workbook before its sheets are read.
type workbook struct {
	a       *archive
	sheets  []sheetEntry
	date904 bool // days count from 1904
	shared  []string
	formats []cellFormat // by the style of a cell
}

// sheetEntry is one line of the workbook's list of sheets.
type sheetEntry struct {
	Name, State, Target string
}

// sheets reads every sheet that is a table, and leaves out the others, which it says.
func (a *archive) sheets(o Expansion) (inputs []*Input, notes []string, err error) {
	w, err := a.openWorkbook()
	if err != nil {
		return nil, nil, err
	}
	var names []string
	var problem error // of the sheet that came nearest
	for _, e := range w.sheets {
		names = append(names, e.Name)
		if !wanted(e.Name, o.Members) {
			continue
		}
		if e.State != "" && e.State != "visible" && len(o.Members) == 0 {
			notes = append(notes, fmt.Sprintf("%s: the hidden sheet %s is not read; name it (%s/%s) if it is meant", a.name, e.Name, a.name, e.Name))
			continue
		}
		in, err := w.sheet(e, o)
		if err == nil {
			_, err = Recognise(in, o.Role)
			if err != nil && !errors.Is(err, ErrPrices) {
				err = errors.Join(err, in.Close())
			} else {
				err = nil
			}
		}
		switch {
		case err == nil:
			inputs = append(inputs, in)
		case errors.Is(err, ErrEmpty) || errors.Is(err, ErrUnrecognised):
			if problem == nil || errors.Is(problem, ErrEmpty) {
				problem = err
			}
			notes = append(notes, fmt.Sprintf("%s: the sheet %s is not read: it holds no attempts and no charges", a.name, e.Name))
		default:
			return inputs, nil, err
		}
	}
	switch {
	case len(inputs) > 0:
		return inputs, notes, nil
	case problem != nil:
		return nil, nil, problem
	case len(o.Members) > 0:
		return nil, nil, notWithin(a.name, o.Members[0], "the sheets "+some(names, 20))
	}
	return nil, nil, &Error{File: a.name, Found: "a workbook without a sheet that can be seen", Expected: "a table of attempts or charges", Kind: ErrEmpty,
		Hint: "export it again, or leave it out"}
}

// sheet converts one sheet to CSV in a temporary file: line n of it is row n of the sheet.
func (w *workbook) sheet(e sheetEntry, o Expansion) (*Input, error) {
	name := w.a.name + "/" + shown(e.Name)
	part := w.a.part(e.Target)
	if part == nil {
		return nil, &Error{File: name, Found: "a workbook without the part " + e.Target, Expected: "a whole workbook", Kind: ErrCorrupt,
			Hint: "open it in a spreadsheet, and save it again"}
	}
	f, drop, err := TempFile()
	if err != nil {
		return nil, noRoom(name, err)
	}
	s := newSheetWriter(f, name, o.Maps)
	s.packed = int64(part.CompressedSize64)
	if err := w.read(part, name, s); err != nil {
		return nil, errors.Join(err, drop())
	}
	size := s.size
	in := &Input{Name: name, Maps: o.Maps, container: w.a.in, sheet: s.facts(), close: drop, open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(f, 0, size)), nil
	}}
	if p := w.a.in.Path(); p != "" {
		in.ident = p + "/" + shown(e.Name)
	}
	return in, nil
}

// openWorkbook reads all that the sheets refer to.
func (a *archive) openWorkbook() (*workbook, error) {
	w := &workbook{a: a}
	if err := w.refuseOwn(); err != nil {
		return nil, err
	}
	var book struct {
		Props struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string     `xml:"name,attr"`
			State string     `xml:"state,attr"`
			Attrs []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := w.decode(a.workbookPart(), &book); err != nil {
		return nil, err
	}
	targets, err := w.targets()
	if err != nil {
		return nil, err
	}
	w.date904 = book.Props.Date1904 == "1" || book.Props.Date1904 == "true"
	for _, s := range book.Sheets {
		for _, at := range s.Attrs {
			if target := targets[at.Value]; at.Name.Local == "id" && target != "" && !strings.Contains(target, "chartsheets/") {
				w.sheets = append(w.sheets, sheetEntry{s.Name, s.State, target})
			}
		}
	}
	if len(w.sheets) == 0 {
		return nil, &Error{File: a.name, Found: "a workbook without sheets", Expected: "a table of attempts or charges", Kind: ErrCorrupt,
			Hint: "open it in a spreadsheet, and save it again"}
	}
	if err := w.readStyles(); err != nil {
		return nil, err
	}
	return w, w.readShared()
}

// refuseOwn refuses a report that retrytax has written: read as a bill, its evidence would be
// counted as charges again.
func (w *workbook) refuseOwn() error {
	var props struct {
		Application string `xml:"Application"`
	}
	part := w.a.part("docProps/app.xml")
	if part == nil {
		return nil
	}
	if err := w.decode(part, &props); err != nil {
		return err
	}
	if props.Application == "retrytax" {
		return &Error{File: w.a.name, Found: "retrytax's own report.xlsx", Expected: "a billing export", Kind: ErrUnrecognised,
			Hint: "leave the report's folder out of the files"}
	}
	return nil
}

// targets are the names of the parts to which the workbook refers, by their ids.
func (w *workbook) targets() (map[string]string, error) {
	var rels struct {
		Rels []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	part := w.a.part("xl/_rels/workbook.xml.rels")
	if part == nil {
		return nil, &Error{File: w.a.name, Found: "a workbook without its list of parts", Expected: "a whole workbook", Kind: ErrCorrupt,
			Hint: "open it in a spreadsheet, and save it again"}
	}
	if err := w.decode(part, &rels); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, r := range rels.Rels {
		if strings.HasPrefix(r.Target, "/") {
			out[r.ID] = strings.TrimPrefix(r.Target, "/")
		} else {
			out[r.ID] = path.Join("xl", r.Target)
		}
	}
	return out, nil
}

// readShared reads the texts that cells refer to by number.
func (w *workbook) readShared() error {
	part := w.a.part("xl/sharedStrings.xml")
	if part == nil {
		return nil
	}
	return w.tokens(part, w.a.name, func(x *xmlReader) error {
		for {
			name, err := x.nextStart()
			if err != nil || name == "" {
				return err
			}
			if name != "si" {
				continue
			}
			text, err := x.richText("si")
			if err != nil {
				return err
			}
			w.shared = append(w.shared, text)
		}
	})
}

// decode reads a small part whole.
func (w *workbook) decode(part *zip.File, into any) error {
	r, err := w.a.openMember(part, w.a.name)
	if err != nil {
		return err
	}
	defer r.Close()
	const most = 16 << 20
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return err
	}
	if len(text) > most {
		return &Error{File: w.a.name, Found: "a workbook whose part " + part.Name + " is larger than 16 MB", Expected: "a table of attempts or charges", Kind: ErrCorrupt,
			Hint: "export it as CSV"}
	}
	if err := xml.NewDecoder(bytes.NewReader(text)).Decode(into); err != nil {
		return w.broken(part.Name, err)
	}
	return nil
}

func (w *workbook) broken(part string, err error) *Error {
	return &Error{File: w.a.name, Found: "a workbook whose part " + part + " cannot be read (" + err.Error() + ")", Expected: "a whole workbook",
		Kind: ErrCorrupt, Cause: err, Hint: "open it in a spreadsheet, and save it again, or export it as CSV"}
}
