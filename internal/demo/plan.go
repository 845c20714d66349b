package demo

import (
	"fmt"
	"time"

	"retrytax/internal/synth"
)

// logPlan is how the lines of a service, or those of one layer of it, become files.
type logPlan struct {
	service int    // index into the month's services
	layer   string // only lines of this layer; "" is all
	format  synth.Format
	zone    *time.Location       // of times that are written without one
	noise   int                  // one line of something else after so many, 0: none
	name    func(day int) string // of the file for a day, 0 is the first
}

// billPlan is how the charges of a vendor become exports. Where they overlap a charge
// stands in two.
type billPlan struct {
	format  synth.Format
	zone    *time.Location
	exports []export
}

// export is a file of the charges from one day to another, both included, 0 is the first.
type export struct {
	name     string
	from, to int
}

// plan is all files of a month.
type plan struct {
	logs  []logPlan
	bills map[string]billPlan // by vendor
	yaml  string              // the configuration
}

// shanghai is UTC+8 all year; a fixed zone needs no zone database.
var shanghai = time.FixedZone("Asia/Shanghai", 8*3600)

// companyPlan is the files of [synth.Company].
func companyPlan(from time.Time) plan {
	month := from.Format("2006-01")
	last := from.AddDate(0, 1, -1).Day() - 1
	once := func(name string) func(int) string {
		return func(int) string { return fmt.Sprintf(name, month) }
	}
	reports := logPlan{service: 4, format: synth.PythonLog, zone: shanghai, noise: 4, name: once("reports-%s.log")}
	return plan{
		logs: []logPlan{
			{service: 0, format: synth.Logfmt, noise: 6, name: daily(from, "assistant")},
			{service: 1, format: synth.JSONL, noise: 9, name: func(day int) string {
				return fmt.Sprintf("search-%s-week%d.jsonl", month, day/7+1)
			}},
			{service: 2, layer: "app", format: synth.JSONL, name: once("documents-%s.jsonl")},
			{service: 2, layer: "gateway", format: synth.JSONL, name: once("gateway-%s.jsonl.gz")},
			{service: 3, format: synth.CSV, name: once("summaries-%s.csv")},
			reports,
		},
		bills: map[string]billPlan{
			"northwind": {format: synth.CSV, exports: []export{
				{fmt.Sprintf("northwind-%s-first-half.csv", month), 0, 15}, {fmt.Sprintf("northwind-%s-second-half.csv", month), 13, last}}},
			"contoso":  {format: synth.CSV, zone: shanghai, exports: []export{{fmt.Sprintf("contoso-%s.csv", month), 0, last}}},
			"fabrikam": {format: synth.JSONL, exports: []export{{fmt.Sprintf("fabrikam-%s.jsonl", month), 0, last}}},
			"tailspin": {format: synth.JSONL, exports: []export{{fmt.Sprintf("tailspin-%s.jsonl.gz", month), 0, last}}},
		},
		yaml: companyYAML,
	}
}

// daily is one file a day; older ones have been compressed, the oldest with gzip.
func daily(from time.Time, service string) func(int) string {
	return func(day int) string {
		name := service + "-" + from.AddDate(0, 0, day).Format("2006-01-02") + ".log"
		switch {
		case day < 12:
			return name + ".gz"
		case day < 22:
			return name + ".zst"
		}
		return name
	}
}

// plainPlan is a single pair of files in the canonical columns.
func plainPlan(m *synth.Month) plan {
	p := plan{bills: map[string]billPlan{}, yaml: plainYAML}
	for i := range m.Services {
		p.logs = append(p.logs, logPlan{service: i, format: synth.JSONL, name: func(int) string { return "attempts.jsonl" }})
	}
	for _, vendor := range m.Vendors() {
		p.bills[vendor] = billPlan{format: synth.CSV, exports: []export{{"charges.csv", 0, 31}}}
	}
	return p
}

const companyYAML = `# What the files of this made-up month do not say themselves.
zone: UTC
currency: USD

providers:
  northwind: {idempotency: ignored, stamp: start}
  contoso:
    idempotency: ignored
    bills_cancelled: partly    # it stops when the client leaves
    stamp: end
    zone: Asia/Shanghai        # its bill shows local times, without saying so
  fabrikam:
    idempotency: honoured      # says its documentation; the bill says otherwise
    key_lifetime: 24h
    stamp: start
  tailspin:
    idempotency: honoured
    key_lifetime: 24h
    stamp: start

sources:
  - match: "reports-*.log"     # written in the office, and silent about whom it calls
    zone: Asia/Shanghai
    provider: contoso
    api_key: reports
`

const plainYAML = `# A made-up month in the canonical columns: there is nothing to add.
zone: UTC
currency: USD
`
