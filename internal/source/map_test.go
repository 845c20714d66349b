package source

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseMap(t *testing.T) {
	for _, c := range []struct{ text, again string }{
		{"request_id=请求ID,amount=应付金额", "request_id=请求ID,amount=应付金额"},
		{"amount=分:scale=0.01", "amount=分:scale=0.01"},
		{`amount="Cost, USD: total":decimal=comma`, `amount="Cost, USD: total":decimal=comma`},
		{`charged_at=时间:layout=%d/%m/%Y %H:%M:%S:zone=Asia/Shanghai,amount=x`, `charged_at=时间:layout="%d/%m/%Y %H:%M:%S":zone=Asia/Shanghai,amount=x`},
		{`ts=t,elapsed_ms=dur:unit=s,outcome=o,layer:=gateway`, `ts=t,elapsed_ms=dur:scale=1000,outcome=o,layer:=gateway`},
		{`Amount = total , book := estimate`, `amount=total,book:=estimate`},
		{`amount="a\"b\\c"`, `amount="a\"b\\c"`},
	} {
		m, err := ParseMap(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := m.Text(); got != c.again {
			t.Errorf("%s: found %s, expected %s", c.text, got, c.again)
		}
		if again, err := ParseMap(m.Text()); err != nil || again.Text() != m.Text() {
			t.Errorf("%s does not read back: %v", m.Text(), err)
		}
	}
	for text, found := range map[string]string{
		"":                          "a mapping of no columns",
		"foo=bar":                   `the column "foo"`,
		"amount":                    `"" behind amount`,
		"amount=":                   "no column for amount",
		"amount=x:scale=0":          "scale of amount",
		"amount=x:scale=1e99":       "scale of amount",
		"amount=x:factor=2":         `the option "factor"`,
		"amount=x:scale":            "without a value",
		"model=x:scale=2":           "a column that is no number",
		"charged_at=x:layout=%Q":    "%Q is not known",
		"charged_at=x:layout=%H:%M": "a day needs",
		"charged_at=x:zone=Nowhere": "zone of charged_at",
		"amount=x:zone=UTC":         "a column that is no time",
		"elapsed_ms=x:unit=h":       "unit of elapsed_ms",
		"amount=x,amount=y":         "amount twice",
		"amount=x,charge_id=x":      `the column "x" for amount and for charge_id`,
		"amount=x,outcome=y":        "amount, which an attempt log has not",
		`amount="x`:                 "a quote that is never closed",
		`amount="x"y`:               "behind a quoted name",
		"started_at=a:zone=UTC,ended_at=b:zone=Asia/Tokyo": "zone of ended_at",
	} {
		_, err := ParseMap(text)
		var e *ErrMap
		if !errors.As(err, &e) || !strings.Contains(e.Found, found) || e.Hint == "" {
			t.Errorf("%s: found %v, expected %s with a hint", text, err, found)
		}
	}
}

// Whatever a column is called, the mapping that names it reads back, and finds it.
func TestMapNamesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringN(1, 20, -1).Filter(func(s string) bool { return strings.TrimSpace(s) != "" }).Draw(t, "name")
		m := &Map{Columns: []MapColumn{{To: "amount", From: name}, {To: "charged_at", From: name + "2", Layout: "%d.%m.%Y"}}}
		again, err := ParseMap(m.Text())
		if err != nil {
			t.Fatalf("%s: %v", m.Text(), err)
		}
		if got := again.Columns[0].From; got != name {
			t.Fatalf("found %q, expected %q", got, name)
		}
	})
}

func TestStrptime(t *testing.T) {
	for _, c := range []struct{ text, layout, want string }{
		{"2026年10月03日 12:00:03", "%Y年%m月%d日 %H:%M:%S", "2026-10-03 12:00:03"},
		{"3/10/2026 9:05", "%d/%m/%Y %H:%M", "2026-10-03 09:05:00"},
		{"10/3/26 12:05 AM", "%m/%d/%y %I:%M %p", "2026-10-03 00:05:00"},
		{"10/3/26 下午1:05", "%m/%d/%y %p%I:%M", "2026-10-03 13:05:00"},
		{"Sat, 03 Oct 2026 12:00:03 +0800", "%a, %d %b %Y %H:%M:%S %z", "2026-10-03 12:00:03+08:00"},
		{"3 October 2026", "%d %B %Y", "2026-10-03 00:00:00"},
		{"20261003120003123", "%Y%m%d%H%M%S%f", "2026-10-03 12:00:03.123"},
		{"2026-10-03T12:00:03Z", "%Y-%m-%dT%H:%M:%S%z", "2026-10-03 12:00:03Z"},
		{"31/02/2026", "%d/%m/%Y", ""},
		{"03/10/2026 24:00", "%d/%m/%Y %H:%M", ""},
		{"03/10/2026 x", "%d/%m/%Y", ""},
		{"03/10/26", "%d/%m/%Y", ""},
		{"", "%d/%m/%Y", ""},
	} {
		got, ok := parseLayout(c.text, c.layout)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q by %q: found %q, expected %q", c.text, c.layout, got, c.want)
		}
	}
}

// A mapping decides, whatever the file's own names say.
func TestMappedFiles(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"cents, a local time and a constant",
			"单号,金额(分),时间\na1,150,03/10/2026 12:00\na2,x,03/10/2026 12:00\na3,1,2026-10-03\n",
			`charge_id=单号,amount=金额(分):scale=0.01,charged_at=时间:layout=%d/%m/%Y %H:%M,currency:=CNY`,
			"2: charge_id=a1 charged_at=2026-10-03 12:00:00 amount=1.5 currency=CNY\n" +
				"3: reject amount: found \"x\", expected a number, which the mapping scales by 0.01 [a2,x,03/10/2026 12:00]\n" +
				"4: reject charged_at: found \"2026-10-03\", expected a time as the mapping says: %d/%m/%Y %H:%M [a3,1,2026-10-03]\n"},
		{"a mapping takes a column from its alias",
			"charged_at,amount,net\nt,2,1\n", "amount=net", "2: charged_at=t amount=1\n"},
		{"lines above the header",
			"Bill of October\n\nwhen;how much\nt;1,5\n", "charged_at=when,amount=how much:decimal=comma", "4: charged_at=t amount=1.5\n"},
		{"levels of JSON",
			`{"meta":{"id":"r1"},"cost":{"cents":"12"},"at":"t"}` + "\n", "request_id=meta.id,amount=cost.cents:scale=0.01,charged_at=at",
			"1: request_id=r1 charged_at=t amount=0.12\n"},
		{"an attempt log in seconds",
			"zeit,dauer,wie\nt,1.5,success\nt,250ms,success\n", "ts=zeit,elapsed_ms=dauer:unit=s,outcome=wie",
			"2: elapsed_ms=1500 outcome=success ts=t\n3: elapsed_ms=250ms outcome=success ts=t\n"},
		{"log lines",
			"started\nwhen=t who=r1 how=success\n", "ts=when,request_id=who,outcome=how", "2: request_id=r1 outcome=success ts=t\nignored 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := ParseMap(c.text)
			if err != nil {
				t.Fatal(err)
			}
			in := BytesInput("file", []byte(c.file))
			in.Maps = []*Map{m}
			if missing, has, err := m.Missing(in); missing != nil && !strings.Contains(c.name, "log lines") {
				t.Errorf("missing %v of %v (%v), expected none", missing, has, err)
			}
			rec, err := Recognise(in, "")
			if err != nil {
				t.Fatal(err)
			}
			if got := decodeAs(t, in, rec, Options{}); got.String() != c.want || !rec.Mapped() {
				t.Errorf("found\n%s\nexpected\n%s", got.String(), c.want)
			}
		})
	}
}

// An invoice is mapped as a billing export is, also by a mapping that could be either's; a day or a month is a period.
func TestMappedTotals(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"other columns", "Lieferant;Monat;Betrag\nacme;10/2026;0,14\n", "provider=Lieferant,period_start=Monat:layout=%m/%Y,amount=Betrag:decimal=comma,currency:=EUR",
			"2: provider=acme period_start=2026-10 amount=0.14 currency=EUR\n"},
		{"a decimal comma alone", "provider;day;amount\nacme;2026-10-03;0,14\n", "amount=amount:decimal=comma", "2: provider=acme period_start=2026-10-03 amount=0.14\n"},
		{"days, and thousands of tokens", "Tag,kTokens,Kosten\n03.10.2026,12,1\n", "period_start=Tag:layout=%d.%m.%Y,quantity=kTokens:scale=1000,amount=Kosten",
			"2: period_start=2026-10-03 quantity=12000 amount=1\n"},
		{"hours", "Stunde,Kosten\n03.10.2026 14:00,1\n", "period_start=Stunde:layout=%d.%m.%Y %H:%M,amount=Kosten", "2: period_start=2026-10-03 14:00:00 amount=1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := ParseMap(c.text)
			if err != nil {
				t.Fatal(err)
			}
			in := BytesInput("file", []byte(c.file))
			in.Maps = []*Map{m}
			rec, err := Recognise(in, Bills)
			if err != nil {
				t.Fatal(err)
			}
			if got := decodeAs(t, in, rec, Options{}); got.String() != c.want || !rec.Mapped() {
				t.Errorf("found\n%s\nexpected\n%s", got.String(), c.want)
			}
		})
	}
	if m, err := ParseMap("period_start=Monat,amount=Betrag"); err != nil || m.Role != Bills {
		t.Errorf("found %v %v, expected a mapping of totals", m, err)
	}
}

// A mapping that was written for a file must fit it; one of a flag leaves others alone.
func TestMappingsThatDoNotFit(t *testing.T) {
	m, err := ParseMap("amount=price paid")
	if err != nil {
		t.Fatal(err)
	}
	in := BytesInput("file", []byte(bill))
	in.Maps = []*Map{m}
	if rec, err := Recognise(in, ""); err != nil || rec.Mapped() {
		t.Errorf("found %v, expected the file's own names", err)
	}
	m.Must = true
	if _, err := Recognise(in, ""); err == nil || !strings.Contains(err.Error(), "expected those of the mapping: price paid") {
		t.Errorf("found %v, expected the column that is missing", err)
	}
}
