package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/spf13/pflag"

	"retrytax/internal/pipeline"
	"retrytax/internal/report"
	"retrytax/internal/ui"
	"retrytax/internal/words"
)

// outputOptions are the flags of audit and report that say what is written, and how.
type outputOptions struct {
	langOption
	StatesFiles []string
	Format      []string
	BOM, Focus  bool
	NoPage      bool

	states []report.Handled
}

func (o *outputOptions) addFlags(f *pflag.FlagSet) {
	o.langOption.addFlag(f, "language of workbook, page, letters and summary: en or zh")
	f.StringArrayVar(&o.StatesFiles, "states", nil, "a CSV file of what was done about findings (finding, state: open, filed, recovered, waived);\na dispute-VENDOR.csv of an earlier report is one; repeat for several")
	f.StringSliceVar(&o.Format, "format", []string{report.FormatCSV}, "how the verdicts are written: csv, parquet, arrow, or several with commas")
	f.BoolVar(&o.BOM, "bom", false, "begin CSV files with a byte order mark, so that Excel reads them as UTF-8")
	f.BoolVar(&o.Focus, "focus", false, "write focus.csv as well: the bill in the columns of FOCUS 1.2, the verdicts in x_ columns")
	f.BoolVar(&o.NoPage, "no-page", false, "write no report.html")
}

// langOption is the flag that says in which language a command speaks to people.
type langOption struct {
	Lang string
	lang words.Lang
}

func (o *langOption) addFlag(f *pflag.FlagSet, usage string) {
	f.StringVar(&o.Lang, "lang", "en", usage)
}

func (o *langOption) parse() error {
	var ok bool
	if o.lang, ok = words.Parse(o.Lang); !ok {
		return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--lang: found %q, expected en or zh", o.Lang), Hint: "--lang zh speaks Chinese"}
	}
	return nil
}

// validate reads the files of states and refuses what no report can be written with.
func (o *outputOptions) validate(out string) error {
	if err := o.langOption.parse(); err != nil {
		return err
	}
	for _, f := range o.Format {
		if !report.IsFormat(f) {
			return &ui.Error{Code: ui.Usage, Msg: fmt.Sprintf("--format: found %q, expected one of %s", f, strings.Join(report.Formats, ", ")), Hint: "--format csv,arrow writes both"}
		}
	}
	if o.Focus && out == "" {
		return &ui.Error{Code: ui.Usage, Msg: "--focus: found no --out, expected the folder to write to", Hint: "--focus --out report"}
	}
	for _, path := range o.StatesFiles {
		states, err := readStates(path)
		if err != nil {
			return err
		}
		o.states = append(o.states, states...)
	}
	return nil
}

// readStates reads one file of states.
func readStates(path string) ([]report.Handled, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &ui.Error{Code: ui.Failed, Msg: fmt.Sprintf("--states %s: found no file that can be read, expected a CSV file with the columns finding and state", ui.Clean(path)),
			Hint: "a dispute-VENDOR.csv of an earlier report is such a file; without --states all findings are open"}
	}
	defer f.Close()
	states, err := report.ReadStates(f)
	var bad *report.StatesError
	if errors.As(err, &bad) {
		return nil, &ui.Error{Code: ui.Failed, Msg: ui.Clean(fmt.Sprintf("%s:%d: found %s, expected %s", path, bad.Line, bad.Found, bad.Expected)), Hint: bad.Hint()}
	}
	if err != nil {
		return nil, &ui.Error{Code: ui.Failed, Msg: fmt.Sprintf("--states %s: found a file that cannot be read, expected CSV", ui.Clean(path)), Hint: "ls -l shows what it is", Err: err}
	}
	return states, nil
}

// publishOptions are these flags for the pipeline.
func (o *outputOptions) publishOptions(noWorkbook, parquet bool) pipeline.PublishOptions {
	return pipeline.PublishOptions{NoWorkbook: noWorkbook, NoPage: o.NoPage, Parquet: parquet, Version: version(), Lang: o.lang, States: o.states,
		Formats: o.Format, BOM: o.BOM, Focus: o.Focus}
}

// settledClaims is the money of findings that are no longer open, by currency: --fail-over does not
// count it, so that an alarm does not return each month for what was filed long ago.
func settledClaims(claims []report.ClaimTotal) map[string]decimal.Decimal {
	out := map[string]decimal.Decimal{}
	for _, c := range claims {
		if c.State != report.StateOpen {
			out[c.Currency] = out[c.Currency].Add(asDecimal(c.Claim))
		}
	}
	return out
}
