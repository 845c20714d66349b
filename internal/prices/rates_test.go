package prices

import (
	"testing"

	"retrytax/internal/source"
)

func TestReadRates(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"two days", "date,from,to,rate\n2026-10-03,usd,EUR,0.9215\n2026-10-04,USD,EUR,0.92\n", ""},
		{"columns in any order, and others", "note,rate,to,from,date\nx,7.1,CNY,USD,2026-10-03\n", ""},
		{"the same line twice", "date,from,to,rate\n2026-10-03,USD,EUR,0.92\n2026-10-03,USD,EUR,0.920\n", ""},
		{"two rates of a day", "date,from,to,rate\n2026-10-03,USD,EUR,0.92\n2026-10-03,USD,EUR,0.93\n",
			"rates.csv:3: rate: found 0.93, expected 0.92, which line 2 says of the same day"},
		{"no column", "date,from,rate\n", "rates.csv:1: found columns date, from, rate, expected a column to (date, from, to, rate)"},
		{"no day", "date,from,to,rate\n3.10.2026,USD,EUR,1\n", `rates.csv:2: date: found "3.10.2026", expected a day such as 2026-10-03`},
		{"no currency", "date,from,to,rate\n2026-10-03,USD,€,1\n", `rates.csv:2: to: found "€", expected a code of three letters, such as USD`},
		{"no rate", "date,from,to,rate\n2026-10-03,USD,EUR,0\n", `rates.csv:2: rate: found "0", expected a number above 0 with at most 12 decimals, such as 0.9215`},
		{"half a line", "date,from,to,rate\n2026-10-03,USD\n", "rates.csv:2: found 2 fields, expected 4, as in the header"},
	} {
		_, err := ReadRates(source.BytesInput("rates.csv", []byte(c.file)))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: found %q, expected %q", c.name, got, c.want)
		}
	}
}
