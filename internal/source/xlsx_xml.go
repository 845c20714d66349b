package source

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zip"
)

// xmlReader reads a large part of a workbook token by token.
type xmlReader struct {
	d    *xml.Decoder
	name string
	attr []xml.Attr
	self bool
}

// tokens reads a part through f. Errors of the XML become *Error.
func (w *workbook) tokens(part *zip.File, name string, f func(*xmlReader) error) error {
	r, err := w.a.openMember(part, name)
	if err != nil {
		return err
	}
	defer r.Close()
	err = f(&xmlReader{d: xml.NewDecoder(r)})
	var e *Error
	if err != nil && !errors.As(err, &e) {
		err = w.broken(part.Name, err)
	}
	return err
}

// nextStart moves to the next element that begins, and is "" at the end.
func (x *xmlReader) nextStart() (string, error) {
	for {
		t, err := x.d.RawToken()
		if err == io.EOF {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		if s, ok := t.(xml.StartElement); ok {
			x.attr = s.Attr
			return s.Name.Local, nil
		}
	}
}

// get is an attribute of the element at hand.
func (x *xmlReader) get(name string) string {
	for _, a := range x.attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// richText is the text within an element that has just begun, to its end: what its t elements
// hold, without the reading aids (rPh) that Japanese and Chinese texts can have.
func (x *xmlReader) richText(until string) (string, error) {
	var b strings.Builder
	in, aids := false, 0
	for {
		t, err := x.d.RawToken()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			in = t.Name.Local == "t"
			if t.Name.Local == "rPh" {
				aids++
			}
		case xml.EndElement:
			in = false
			switch t.Name.Local {
			case "rPh":
				aids--
			case until:
				return unescaped(b.String()), nil
			}
		case xml.CharData:
			if in && aids == 0 {
				b.Write(t)
			}
		}
	}
}

var escapedChar = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescaped undoes the _x000D_ by which workbooks write what XML cannot hold.
func unescaped(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	return escapedChar.ReplaceAllStringFunc(s, func(m string) string {
		n, _ := strconv.ParseUint(m[2:6], 16, 16)
		if n >= 0xd800 && n < 0xe000 {
			return m // half of a pair, which is no character
		}
		return string(utf8.AppendRune(nil, rune(n)))
	})
}
