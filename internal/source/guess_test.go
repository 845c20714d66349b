package source

import (
	"errors"
	"strings"
	"testing"
)

// guessOf is what a text could be.
func guessOf(t *testing.T, text string, forced Role) *Guess {
	t.Helper()
	_, err := Recognise(BytesInput("file", []byte(text)), forced)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("found %v, expected that it fits nothing", err)
	}
	return e.Guess
}

// What tables of other names could be: the mapping that is proposed, or what is missing.
func TestGuess(t *testing.T) {
	for _, c := range []struct {
		name, file, want string
		forced           Role
	}{
		{"a Chinese bill in cents", "账单号,请求ID,消费时间,模型,输入Token数,输出Token数,应付金额(分),优惠金额\nb1,a1b2c3d4e5f60001,2026年10月03日 12:00:00,m,100,50,5,0\n",
			`request_id=请求ID,charge_id=账单号,charged_at=消费时间:layout="%Y年%m月%d日 %H:%M:%S",model=模型,input_tokens=输入Token数,output_tokens=输出Token数,amount=应付金额(分):scale=0.01`, ""},
		{"a German bill", "Datum;Modell;Kosten EUR\n03.10.2026 12:00;m;1,50\n", `charged_at=Datum:layout="%d.%m.%Y %H:%M",model=Modell,amount=Kosten EUR:decimal=comma`, ""},
		{"a bill in lists of JSON", `[{"usage_date":"2026-10-03","details":{"x":1},"Spent":"$0.5","engine":"m"}]`, `charged_at=usage_date,model=engine,amount=Spent`, ""},
		{"thousands of tokens", "when,paid,input ktokens\n2026-10-03,0.5,12\n", `charged_at=when,amount=paid,input_tokens=input ktokens:scale=1000`, ""},
		{"an attempt log", "时间,请求编号,耗时(秒),状态,模型名称\n2026-10-03 12:00:00,r1,1.5,成功,m\n", `ts=时间,request_id=请求编号,elapsed_ms=耗时(秒):scale=1000,status=状态,model=模型名称`, Attempts},
		{"the same, by itself", "时间,请求编号,耗时(秒),状态,模型名称\n2026-10-03 12:00:00,r1,1.5,成功,m\n", `ts=时间,request_id=请求编号,elapsed_ms=耗时(秒):scale=1000,status=状态,model=模型名称`, ""},
		{"by values alone", "a,b\n2026-10-03,0.5\n", "charged_at=a,amount=b", ""},
		{"lines above it", "Bill of October\n\nDatum;Kosten\n3.10.2026;1,5\n", `charged_at=Datum:layout=%d.%m.%Y,amount=Kosten:decimal=comma`, ""},
		{"a German invoice", "Lieferant;Monat;Betrag\nacme;2026-10;0,14\n", `period_start=Monat,amount=Betrag:decimal=comma`, Bills},
		{"a Chinese invoice", "供应商,月份,金额,币种\nacme,2026年10月,0.14,USD\n", `provider=供应商,period_start=月份:layout=%Y年%m月,amount=金额,currency=币种`, Bills},
		{"an invoice without money", "Vendor,When\nacme,2026-10\n", "missing amount, quantity or requests: what was billed or counted", Bills},
		{"no time", "colour,paid\nred,0.5\n", "missing charged_at: when it was charged", ""},
		{"our own output", "verdict,recovery,settled,delivered_charge_id\na,b,c,d\n", "nothing", ""},
		{"prose", "Well, it was a dark night.\nNothing happened.\n", "nothing", ""},
		{"a header alone", "when,paid\n", "nothing", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := guessOf(t, c.file, c.forced)
			got := "nothing"
			switch {
			case g == nil:
			case g.Map == nil:
				got = "missing " + strings.Join(g.Missing, "; ")
			default:
				got = order(g.Map).Text()
			}
			want := c.want
			if m, err := ParseMap(want); err == nil {
				want = order(m).Text()
			}
			if got != want {
				t.Errorf("found\n%s\nexpected\n%s", got, want)
			}
		})
	}
}

// order puts the columns of a mapping into the order of their names.
func order(m *Map) *Map {
	out := *m
	out.Columns = nil
	for _, r := range []Role{Charges, Attempts} {
		for _, name := range ColumnsOf(r) {
			for _, c := range m.Columns {
				if c.To == name && !out.claims(name) {
					out.Columns = append(out.Columns, c)
				}
			}
		}
	}
	return &out
}

// Nothing of what stands in the cells is told: it may be a prompt or a key.
func TestGuessTellsNoValues(t *testing.T) {
	g := guessOf(t, "frage,schlüssel,zeit,preis\nmy secret question,sk-abcdef,2026-10-03,0.5\n", "")
	for _, c := range g.Columns {
		if strings.Contains(c.Shape, "secret") || strings.Contains(c.Shape, "sk-") {
			t.Errorf("found %q, expected no value", c.Shape)
		}
	}
	if text := strings.Join(append(g.YAML(), g.Flag()), "\n"); strings.Contains(text, "secret") || strings.Contains(text, "sk-") {
		t.Errorf("found %s, expected no value", text)
	}
}
