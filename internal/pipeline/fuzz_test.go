package pipeline

import (
	"context"
	"database/sql"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/store"
	"retrytax/queries"
)

// FuzzPeriod: a period that is read begins before it ends, and its text says so again.
func FuzzPeriod(f *testing.F) {
	f.Fuzz(func(t *testing.T, text, zone string) {
		from, to, err := ParsePeriod(text, zone)
		if err != nil || text == "" {
			return
		}
		if !from.Before(to) {
			t.Fatalf("%q in %q: found %v to %v, expected an end after the start", text, zone, from, to)
		}
		again, end, err := ParsePeriod(from.Format(time.DateOnly)+".."+to.Format(time.DateOnly), zone)
		if err != nil || !again.Equal(from) || !end.Equal(to) {
			t.Fatalf("%q in %q: found %v to %v (%v), expected %v to %v", text, zone, again, end, err, from, to)
		}
	})
}

// FuzzValues feeds the macros that read numbers and times any text. They must not fail, since
// that would end the whole load, and what they accept must be what the text says.
func FuzzValues(f *testing.F) {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Threads: 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Close() })
	if err := runFolder(ctx, s, queries.Schema); err != nil {
		f.Fatal(err)
	}
	for k, v := range map[string]string{"now": "2026-11-03 10:00:00", "clock_change_days": "2026-03-29,2026-10-25"} {
		if err := s.SetVariable(ctx, k, v); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
		var money, count, ms, at, berlin, doubt, unused sql.NullString
		err := s.Query(ctx, `SELECT CAST(as_money(v) AS VARCHAR), CAST(as_count(v) AS VARCHAR), CAST(as_duration_ms(v, 1000) AS VARCHAR),
				CAST(as_time(v, 'UTC') AS VARCHAR), CAST(as_time(v, 'Europe/Berlin') AS VARCHAR), clock_doubt(v, 'Europe/Berlin'),
				concat(known_text(v), known_id(v), model_key(v), not_an_amount(v), cell_text(v), as_flag(v), money_text(as_money(v)),
					in_time(as_time(v, 'UTC')), plus_ms(as_time(v, 'UTC'), -least(as_duration_ms(v, 1000), 10000000000000)), money_per(as_money(v), 3))
			FROM (SELECT CAST(? AS VARCHAR) AS v)`, func(r *sql.Rows) error {
			return r.Scan(&money, &count, &ms, &at, &berlin, &doubt, &unused)
		}, text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		checkMoney(t, text, money)
		checkCount(t, text, count)
		if at.Valid != berlin.Valid {
			t.Errorf("%q: a time in UTC is %v, in Berlin %v", text, at, berlin)
		}
		if doubt.Valid && !at.Valid {
			t.Errorf("%q: found a doubt about no time", text)
		}
		if want, err := time.Parse(time.RFC3339, text); err == nil && at.Valid && want.Year() > 1900 && want.Year() < 2200 {
			if got, err := time.Parse("2006-01-02 15:04:05.999999", at.String); err != nil || want.Sub(got).Abs() > time.Microsecond {
				t.Errorf("%q: found %s, expected %s", text, at.String, want.UTC())
			}
		}
	})
}

func checkMoney(t *testing.T, text string, found sql.NullString) {
	want, err := decimal.NewFromString(text)
	if !found.Valid {
		if plain := len(text) < 12 && strings.Trim(text, "0123456789") == "" && text != ""; plain {
			t.Errorf("%q: found no amount", text)
		}
		return
	}
	if err != nil && !strings.HasSuffix(text, ".") || err == nil && !want.Equal(decimal.RequireFromString(found.String)) {
		t.Errorf("%q: found the amount %s, expected %v (%v)", text, found.String, want, err)
	}
}

func checkCount(t *testing.T, text string, found sql.NullString) {
	whole, _, _ := strings.Cut(text, ".")
	want, ok := new(big.Int).SetString(whole, 10)
	if found.Valid && (!ok || want.Sign() < 0 || want.String() != found.String) {
		t.Errorf("%q: found the count %s", text, found.String)
	}
}
