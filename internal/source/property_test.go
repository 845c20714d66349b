package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "retrytax/internal/drawn"
)

func sha(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

// csvText draws a table body out of the characters that matter to CSV, so that it is
// broken in every possible way.
func csvText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
		"a", "bc", ",", ",", ",", "\"", "\"", "\"\"", "\n", "\n", "\r\n", "1,2,3\n", "\"x\",y,z\n", " ", "é",
	}), 0, 40).Draw(t, "csv"), "")
}

var csvRec = Recognised{Role: Charges, Syntax: CSV, Delimiter: ',', header: []byte("charge_id,charged_at,amount"),
	targets: []target{{col: 2}, {col: 8}, {col: 15}}}

// Whatever encoding/csv reads without complaint, we read alike.
func TestCSVAgreesWithEncodingCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := csvText(t)
		r := csv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord = 3
		all, err := r.ReadAll()
		if err != nil {
			t.Skip("not CSV")
		}
		var want []string
		for _, rec := range all {
			if strings.Join(rec, "") == "" {
				continue // a row of nothing but commas is blank
			}
			var parts []string
			for i, v := range rec {
				v = strings.Trim(v, " ")
				if i == 2 {
					v = strings.TrimSpace(v) // line ends around an amount say nothing either
				}
				if v != "" { // blanks say nothing
					parts = append(parts, []string{"charge_id=", "charged_at=", "amount="}[i]+v)
				}
			}
			want = append(want, strings.Join(parts, " "))
		}
		got := decodeAs(t, BytesInput("f", []byte(text)), csvRec, Options{})
		for i := range got.Records { // encoding/csv turns CRLF inside quotes to LF
			got.Records[i] = strings.ReplaceAll(got.Records[i], "\r\n", "\n")
		}
		if diff := cmp.Diff(want, got.Records); diff != "" || len(got.Rejects) > 0 {
			t.Fatalf("%q: %s %v", text, diff, got.Rejects)
		}
	})
}

// What we decode does not depend on the size of the blocks or the number of decoders.
func TestBlocksDoNotMatter(t *testing.T) {
	jsonBits := []string{`{"charge_id":"`, `a\"b`, `","amount":`, "1", "}", "\n", "\n", `{"charge_id":"x","amount":1}` + "\n", "[", "]", ",", `"`}
	logBits := []string{"evt=llm_call ", "rid=a ", "ts=1 ", `reason="a b" `, `"`, "\n", "\n", "text ", "attempt=1/2 "}
	draw := func(t *rapid.T, bits []string) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits), 0, 60).Draw(t, "text"), "")
	}
	cases := map[string]struct {
		rec  Recognised
		draw func(*rapid.T) string
	}{
		"csv":      {csvRec, csvText},
		"jsonl":    {Recognised{Role: Charges, Syntax: JSONL}, func(t *rapid.T) string { return draw(t, jsonBits) }},
		"array":    {Recognised{Role: Charges, Syntax: JSONL, shape: jsonDocument, array: true}, func(t *rapid.T) string { return draw(t, jsonBits) }},
		"envelope": {Recognised{Role: Charges, Syntax: JSONL, shape: jsonDocument, array: true, outer: 1}, func(t *rapid.T) string { return draw(t, jsonBits) }},
		"objects":  {Recognised{Role: Charges, Syntax: JSONL, shape: jsonDocument}, func(t *rapid.T) string { return draw(t, jsonBits) }},
		"logfmt":   {Recognised{Role: Attempts, Syntax: Logfmt}, func(t *rapid.T) string { return draw(t, logBits) }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				in := BytesInput("f", []byte(c.draw(t)))
				limit := rapid.SampledFrom([]int{1, 7, 30, 1000}).Draw(t, "longest line")
				one := decodeAs(t, in, c.rec, Options{Threads: 1, maxLine: limit})
				many := decodeAs(t, in, c.rec, Options{
					Threads:   rapid.IntRange(1, 4).Draw(t, "threads"),
					BlockSize: rapid.IntRange(1, 50).Draw(t, "block"), maxLine: limit})
				if diff := cmp.Diff(one, many); diff != "" {
					t.Fatal(diff)
				}
			})
		})
	}
}

// A JSON line is valid to us exactly if it is to encoding/json, and means the same.
func TestJSONAgreesWithEncodingJSON(t *testing.T) {
	bits := []string{`{"charge_id":"`, `{`, `}`, `"amount":`, `"model"`, `:`, `,`, `"`, `\`, `\n`, `\u00e9`, `\ud83d\ude00`, `\u12`, "1", "-", "0", ".5", "e7",
		"true", "false", "null", "[", "]", " ", `"x":[1,{"y":"z"}],`, `"usage":{"prompt_tokens":3,"n":null},`, "é", "\t", `"cost":2,`}
	d := newJSONDecoder(Recognised{Role: Charges}, maxLine)
	rapid.Check(t, func(t *rapid.T) {
		var text string
		if rapid.Bool().Draw(t, "valid") {
			v := rapid.MapOf(rapid.SampledFrom([]string{"charge_id", "amount", "model", "x", "charged_at"}), jsonValue(3)).Draw(t, "object")
			b, _ := json.Marshal(v)
			text = string(b)
		} else {
			text = "{" + strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits), 0, 20).Draw(t, "text"), "")
		}
		checkJSON(t, d, []byte(text))
	})
}

func jsonValue(depth int) *rapid.Generator[any] {
	gens := []*rapid.Generator[any]{
		rapid.String().AsAny(), rapid.Float64().AsAny(), rapid.Int64().AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil),
	}
	if depth > 0 {
		gens = append(gens, rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[any] { return jsonValue(depth - 1) }), 0, 3).AsAny(),
			rapid.MapOfN(rapid.String(), rapid.Deferred(func() *rapid.Generator[any] { return jsonValue(depth - 1) }), 0, 3).AsAny())
	}
	return rapid.OneOf(gens...)
}

// checkJSON compares one object, blanks around it aside, with what encoding/json makes of it.
func checkJSON(t tb, d *jsonDecoder, text []byte) {
	var want map[string]json.RawMessage
	text = bytes.TrimSpace(text)
	err := json.Unmarshal(text, &want)
	ok := d.parse(text)
	if err == nil && !ok && d.badAt.col >= 0 && strings.Contains(d.bad, "escape that is a character") {
		return // half a surrogate pair, which encoding/json replaces
	}
	if (err == nil) != ok {
		t.Fatalf("%q: encoding/json says %v, we say %q", text, err, d.bad)
	}
	if err != nil || !utf8.Valid(text) {
		return
	}
	for _, name := range []string{"charge_id", "amount", "charged_at"} {
		col := columnIndex(Charges, name)
		raw, has := want[name]
		if !has || d.row.rank[col] != 0 {
			continue
		}
		exp := string(raw)
		switch {
		case exp == "null":
			has = false
		case raw[0] == '{' || raw[0] == '[':
			continue
		case raw[0] == '"':
			json.Unmarshal(raw, &exp)
		}
		got := ""
		set := d.row.set&(1<<col) != 0
		if set {
			got = string(d.row.vals[col])
		}
		if set != has || has && got != exp {
			t.Fatalf("%q: %s is %q, expected %q", text, name, got, exp)
		}
	}
}

// Every line that is not blank is accounted for.
func TestRowsAreLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(rapid.SampledFrom([]string{"", "  ", "text", "ts=1 evt=llm_call rid=a result=x", "evt=llm_call", `evt=llm_call a="`})).Draw(t, "lines")
		rows := int64(0)
		for _, l := range lines {
			if strings.TrimSpace(l) != "" {
				rows++
			}
		}
		d := decodeAs(t, BytesInput("f", []byte(strings.Join(lines, "\n"))), Recognised{Role: Attempts, Syntax: Logfmt}, Options{BlockSize: 10})
		if d.Stats.Rows != rows {
			t.Fatalf("%d rows of %d", d.Stats.Rows, rows)
		}
	})
}

// Nothing of a secret shows, wherever the text is cut.
func TestRedactAnywhere(t *testing.T) {
	const secret = "Zebra"
	for _, text := range []string{
		`{"rid":"a","prompt":"Zebra \" Zebra","n":1}`,
		`{"rid":"a","messages":[{"role":"user","content":"Zebra ] }"}],"n":1}`,
		`{"meta":"{\"prompt\":\"Zebra \\\"Zebra\\\" \"}","n":1}`,
		`ts=1 rid=a prompt="Zebra Zebra" n=1`,
		`ts=1 rid=a prompt=Zebra Zebra n=1`,
		`{"Authorization": "Bearer Zebra123456"}`,
		`Authorization: Bearer Zebra123456`,
		`x Bearer Zebra.12345`,
		`k=sk-ZebraZebra12345`,
		`{"answer":{"text":"Zebra","list":["Zebra"]},"n":1}`,
	} {
		for cut := range len(text) {
			if got := (rawPrinter{}).print([]byte(text[:cut])); cut > 30 && strings.Contains(got, secret) {
				t.Errorf("%q shows %q", text[:cut], got)
			}
		}
		if got := (rawPrinter{keep: true}).print([]byte(text)); got != text {
			t.Errorf("kept text is changed: %q", got)
		}
	}
	if got := redact(`{"a":1,"prompt":"x","b":2}`); got != `{"a":1,"prompt":[redacted],"b":2}` {
		t.Error(got)
	}
	long := bytes.Repeat([]byte("a"), maxRaw+10)
	if got := (rawPrinter{}).print(long); got != string(long[:maxRaw])+"… [4106 bytes, sha256 "+sha(string(long))+"]" {
		t.Error(got[maxRaw:])
	}
}

// The quick look before the patterns never overlooks what they would have found.
func TestQuickLookFindsEverySecret(t *testing.T) {
	bits := []string{"prompt", "Content", "api_key", "API-KEY", "key", "text", `"`, "'", `\`, ":", "=", " ", "\t", "a", "1", "bearer x", "Basic YWJjZGVmZ2g=",
		"sk-", "gsk_", "12345678", "AIza", "AKIA", "eyJ", ".", "é", "\u212a", ","}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits), 0, 12).Draw(t, "text"), "")
		if found := secretKey.MatchString(s) || secretRun.MatchString(s); found && !perhapsSecret(s) {
			t.Fatalf("%q is passed over", s)
		}
	})
}
