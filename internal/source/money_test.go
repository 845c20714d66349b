package source

import (
	"strings"
	"testing"
)

// What people write for amounts, and what SQL gets of it. A text that could mean two things,
// or nothing, is left as it is or refused.
func TestMoney(t *testing.T) {
	for _, c := range []struct{ text, plain, codes, why string }{
		{"0.01", "0.01", "", ""},
		{"$0.01", "0.01", "USD CAD AUD SGD HKD TWD NZD MXN", ""},
		{"US$0.01", "0.01", "USD", ""},
		{"¥ 0.12", "0.12", "CNY JPY", ""},
		{"￥0.12", "0.12", "CNY JPY", ""},
		{"€0.5", "0.5", "EUR", ""},
		{"0.5 €", "0.5", "EUR", ""},
		{"0.5 USD", "0.5", "USD", ""},
		{"CNY 0.5", "0.5", "CNY", ""},
		{"CNY0.5", "0.5", "CNY", ""},
		{"0.5元", "0.5", "CNY", ""},
		{"1,234.50", "1234.50", "", ""},
		{"1,234,567", "1234567", "", ""},
		{"$1,234,567.000000000001", "1234567.000000000001", "USD CAD AUD SGD HKD TWD NZD MXN", ""},
		{"1'234.50", "1234.50", "", ""},
		{"1\u202f234.50", "1234.50", "", ""},
		{"(3.20)", "-3.20", "", ""},
		{"($3.20)", "-3.20", "USD CAD AUD SGD HKD TWD NZD MXN", ""},
		{"-$3.20", "-3.20", "USD CAD AUD SGD HKD TWD NZD MXN", ""},
		{"$-3.20", "-3.20", "USD CAD AUD SGD HKD TWD NZD MXN", ""},
		{"3.20-", "-3.20", "", ""},
		{"\u22123.20", "-3.20", "", ""},
		{"3.20 USD-", "-3.20", "USD", ""},
		{"$1e-7", "1e-7", "USD CAD AUD SGD HKD TWD NZD MXN", ""},
		{"1,234", "", "", "which can be 1234 or 1.234"},
		{"$1,234", "", "", "which can be 1234 or 1.234"},
		{"0,01", "0,01", "", ""},
		{"0,012", "0,012", "", ""},
		{"1.234,56", "1.234,56", "", ""},
		{"12,34,567", "12,34,567", "", ""},
		{"--1", "--1", "", ""},
		{"(-1)", "(-1)", "", ""},
		{"NaN", "NaN", "", ""},
		{"Inf", "Inf", "", ""},
		{"USD", "USD", "", ""},
		{"$", "$", "", ""},
		{"", "", "", ""},
		{"0x1F", "0x1F", "", ""},
		{"1_000", "1_000", "", ""},
		{"half a cent", "half a cent", "", ""},
		{"1..2", "1..2", "", ""},
	} {
		plain, codes, why := money([]byte(c.text), unknownSign)
		if c.why != "" {
			if !strings.Contains(why, c.why) {
				t.Errorf("%q: found why %q, expected %q", c.text, why, c.why)
			}
			continue
		}
		if plain != c.plain || strings.Join(codes, " ") != c.codes || why != "" {
			t.Errorf("%q: found %q %q %q, expected %q %q", c.text, plain, codes, why, c.plain, c.codes)
		}
	}
	for text, want := range map[string]string{"1.234,56 €": "1234.56", "0,01": "0.01", "1.234": "1234", "-5": "-5", "1.5": "1.5"} {
		if plain, _, _ := money([]byte(text), commaSign); plain != want {
			t.Errorf("%q with a decimal comma: found %q, expected %q", text, plain, want)
		}
	}
	if plain, _, why := money([]byte("1,234"), pointSign); plain != "1234" || why != "" {
		t.Errorf("1,234 with a decimal point: found %q %q, expected 1234", plain, why)
	}
}

// A sign says which currency where a row does not, and contradicts where it does.
func TestMoneyInRows(t *testing.T) {
	got := decode(t, "charge_id,charged_at,amount,currency,input_tokens\n"+
		"c1,t,€1.50,,\"12,345\"\n"+
		"c2,t,$1.50,USD,1\n"+
		"c3,t,$1.50,CNY,1\n"+
		"c4,t,￥1.50,,1\n"+
		"c5\t,t,1.5 CNY,,1\n"+
		"=\"0012\",t,1.5,,1\n"+
		"1.23457E+19,t,1.5,,1\n"+
		"c8,t,\"1,500\",,1\n", Options{})
	want := "2: charge_id=c1 charged_at=t input_tokens=12345 amount=1.50 currency=EUR\n" +
		"3: charge_id=c2 charged_at=t input_tokens=1 amount=1.50 currency=USD\n" +
		"5: charge_id=c4 charged_at=t input_tokens=1 amount=1.50\n" +
		"6: charge_id=c5 charged_at=t input_tokens=1 amount=1.5 currency=CNY\n" +
		"7: charge_id=0012 charged_at=t input_tokens=1 amount=1.5\n" +
		"4: reject amount: found \"$1.50\" in a row whose currency is CNY, expected an amount in it [c3,t,$1.50,CNY,1]\n" +
		"8: reject charge_id: found \"1.23457E+19\", expected an id: a spreadsheet has made a number of it and dropped its digits (take the vendor's own file) [1.23457E+19,t,1.5,,1]\n" +
		"9: reject amount: found \"1,500\", which can be 1500 or 1.500, expected a number that means one thing (the mapping's decimal=point or decimal=comma says which sign the decimals have) [c8,t,\"1,500\",,1]\n"
	if got.String() != want {
		t.Errorf("found\n%s\nexpected\n%s", got.String(), want)
	}
}

// On an invoice a sign tells the currency and contradicts it as in a billing export; one of several currencies is that
// of the file, where the user has named it.
func TestMoneyOfTotals(t *testing.T) {
	text := "provider,period_start,amount,currency,quantity\n" +
		"a,2026-10,€0.14,,\"12,345\"\n" +
		"a,2026-10,0.05 EUR,,1\n" +
		"a,2026-10,€0.14,USD,1\n" +
		"a,2026-10,US$ 0.14,,1\n" +
		"a,2026-10,0.14元,,1\n" +
		"a,2026-10,£0.14,XXX,1\n" +
		"a,2026-10,$0.14,,1\n"
	want := "2: provider=a period_start=2026-10 quantity=12345 amount=0.14 currency=EUR\n" +
		"3: provider=a period_start=2026-10 quantity=1 amount=0.05 currency=EUR\n" +
		"5: provider=a period_start=2026-10 quantity=1 amount=0.14 currency=USD\n" +
		"6: provider=a period_start=2026-10 quantity=1 amount=0.14 currency=CNY\n" +
		"7: provider=a period_start=2026-10 quantity=1 amount=0.14 currency=XXX\n"
	wrong := "4: reject amount: found \"€0.14\" in a row whose currency is USD, expected an amount in it [a,2026-10,€0.14,USD,1]\n"
	rec, err := Recognise(BytesInput("file", []byte(text)), Bills)
	if err != nil {
		t.Fatal(err)
	}
	for currency, last := range map[string]string{
		"":    "8: provider=a period_start=2026-10 quantity=1 amount=0.14\n" + wrong,
		"XXX": "8: provider=a period_start=2026-10 quantity=1 amount=0.14\n" + wrong,
		"CAD": "8: provider=a period_start=2026-10 quantity=1 amount=0.14\n" + wrong,
		"EUR": wrong + "8: reject amount: found \"$0.14\" in a row whose currency is EUR, expected an amount in it [a,2026-10,$0.14,,1]\n",
	} {
		if got := decodeAs(t, BytesInput("file", []byte(text)), rec, Options{Currency: currency}); got.String() != want+last {
			t.Errorf("with %q found\n%s\nexpected\n%s", currency, got.String(), want+last)
		}
	}
}
