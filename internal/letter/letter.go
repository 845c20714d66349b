// Package letter writes what goes to a vendor: for each, a CSV file of the charges that it should give
// back, and a short letter in Markdown that asks for the money.
//
// It says what a vendor can check in its own books and nothing else: no other vendor, no finding
// that our own retries caused. Texts of the data stay texts: no cell of the CSV is a formula, and
// nothing in the letter is a link, an image or HTML that the program has not written itself.
package letter

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/report"
	"retrytax/internal/ui"
	"retrytax/internal/words"
)

// File is one file to write, whole.
type File struct {
	Name    string
	Content []byte
}

// Options are what the letters cannot know from the report.
type Options struct {
	Lang words.Lang
	BOM  bool // the CSV begins with a byte order mark, for Excel
}

// Header is the first line of each CSV file. The columns finding, state, recovered and note are the
// user's file of states (report.ReadStates).
var Header = []string{"finding", "state", "recovered", "note", "vendor", "charge_id", "line_item", "charged_at", "model", "amount", "refunded", "claim", "currency",
	"reason", "verdict", "delivered_charge_id", "request_id", "vendor_request_id", "idempotency_key", "input_tokens", "output_tokens", "api_key", "source_file", "source_line"}

// Files are the files of all vendors, in the order of their names: dispute-VENDOR.csv with every finding, and
// dispute-VENDOR.md where money is open. A vendor's name may be anything; the files' names are safe.
func Files(wb *report.Workbook, o Options) ([]File, error) {
	var vendors []string
	for _, d := range wb.Disputes {
		if !slices.Contains(vendors, d.Vendor) {
			vendors = append(vendors, d.Vendor)
		}
	}
	var out []File
	names := map[string]bool{}
	for _, vendor := range vendors {
		var rows []report.DisputeRow
		for _, d := range wb.Disputes {
			if d.Vendor == vendor {
				rows = append(rows, d)
			}
		}
		name := fileName(vendor, names)
		table, err := tableOf(rows, o)
		if err != nil {
			return nil, err
		}
		out = append(out, File{name + ".csv", table})
		if text := letterOf(wb, vendor, name+".csv", rows, o.Lang); text != "" {
			out = append(out, File{name + ".md", []byte(text)})
		}
	}
	return out, nil
}

// fileName is dispute- and what of the vendor's name is safe in a file's name. taken keeps two
// vendors from sharing one, also where upper and lower case are the same.
func fileName(vendor string, taken map[string]bool) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '.':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '_'
	}, strings.ToValidUTF8(vendor, "_"))
	safe = strings.Trim(safe, "._-")
	if len(safe) > 40 {
		safe = strings.TrimRight(safe[:40], "._-")
	}
	if safe == "" {
		safe = "vendor"
	}
	name := "dispute-" + safe
	for n := 2; taken[name]; n++ {
		name = "dispute-" + safe + "-" + strconv.Itoa(n)
	}
	taken[name] = true
	return name
}

// tableOf is the CSV file of one vendor.
func tableOf(rows []report.DisputeRow, o Options) ([]byte, error) {
	var b bytes.Buffer
	if o.BOM {
		b.WriteString("\ufeff")
	}
	w := csv.NewWriter(&b)
	_ = w.Write(Header) // errors stay with the writer
	for i := range rows {
		d := &rows[i]
		_ = w.Write([]string{d.Finding, string(d.State), string(d.Recovered), Cell(d.Note), Cell(d.Vendor), Cell(d.ChargeID), Cell(d.LineItem),
			d.ChargedAt.UTC().Format(time.RFC3339Nano), Cell(d.Model), string(d.Amount), string(d.Refunded), string(d.Claim), Cell(d.Currency),
			o.Lang.T(report.DisputeReason(d)), d.Verdict, Cell(d.DeliveredChargeID), Cell(d.RequestID), Cell(d.VendorRequestID), Cell(d.IdempotencyKey),
			whole(d.InputTokens), whole(d.OutputTokens), Cell(d.APIKey), Cell(filepath.Base(d.SourceFile)), strconv.FormatInt(d.SourceLine, 10)})
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

func whole(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

// Cell is a text of the data for a CSV file: what cannot be seen is shown, and what a spreadsheet
// could take for a formula gets an apostrophe. The rule is that of the macro cell_text, by which the tables
// of an audit are written; a test of internal/pipeline holds the two together.
func Cell(s string) string {
	s = ui.Clean(s)
	switch {
	case s == "":
		return s
	case s[0] == '=' || s[0] == '@':
		return "'" + s
	case (s[0] == '+' || s[0] == '-') && strings.Trim(s[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") != "":
		return "'" + s // anything else that begins with a sign is a number, or an id that begins with a dash
	}
	return s
}

// letterOf asks a vendor for what is open; "" where nothing is.
func letterOf(wb *report.Workbook, vendor, table string, rows []report.DisputeRow, lang words.Lang) string {
	open := slices.DeleteFunc(slices.Clone(rows), func(d report.DisputeRow) bool {
		claim, err := decimal.NewFromString(string(d.Claim))
		return d.State != report.StateOpen || err != nil || !claim.IsPositive()
	})
	if len(open) == 0 {
		return ""
	}
	t, period := lang.T, wb.Audit.Period
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", t("Request for a credit: %s", plain(vendor)))
	fmt.Fprintf(&b, "%s\n\n", t("Charges from %s to %s (%s)", period.From.Format("2006-01-02 15:04"), period.To.Format("2006-01-02 15:04"), plain(period.Zone)))
	fmt.Fprintf(&b, "%s\n\n", asked(lang, len(open), sums(open), code(table)))
	fmt.Fprintf(&b, "| %s | %s | %s |\n|---|---:|---:|\n", t("Why it is not due"), t("Charges"), t("Claim"))
	for _, g := range byReason(open) {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", t(g.reason), len(g.rows), sums(g.rows))
	}
	b.WriteString("\n")
	please := t("Please credit this charge, or tell us why it is due.")
	if len(open) > 1 {
		fmt.Fprintf(&b, "%s\n\n", t("The largest of them:"))
		please = t("Please credit these charges, or tell us for each line why it is due. Charges that you have refunded already are not among them.")
	}
	fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n|---|---|---|---:|---|\n", t("Charge"), t("Charged at (UTC)"), t("Model"), t("Claim"), t("Finding"))
	for _, d := range largest(open, 5) {
		fmt.Fprintf(&b, "| %s | %s | %s | %s %s | %s |\n", code(d.ChargeID), d.ChargedAt.UTC().Format("2006-01-02 15:04:05"), code(d.Model), d.Claim, plain(d.Currency), d.Finding)
	}
	fmt.Fprintf(&b, "\n%s\n\n%s\n\n%s\n\n", please,
		t("The amounts are those of your own export, to the last digit. We keep the log lines that they were compared with and can show them."),
		t("Name, date: ______________________________"))
	return b.String()
}

// asked says how much is asked for, and where each charge is found.
func asked(lang words.Lang, charges int, sums, table string) string {
	if charges == 1 {
		return lang.T("We compared your billing export with our own record of the requests that we sent. One charge, %s, is not due as we see it. It stands in the enclosed file %s with its id, its time in UTC and the reason.", sums, table)
	}
	return lang.T("We compared your billing export with our own record of the requests that we sent. %d charges, %s in all, are not due as we see it. Each stands in the enclosed file %s with its id, its time in UTC and the reason.", charges, sums, table)
}

type group struct {
	reason string
	rows   []report.DisputeRow
}

// byReason groups findings, in the order of the reasons' first ones.
func byReason(rows []report.DisputeRow) []group {
	var out []group
	for i := range rows {
		reason := report.DisputeReason(&rows[i])
		at := slices.IndexFunc(out, func(g group) bool { return g.reason == reason })
		if at < 0 {
			at = len(out)
			out = append(out, group{reason: reason})
		}
		out[at].rows = append(out[at].rows, rows[i])
	}
	return out
}

// largest are the n largest claims of each currency, by currency: amounts of two are not compared.
func largest(rows []report.DisputeRow, n int) []report.DisputeRow {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b report.DisputeRow) int {
		x, _ := decimal.NewFromString(string(a.Claim))
		y, _ := decimal.NewFromString(string(b.Claim))
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), y.Cmp(x))
	})
	of := map[string]int{}
	return slices.DeleteFunc(rows, func(d report.DisputeRow) bool {
		of[d.Currency]++
		return of[d.Currency] > n
	})
}

// sums are the claims of rows, one amount a currency.
func sums(rows []report.DisputeRow) string {
	var currencies []string
	total := map[string]decimal.Decimal{}
	for _, d := range rows {
		if !slices.Contains(currencies, d.Currency) {
			currencies = append(currencies, d.Currency)
		}
		if claim, err := decimal.NewFromString(string(d.Claim)); err == nil {
			total[d.Currency] = total[d.Currency].Add(claim)
		}
	}
	slices.Sort(currencies)
	var out []string
	for _, c := range currencies {
		out = append(out, total[c].String()+" "+plain(c))
	}
	return strings.Join(out, " + ")
}

// plain is a text of the data within a sentence of Markdown: every sign that could mean something is escaped.
func plain(s string) string {
	var b strings.Builder
	for _, r := range ui.Cut(ui.Clean(s), 80) {
		if strings.ContainsRune("\\`*_{}[]()<>#+-.!|~$&@:/='\"", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code is an id of the data as it is, in a span of code; within one nothing has a meaning but its own end and
// the bar of a table.
func code(s string) string {
	if s = ui.Cut(ui.Clean(s), 80); s == "" {
		return "–"
	}
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(s) + "`"
}
