package workbook

import (
	"cmp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"retrytax/internal/report"
	"retrytax/internal/words"
)

func TestMoneyCellKeepsFifteenDigits(t *testing.T) {
	for m, want := range map[report.Money]string{
		"0":                          "0",
		"-0.000000000001":            "-0.000000000001",
		"123456789012.345":           "123456789012.345",
		"12.345678901234567":         "12.3456789012346",
		"99999999999999999999999999": "100000000000000000000000000",
		"0.1":                        "0.1",
	} {
		d, err := parseMoney(m)
		if err != nil {
			t.Fatal(err)
		}
		if got := strconv.FormatFloat(roundForCell(d), 'f', -1, 64); got != want {
			t.Errorf("%s is written as %s, want %s", m, got, want)
		}
	}
}

func TestExactTextWhereDigitsWouldBeLost(t *testing.T) {
	for m, want := range map[report.Money]bool{
		"": false, "123456789012345": false, "1234567890123456": true, "1000000000000000000": false,
		"0.000000000001": false, "12.345678901234567": true, "-0.1234567890123456": true,
	} {
		if got := needsExact(m); got != want {
			t.Errorf("needsExact(%q) = %v", m, got)
		}
	}
}

func TestOnlyPlainDecimalsAreMoney(t *testing.T) {
	for _, m := range []report.Money{"", "-", ".5", "5.", "1e3", "+1", "1,5", " 1", "NaN", "0x1F", "1.2.3", report.Money(strings.Repeat("9", 65))} {
		if d, err := parseMoney(m); err == nil {
			t.Errorf("%q was read as %s", m, d)
		}
	}
}

func TestUnknownIsNotZero(t *testing.T) {
	if v := money(kindMoney, "0.00000015"); v.kind != kindMoneyTiny {
		t.Errorf("an amount below six decimals is shown as zero: %+v", v)
	}
	if v := money(kindMoney, ""); v.numeric || v.text != unknown {
		t.Errorf("an unknown amount became %+v", v)
	}
	if v := fraction(kindShare, nil); v.numeric || v.text != "not measurable" {
		t.Errorf("a rate that is not measurable became %+v", v)
	}
}

func TestDatesAreRealAndInTheReportsZone(t *testing.T) {
	f, zone := opened(t, written(t, october(t), nil)), zurich(t)
	cell := cellName(columnOf(t, f, "Evidence", "Charged at (Europe/Zurich)"), 2)
	want := serialDate(time.Date(2026, 10, 3, 12, 0, 0, 412e6, zone), zone)
	got, _ := f.GetCellValue("Evidence", cell, excelize.Options{RawCellValue: true})
	if got != strconv.FormatFloat(want, 'f', -1, 64) {
		t.Errorf("the cell holds %q, want the number %v", got, want)
	}
	style, _ := f.GetCellStyle("Evidence", cell)
	if s, err := f.GetStyle(style); err != nil || s.CustomNumFmt == nil || *s.CustomNumFmt != formatTime {
		t.Errorf("the cell is not shown as %s: %+v, %v", formatTime, s, err)
	}
}

func TestSerialDateToTheMillisecond(t *testing.T) {
	day := time.Date(2026, 10, 3, 0, 0, 0, 0, time.UTC)
	for at, want := range map[time.Time]float64{
		day: 46298, day.Add(12 * time.Hour): 46298.5, day.Add(24*time.Hour - 400*time.Microsecond): 46299,
		time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC): 61,
	} {
		if got := serialDate(at, time.UTC); got != want {
			t.Errorf("%v is %v, want %v", at, got, want)
		}
	}
}

func TestChecksSayWhatTheyFind(t *testing.T) {
	for _, c := range []struct {
		whole report.Money
		parts []report.Money
		want  string
	}{
		{"3", []report.Money{"1", "2"}, addsUp},
		{"3.0000004", []report.Money{"1", "2"}, addsUp},
		{"3.000001", []report.Money{"1", "2"}, doesNot},
		{"3", []report.Money{"1", ""}, notCheckable},
		{"", []report.Money{"1"}, notCheckable},
	} {
		if got := sumVerdict(c.whole, c.parts); got != c.want {
			t.Errorf("%s = sum of %v: %s, want %s", c.whole, c.parts, got, c.want)
		}
	}
	if got := checkPlaces([]report.Money{"123456789012"}); got != 2 {
		t.Errorf("a check of twelve digits before the point rounds to %d places, want 2", got)
	}
}

func TestPlacesOfATable(t *testing.T) {
	for _, c := range []struct {
		amounts []report.Money
		want    int
	}{
		{nil, 2}, {[]report.Money{"", "5"}, 2}, {[]report.Money{"1.5", "0.123"}, 3}, {[]report.Money{"12.345678901"}, 6},
		{[]report.Money{"1.0000001"}, 2}, {[]report.Money{"0.0000001"}, 6}, {[]report.Money{"1.500000"}, 2},
	} {
		if got := placesOf(c.amounts...); got != c.want {
			t.Errorf("%v are shown with %d decimals, want %d", c.amounts, got, c.want)
		}
	}
	v := money(kindMoney, "1234.5")
	if wide := v.at(6); wide.width != v.width+4 || wide.places != 6 {
		t.Errorf("%+v with six decimals is %+v", v, wide)
	}
}

func TestHeadlines(t *testing.T) {
	audit := &report.Audit{Verdicts: []report.Verdict{{Book: "bill", Currency: "XXX"}}}
	head := &summary{t: words.English.T, sheet: &sheet{b: &builder{audit: audit}}}
	for want, total := range map[string]report.Total{
		"Of 5.710868 USD billed, 0.860192 USD (15.06 %) should not have been paid.": {Excess: "0.860192", Billed: "5.710868"},
		"Of 5.700000 USD billed, 0.860192 USD (15.09 %) should not have been paid.": {Excess: "0.860192", Billed: "5.7"},
		"Of 19.00 USD billed, nothing was found that should not have been paid; but 7.25 USD (38.16 %) is not explained by the log.": {
			Excess: "0", Billed: "19", Orphan: "7.25", Unsettled: "0"},
		"Of 19.00 USD billed, nothing was found that should not have been paid; but 7.25 USD (38.16 %) is not settled yet.": {
			Excess: "0", Billed: "19", Orphan: "0", Unsettled: "7.25"},
		"Of 10,000.00 USD billed, 0.40 USD (<0.01 %) should not have been paid.":                           {Excess: "0.4", Billed: "10000"},
		"No amount of the vendor's bill is known: what should not have been paid cannot be told in money.": {Excess: "0", Billed: "0", AtLeast: true, Currency: "XXX"},
		"What was paid twice of 5.00 USD estimated is not measurable: a gateway prices failed calls at 0.": {Excess: "0", Billed: "5", ProviderBook: "all/estimate"},
		"Of 19.00 USD billed, nothing was found that should not have been paid.":                           {Excess: "0", Billed: "19", Orphan: "1.9", Unsettled: "0"},
	} {
		total.ProviderBook, total.Undelivered = cmp.Or(total.ProviderBook, "all/bill"), "0"
		total.Currency = cmp.Or(total.Currency, "USD")
		if got := head.headline(total); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
