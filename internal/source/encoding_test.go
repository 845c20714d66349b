package source

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"
)

const chineseBill = "charge_id,charged_at,amount,model\nc1,t,￥1.50,通义千问\nc2,t,2,模型\n"

func TestEncodings(t *testing.T) {
	gb, err := simplifiedchinese.GB18030.NewEncoder().String(chineseBill)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(chineseBill)
	if err != nil {
		t.Fatal(err)
	}
	want := decode(t, chineseBill, Options{}).String()
	for name, file := range map[string]string{"": chineseBill, "GB18030": gb, "UTF-16": wide} {
		in := BytesInput("file", []byte(file))
		rec, err := Recognise(in, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := decodeAs(t, in, rec, Options{BlockSize: 16}); got.String() != want || rec.Encoding != name {
			t.Errorf("%s: found %s as %q, expected %s", name, got, rec.Encoding, want)
		}
		said := strings.Contains(strings.Join(rec.Notes, "\n"), "is read as GB18030")
		if said != (name == "GB18030") {
			t.Errorf("%s: found notes %q", name, rec.Notes)
		}
	}
}

// Bytes that are no text become no character that was never there: the row is refused.
func TestBrokenGB18030(t *testing.T) {
	gb, err := simplifiedchinese.GB18030.NewEncoder().String(chineseBill + strings.Repeat("c3,t,3,模型\n", encodingBytes/10))
	if err != nil {
		t.Fatal(err)
	}
	got := decode(t, gb+"c4,t,4,\xff\xc4\xa3\n", Options{})
	if n := len(got.Rejects); n != 1 || !strings.Contains(got.Rejects[0].Reason, "not UTF-8") {
		t.Errorf("found rejects %v, expected one of bytes that are no text", got.Rejects)
	}
}

func TestLooksChinese(t *testing.T) {
	latin := func(s string) []byte { b, _ := charmap.Windows1252.NewEncoder().Bytes([]byte(s)); return b }
	gb := func(s string) []byte { b, _ := simplifiedchinese.GB18030.NewEncoder().Bytes([]byte(s)); return b }
	for _, c := range []struct {
		name string
		text []byte
		want bool
	}{
		{"Chinese", gb("请求ID,应付金额\n"), true},
		{"a rare character among common ones", gb("请求ID,应付金额,𠀀\n"), true},
		{"cut within a character", gb("请求ID,应付金额")[:13], true},
		{"UTF-8", []byte("请求ID,应付金额\n"), false},
		{"UTF-8, cut", []byte("请求ID,应付金额")[:18], false},
		{"UTF-8 with one wrong byte", []byte("请求ID,应付金额\xff\n"), false},
		{"French", latin("Montant payé,Modèle,Créé à\n"), false},
		{"German", latin("Größe;Übergebühr;Währung;später\n"), false},
		{"binary", append(gb("请求应付金额"), 0, 1, 2), false},
		{"one pair", gb("模\n"), false},
		{"ASCII", []byte("charge_id\n"), false},
		{"nothing", nil, false},
	} {
		if got := looksChinese(c.text); got != c.want {
			t.Errorf("%s: found %v, expected %v", c.name, got, c.want)
		}
	}
}

// Chinese text of some length is told in GB18030, and comes back as it was.
func TestGB18030Property(t *testing.T) {
	common := []rune("的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom(append(common, ',', '\n', 'a', '0')), 20, 200, -1).Draw(t, "text")
		high := 0
		for _, r := range text {
			if r >= utf8.RuneSelf {
				high++
			}
		}
		if high < 10 {
			t.Skip()
		}
		b, err := simplifiedchinese.GB18030.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, name := toUTF8(b, bytes.NewReader(b))
		back, err := io.ReadAll(r)
		if err != nil || name != "GB18030" || string(back) != text {
			t.Fatalf("found %q as %q (%v), expected %q", back, name, err, text)
		}
	})
}
