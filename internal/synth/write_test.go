package synth

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
)

func TestMoneyIsExact(t *testing.T) {
	for _, c := range []struct {
		money Money
		want  string
	}{{0, "0"}, {1, "0.000000000001"}, {-1, "-0.000000000001"}, {1_500_000_000_000, "1.5"}, {PerMillion("0.05").times(3), "0.00000015"},
		{PerMillion("10").times(1_000_000), "10"}} {
		if got := c.money.String(); got != c.want || !c.money.Decimal().Equal(decimal.RequireFromString(c.want)) {
			t.Errorf("%d is %s and %s, want %s", c.money, got, c.money.Decimal(), c.want)
		}
	}
}

// small is a world with everything in its columns.
func small() *World {
	c := Mixed(4)
	c.Requests = 200
	return Generate(c)
}

// TestFormatsSayTheSame: each CSV row holds what the JSON object holds, and the
// labels name the lines of the charges file.
func TestFormatsSayTheSame(t *testing.T) {
	w := small()
	same := func(name string, write func(Format) string, rows int) [][]string {
		table, err := csv.NewReader(strings.NewReader(write(CSV))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		objects := strings.Split(strings.TrimSpace(write(JSONL)), "\n")
		if len(table) != rows+1 || len(objects) != rows {
			t.Fatalf("%s: %d rows in CSV, %d in JSON, want %d", name, len(table)-1, len(objects), rows)
		}
		for i, object := range objects {
			decoder := json.NewDecoder(strings.NewReader(object))
			decoder.UseNumber()
			fields := map[string]any{}
			if err := decoder.Decode(&fields); err != nil {
				t.Fatalf("%s: %v", object, err)
			}
			for j, column := range table[0] {
				if got := asText(fields[column]); got != table[i+1][j] {
					t.Fatalf("%s line %d, %s: %q and %q", name, i+2, column, table[i+1][j], got)
				}
			}
		}
		return table
	}
	same("attempts", func(f Format) string { return text(t, func(b *bytes.Buffer) error { return w.WriteAttempts(b, f) }) }, len(w.Attempts))
	charges := same("charges", func(f Format) string { return text(t, func(b *bytes.Buffer) error { return w.WriteCharges(b, f) }) }, len(w.Charges))

	labels, err := csv.NewReader(strings.NewReader(text(t, func(b *bytes.Buffer) error { return w.WriteLabels(b) }))).ReadAll()
	if err != nil || len(labels) != len(charges) {
		t.Fatalf("%d labels for %d charges, %v", len(labels)-1, len(charges)-1, err)
	}
	for i, label := range labels[1:] {
		if label[0] != decimal.NewFromInt(int64(i+2)).String() || label[1] != charges[i+1][2] || label[2] != charges[i+1][3] {
			t.Fatalf("label %v does not name %v", label, charges[i+1])
		}
	}
}

func asText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "true"
		}
		return "false"
	case json.Number:
		return v.String()
	}
	return value.(string)
}

func text(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestLogfmtLine: the ten fields stand first and in order, as in
// ts=12:00:03.412 level=WARN evt=llm_call rid=9f2c attempt=2/3 elapsed_ms=30012 stage=read result=retryable ...
func TestLogfmtLine(t *testing.T) {
	line := regexp.MustCompile(`^ts=\S+ level=(INFO|WARN|ERROR) evt=llm_call rid=[0-9a-f]{32} attempt=[123]/3 elapsed_ms=\d+ ` +
		`stage=(connect|first_byte|read|stream|done) result=(success|retryable|fatal|cancelled) reason=\S+ model=\S+( [a-z_]+=\S+)*$`)
	c := AppRetries(1)
	c.Refused, c.Cancelled = 0.05, 0.01
	w := Generate(c)
	for format, layout := range map[Format]string{Logfmt: "15:04:05.000", LogfmtDated: time.RFC3339Nano} {
		lines := strings.Split(strings.TrimSpace(text(t, func(b *bytes.Buffer) error { return w.WriteAttempts(b, format) })), "\n")
		for _, l := range lines {
			if !line.MatchString(l) {
				t.Fatalf("%s: %s", format, l)
			}
			stamp, _, _ := strings.Cut(strings.TrimPrefix(l, "ts="), " ")
			if _, err := time.Parse(layout, stamp); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := small().WriteCharges(new(bytes.Buffer), Logfmt); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}
