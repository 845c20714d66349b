package report

import "cmp"

// InvoiceSchema names the shape of Invoice as JSON.
const InvoiceSchema = "retrytax.invoice/v1"

// What came of holding an invoice against the charges.
const (
	InvoiceEqual   = "equal"   // to the last digit
	InvoiceRounded = "rounded" // nothing but the rounding of its own lines lies between them
	InvoiceDiffers = "differs"
	InvoiceUnread  = "unread"       // no difference, but lines of it could not be read
	InvoiceNothing = "not_compared" // no amounts on one of the sides
)

// Invoice is an invoice held against the charges, the charges against the price list, and the vendor's
// totals against the log. Money is as in Audit.
type Invoice struct {
	Schema   string  `json:"schema"`
	Period   Period  `json:"period"`
	Inputs   []Input `json:"inputs"`
	Result   string  `json:"result"`   // of the invoice: equal | rounded | differs | unread | not_compared
	Accepted bool    `json:"accepted"` // every line was read, and no difference, or all of them within the tolerance that was asked for
	// Tolerance is how it was made: focus, or an amount; Asked whether the user asked for it.
	Tolerance string `json:"tolerance"`
	Asked     bool   `json:"tolerance_asked"`
	// Undated counts usage lines that tell no period and were taken for the period asked for, Unread those that could not be read.
	Undated   int64             `json:"undated_lines"`
	Unread    int64             `json:"unread_lines"`
	Stated    *StatedTotal      `json:"stated_total,omitempty"`
	Totals    []InvoiceTotal    `json:"totals"`
	Cells     []InvoiceCell     `json:"cells"` // that differ; invoice.csv has all of them
	Shifts    []InvoiceShift    `json:"shifts"`
	Strangers []InvoiceStranger `json:"strangers"`
	Prices    *Rerated          `json:"prices,omitempty"`
	Money     []CurrencyTotal   `json:"currencies"`
	Converted *Conversion       `json:"converted,omitempty"`
	Bill      *BillAgainstLog   `json:"bill,omitempty"`
	Rules     []string          `json:"rules"` // how numbers were rounded and compared, in sentences
	Warnings  []Warning         `json:"warnings"`
}

// StatedTotal is the sum that the user names, against the charges or the lines of the invoice.
type StatedTotal struct {
	Currency   string `json:"currency"`
	Stated     Money  `json:"stated"`
	Lines      Money  `json:"lines"` // the sum of the invoice's lines; null where there are none
	Difference Money  `json:"difference"`
}

// InvoiceTotal is the invoice against the charges in one currency, of one provider or of all.
type InvoiceTotal struct {
	Provider     string `json:"provider"` // all, or one that the invoice names
	Currency     string `json:"currency"`
	Invoiced     Money  `json:"invoiced"`
	Charged      Money  `json:"charged"`
	Difference   Money  `json:"difference"` // the invoice less the charges, without Beside
	Beside       Money  `json:"beside"`     // tax that stands on the invoice alone
	Tolerance    Money  `json:"tolerance"`
	Within       bool   `json:"within_tolerance"` // the difference of the sums
	Passes       bool   `json:"passes"`           // that, and each line by itself
	InvoiceLines int64  `json:"invoice_lines"`
	Charges      int64  `json:"charges"` // lines of the bill
	Unknown      int64  `json:"unknown_amounts"`
	Listed       int64  `json:"listed_amounts"` // charges whose amount is a price list's
	Cells        int64  `json:"cells"`
	Rounded      int64  `json:"rounded_cells"`
	Differing    int64  `json:"differing_cells"`
	// Hiding counts rounded cells of several lines in which one could be a unit of its last decimal off, and nothing would tell.
	Hiding int64 `json:"hiding_cells"`
}

// InvoiceCell is one line of the comparison: a day, model, key and kind of token, as far as both sides tell them.
type InvoiceCell struct {
	Currency     string `json:"currency"`
	Kind         string `json:"kind"`
	Provider     string `json:"provider"`
	Day          string `json:"day"` // "" of a line that is longer than a day
	Model        string `json:"model"`
	APIKey       string `json:"api_key"`
	TokenType    string `json:"token_type"`
	State        string `json:"state"` // equal | rounded | differs | invoice_only | charges_only | unknown | beside
	Invoiced     Money  `json:"invoiced"`
	InvoiceLines int64  `json:"invoice_lines"`
	Charged      Money  `json:"charged"`
	Charges      int64  `json:"charges"`
	Difference   Money  `json:"difference"`
	Rounding     Money  `json:"rounding"` // what rounding its lines can make of it
	Rows         string `json:"rows"`     // of the invoice, file:line
	OddRow       string `json:"odd_row"`  // the one that differs, where its unit price tells
	Found        Money  `json:"found"`
	Expected     Money  `json:"expected"`
	Why          string `json:"why"` // a code, or ""
	Text         string `json:"text"`

	besides cellWords
}

// InvoiceShift says that the invoice agrees with the charges by days of another zone.
type InvoiceShift struct {
	Currency   string `json:"currency"`
	Offset     string `json:"offset"` // +08:00
	Difference Money  `json:"difference"`
	Differing  int64  `json:"differing_cells"`
	Before     int64  `json:"differing_cells_before"` // by days of the report's zone
}

// InvoiceStranger is what was charged and is not on this invoice, which is another vendor's or in another currency.
type InvoiceStranger struct {
	Provider string `json:"provider"`
	Currency string `json:"currency"`
	Charges  int64  `json:"charges"`
	Amount   Money  `json:"amount"`
}

// Rerated is every charge of the period priced again.
type Rerated struct {
	Lists  []string     `json:"lists"` // the price lists
	Models []RatedModel `json:"models"`
	Lines  []RatedLine  `json:"lines"` // by currency the dearest of those that are wrong; prices.csv has all
	Wrong  int64        `json:"wrong_lines"`
	Right  int64        `json:"right_lines"`
	Open   int64        `json:"unpriced_lines"`
}

// RatedModel is what the list says of a model's charges, by what is wrong.
type RatedModel struct {
	Provider      string `json:"provider"`
	Model         string `json:"model"`
	Currency      string `json:"currency"`
	State         string `json:"state"`
	Lines         int64  `json:"lines"`
	Amount        Money  `json:"amount"`
	Expected      Money  `json:"expected"`
	Difference    Money  `json:"difference"`
	ImpliedInput  Money  `json:"implied_input_per_million"`
	ImpliedOutput Money  `json:"implied_output_per_million"`
	Text          string `json:"text"`

	tier   string // of the list, that the price is of
	billed string // what the bill calls the model, where that is another name
}

// RatedLine is a line of the bill whose amount is not the list's.
type RatedLine struct {
	File       string `json:"file"`
	Line       int64  `json:"line"`
	Provider   string `json:"provider"`
	Model      string `json:"model"`
	ChargeID   string `json:"charge_id"`
	ChargedAt  string `json:"charged_at"`
	Currency   string `json:"currency"`
	Amount     Money  `json:"amount"`
	Expected   Money  `json:"expected"`
	Difference Money  `json:"difference"`
	State      string `json:"state"`
}

// CurrencyTotal is the money of one side in one currency.
type CurrencyTotal struct {
	Side        string `json:"side"` // charges | excess | invoice
	Currency    string `json:"currency"`
	Lines       int64  `json:"lines"`
	Amount      Money  `json:"amount"`
	Unknown     int64  `json:"unknown_amounts"`
	Converted   Money  `json:"converted"` // null without rates, and where no line has one
	WithoutRate int64  `json:"lines_without_rate"`
	NotIn       Money  `json:"amount_without_rate"` // in Currency
	Days        string `json:"days_without_rate"`
}

// Conversion is how money was brought into the report's currency, and the sums; a sum leaves out what has no rate, and is null where
// nothing has one.
type Conversion struct {
	Currency    string `json:"currency"`
	File        string `json:"file"`
	SHA256      string `json:"sha256"`
	Rates       int    `json:"rates"`
	Days        int64  `json:"days_back"` // how old a rate may be
	Rounding    string `json:"rounding"`
	Charges     Money  `json:"charges"`
	Excess      Money  `json:"excess"`
	Invoice     Money  `json:"invoice"`
	WithoutRate int64  `json:"lines_without_rate"`
}

// BillAgainstLog is the vendor's totals held against the log.
type BillAgainstLog struct {
	Models []BillModel `json:"models"`
	Days   []BillDay   `json:"days"`
	// Hidden are requests that the vendor counted and no line of the log shows; nil where it counts none.
	Hidden *int64 `json:"hidden_retries"`
	// Started is the share of abandoned requests (timed-out, cancelled and hidden ones) that the vendor billed, clustered by
	// the day; Basis what it was measured by: tokens, amount or requests.
	Started Estimate `json:"started_fraction"`
	Basis   string   `json:"basis"`
	Notes   []string `json:"notes"`
}

// BillModel is a model's totals of the period.
type BillModel struct {
	Provider      string `json:"provider"`
	Model         string `json:"model"`
	Currency      string `json:"currency"`
	Requests      *int64 `json:"requests"`
	Logged        int64  `json:"logged_requests"`
	Answered      int64  `json:"answered"`
	Abandoned     int64  `json:"abandoned"`
	Failed        int64  `json:"failed"`
	Hidden        *int64 `json:"hidden_retries"`
	Input         *int64 `json:"billed_input"`
	AnsweredInput int64  `json:"answered_input"`
	Output        *int64 `json:"billed_output"`
	AnsweredOut   int64  `json:"answered_output"`
	Amount        Money  `json:"amount"`
	AnsweredCost  Money  `json:"answered_cost"`  // expected, by the list
	Gap           Money  `json:"gap"`            // amount less that
	AbandonedCost Money  `json:"abandoned_cost"` // what abandoned requests cost at most, hidden ones at the mean
	Unexplained   Money  `json:"unexplained"`    // of the gap, what not even that explains
	Rated         Money  `json:"rated"`          // what the list asks for the billed tokens
	Diagnosis     string `json:"diagnosis"`      // quantity, formula, price, or ""
	Text          string `json:"text"`
}

// Name is the model, or the provider of totals that name none; "" where they name neither.
func (m *BillModel) Name() string { return cmp.Or(m.Model, m.Provider) }

// BillDay is one period of a model.
type BillDay struct {
	Provider  string `json:"provider"`
	Model     string `json:"model"`
	From      string `json:"from"`
	To        string `json:"to"`
	Requests  *int64 `json:"requests"`
	Logged    int64  `json:"logged_requests"`
	Answered  int64  `json:"answered"`
	Abandoned int64  `json:"abandoned"`
	Input     *int64 `json:"billed_input"`
	Amount    Money  `json:"amount"`
	Cost      Money  `json:"answered_cost"`
}

// JSON is invoice.json.
func (i *Invoice) JSON() ([]byte, error) { return indented(i) }

// Differing counts the places of the comparison that differ, and all of them.
func (i *Invoice) Differing() (differing, places int64) {
	for _, t := range i.Totals {
		if t.Provider == "all" {
			differing, places = differing+t.Differing, places+t.Cells
		}
	}
	return differing, places
}
