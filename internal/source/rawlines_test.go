package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The text of a line comes back under the number that its record had, whatever the syntax,
// the line ends and the compression.
func TestRawLinesOfRecords(t *testing.T) {
	const (
		table = "charge_id,charged_at,amount\nc1,t,NaN\nc2,t,2\n\nc3,t,\"x\"\nc4,t,inf"
		lines = `{"charge_id":"c1","charged_at":"t","amount":"NaN"}` + "\n\n" +
			`{"charge_id":"c2","charged_at":"t","amount":-1}` + "\n"
		log = "boot\nts=x evt=llm_call rid=a result=ok\nts=1 evt=llm_call rid=b result=ok"
	)
	for name, text := range map[string]string{"csv": table, "json lines": lines, "logfmt": log,
		"long csv": table + strings.Repeat("\nc5,t,1", 50_000)} {
		text, crlf := text, strings.ReplaceAll(text, "\n", "\r\n")
		for wrapping, content := range map[string]string{"LF": text, "CRLF": crlf, "gzip": string(gz(text)),
			"gzip CRLF": string(gz(crlf)), "a mark": "\uFEFF" + text} {
			t.Run(name+" "+wrapping, func(t *testing.T) {
				d := decode(t, content, Options{BlockSize: 1 << 16})
				if len(d.Rejects) > 0 {
					t.Fatal(d.Rejects)
				}
				want, split := map[int64]string{}, strings.Split(text, "\n")
				for _, n := range d.Lines {
					want[n] = split[n-1]
				}
				for _, keep := range []bool{false, true} {
					got, err := RawLines(BytesInput("f", []byte(content)), d.Lines, keep)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Error(diff)
					}
					got, err = RawLines(BytesInput("f", []byte(content)), d.Lines[:1], keep)
					if err != nil || len(got) != 1 || got[d.Lines[0]] != want[d.Lines[0]] {
						t.Errorf("the first line alone is %v, %v", got, err)
					}
				}
			})
		}
	}
}

// Keys of a table show neither in rejects nor in lines read again, unless they are kept;
// a key's column is hidden where it is read, too.
func TestRejectsHideKeys(t *testing.T) {
	const head = "charged_at,amount,api_key,Authorization,key,API Key,idempotency_key\n"
	const row = "t,1,zebra1,zebra2,\"zebra3\",zebra4,i1"
	for _, keep := range []bool{false, true} {
		want := "t,1,[redacted],[redacted],[redacted],[redacted],i1"
		if keep {
			want = row
		}
		// API Key beside api_key would be the same column twice.
		file := strings.Replace(head, "API Key", "x-API Key", 1) + row + "\n" + strings.Replace(row, "i1", "i\xff", 1) + "\n"
		d := decode(t, file, Options{KeepRaw: keep})
		if len(d.Rejects) != 1 || d.Rejects[0].Raw != strings.Replace(want, "i1", "i\uFFFD", 1) {
			t.Errorf("keep %v: %v", keep, d.Rejects)
		}
		got, err := RawLines(BytesInput("f", []byte(file)), []int64{2}, keep)
		if err != nil || got[2] != want {
			t.Errorf("keep %v: %v %v", keep, got, err)
		}
	}
	d := decode(t, head[:strings.Index(head, ",Auth")]+"\nt,1\n", Options{})
	if len(d.Rejects) != 1 || !strings.HasPrefix(d.Rejects[0].Raw, redacted) {
		t.Error(d.Rejects)
	}
}

// Headers counts the header where it is met again, with or without a byte order mark.
func TestHeadersMetAgain(t *testing.T) {
	file := strings.Repeat("\uFEFF"+bill, 3) + bill + ",,\n"
	for _, block := range []int{16, 1 << 20} {
		s := decode(t, file, Options{BlockSize: block}).Stats
		if s.Headers != 4-1 || s.Ignored != 4 || s.Records != 8 || s.Rejected != 0 {
			t.Errorf("block %d: %+v", block, s)
		}
	}
	// GBK is not UTF-8, and the reason says what to do.
	d := decode(t, "charged_at,amount,model\nt,1,\xc4\xa3\xd0\xcd\n", Options{})
	if len(d.Rejects) != 1 || d.Rejects[0].Reason != "found bytes that are not UTF-8, expected UTF-8 (save the file as UTF-8)" {
		t.Error(d.Rejects)
	}
}
