package source

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// drain expands content, and reads what it holds to its end as whatever it is taken for. What is
// refused is refused with an error that has a hint.
func drain(t *testing.T, content []byte, maps ...*Map) {
	t.Helper()
	ins, _, err := Expand(BytesInput("f", content), Expansion{Maps: maps})
	checkFault(t, err)
	for _, in := range ins {
		in.Maps = maps
		rec, err := Recognise(in, "")
		if err != nil {
			checkFault(t, err)
			continue
		}
		r, err := Open(t.Context(), in, rec, Options{BlockSize: 64})
		if err != nil {
			checkFault(t, err)
			continue
		}
		for err == nil {
			_, err = r.Next()
		}
		if !errors.Is(err, io.EOF) {
			checkFault(t, err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, in := range ins {
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func checkFault(t *testing.T, err error) {
	t.Helper()
	var e *Error
	if err != nil && (!errors.As(err, &e) || e.Found == "" || e.Kind == nil) {
		t.Fatalf("found %v, expected an error of the file", err)
	}
}

// FuzzZip feeds archives that may be damaged.
func FuzzZip(f *testing.F) {
	f.Add(zipOf(f, "a.csv", bill))
	f.Add(zipOf(f, "a/b.jsonl", `{"charged_at":"t","amount":1}`, "__MACOSX/x", "", "c.gz", string(gz(bill))))
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 8192 {
			t.Skip("more of the same")
		}
		drain(t, content)
	})
}

// FuzzSheet feeds a workbook's parts: its sheet, its texts and its styles.
func FuzzSheet(f *testing.F) {
	f.Add(`<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>charged_at</t></is></c><c r="C1" t="str"><v>amount</v></c></row>`+
		`<row r="2"><c r="A2" s="1"><v>46298.5</v></c><c r="B2" s="2"><v>46298.5</v></c><c><f>A1</f><v>1e-7</v></c></row></sheetData></worksheet>`,
		`<sst><si><t>charge_id</t></si></sst>`,
		`<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs></styleSheet>`)
	f.Fuzz(func(t *testing.T, sheet, texts, styles string) {
		if len(sheet)+len(texts)+len(styles) > 8192 {
			t.Skip("more of the same")
		}
		drain(t, zipOf(t, "[Content_Types].xml", "<Types/>", "xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
			"xl/worksheets/sheet1.xml", sheet, "xl/sharedStrings.xml", texts, "xl/styles.xml", styles))
	})
}

// FuzzEncoding feeds bytes of any encoding: what is taken for GB18030 has as many lines as
// before, and what of it is no text stays visible as such.
func FuzzEncoding(f *testing.F) {
	gb, err := simplifiedchinese.GB18030.NewEncoder().Bytes([]byte(chineseBill))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(gb)
	f.Add([]byte(chineseBill))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, name := toUTF8(content[:min(len(content), encodingBytes)], bytes.NewReader(content))
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if name == "" {
			if !bytes.Equal(text, bytes.TrimPrefix(content, utf8Mark)) {
				t.Fatalf("found %q of %q, expected it as it is", text, content)
			}
			return
		}
		if name == "GB18030" {
			if a, b := bytes.Count(text, []byte("\n")), bytes.Count(content, []byte("\n")); a != b {
				t.Fatalf("found %d lines in %q, expected %d", a, content, b)
			}
			plain, _ := simplifiedchinese.GB18030.NewDecoder().Bytes(content)
			if strings.ContainsRune(string(plain), utf8.RuneError) == utf8.Valid(text) {
				t.Fatalf("%q became %q: bytes that are no text must stay so", content, text)
			}
		}
		drain(t, content)
	})
}

// FuzzMap feeds mappings to files: one that is accepted reads back, and breaks nothing.
func FuzzMap(f *testing.F) {
	f.Add("charged_at=时间:layout=%d/%m/%Y %H:%M,amount=金额:scale=0.01", "时间,金额\n03/10/2026 12:00,1\n")
	f.Add(`amount="a, b":decimal=comma,charged_at=t,book:=bill`, "t;\"a, b\"\n1;1,5\n")
	f.Fuzz(func(t *testing.T, text, file string) {
		m, err := ParseMap(text)
		if err != nil {
			return
		}
		again, err := ParseMap(m.Text())
		if err != nil || again.Text() != m.Text() {
			t.Fatalf("%q became %q, which does not read back (%v)", text, m.Text(), err)
		}
		if len(file) < 4096 {
			drain(t, []byte(file), m)
		}
	})
}

// FuzzGuess feeds tables that fit nothing: a mapping that is proposed can be pasted, and reads
// the table that it was made for.
func FuzzGuess(f *testing.F) {
	f.Add("请求ID,消费时间,应付金额(分)\na,2026年10月03日 12:00:00,5\n")
	f.Add("id;when;paid\na;3.10.2026;1,50\n")
	f.Fuzz(func(t *testing.T, file string) {
		if len(file) > 4096 {
			t.Skip("more of the same")
		}
		in := BytesInput("f", []byte(file))
		_, err := Recognise(in, "")
		var e *Error
		if !errors.As(err, &e) || e.Guess == nil || e.Guess.Map == nil {
			return
		}
		m, err := ParseMap(e.Guess.Map.Text())
		if err != nil {
			t.Fatalf("%q: %s does not read back: %v", file, e.Guess.Map.Text(), err)
		}
		m.Role = e.Guess.Role
		in.Maps = []*Map{m}
		if rec, err := Recognise(in, ""); err != nil && !strings.Contains(err.Error(), "columns") || err == nil && !rec.Mapped() {
			t.Fatalf("%q under %s: found %v, expected that it is read", file, m.Text(), err)
		}
	})
}
