package config

import (
	"time"

	"github.com/shopspring/decimal"

	"retrytax/internal/source"
)

// UnknownCurrency is ISO 4217's code for "no currency": the amount stands without one.
const UnknownCurrency = "XXX"

// Books: who reckoned the amount.
const (
	BookBill     = "bill"     // the one who bills
	BookEstimate = "estimate" // a gateway's own reckoning
)

// Roles of a source file.
const (
	RoleAttempts = "attempts"
	RoleCharges  = "charges"
	RoleBills    = "bills"
)

// Config is a whole retrytax.yaml over the defaults. The top-level settings are effective
// as they stand; the profile of a provider is merged by Provider.
type Config struct {
	Zone       Setting[string] // IANA name; the report's days are of this zone
	SourceZone Setting[string] // IANA name; of a time that is written without one
	Currency   Setting[string] // ISO 4217, of amounts without one; XXX is unknown
	PaidBook   Setting[string] // bill | estimate: the book that is paid
	// QuotaPerUSD is how many points of a new-api or one-api relay are one dollar.
	QuotaPerUSD Setting[int64]
	Thresholds  Thresholds
	Models      map[string]string // alias → canonical name, as written
	Sources     []Source          // in the order of the file; the first that matches counts
	Nightly     Nightly
	Alerts      Alerts

	dir       string             // the folder of the file; "" is none
	providers map[string]Profile // by canonical name: only what the user wrote
}

// Thresholds are the numbers that the rules of matching and of the verdicts use.
type Thresholds struct {
	PartialOutputRatio Setting[decimal.Decimal] // 0..1 of the delivered charge's output tokens: at or below it, the bill stopped early
	Confidence         Setting[decimal.Decimal] // 0..1: a match by tokens below it is a lead
	CopyWindowMS       Setting[int64]           // two lines alike that start within it are one
	LayerGraceMS       Setting[int64]           // by how much an inner line may stick out of its outer one
	ConnectTimeoutMS   Setting[int64]           // the application's, in ms; unset is unknown
	ReadTimeoutMS      Setting[[]int64]         // the application's, in ms; unset is unknown
	RepeatWindow       Setting[time.Duration]   // an undelivered call made again within it, under another id, is a lead
}

// Source says what files whose name matches do not say themselves. Only what is set counts.
type Source struct {
	Match    string      // path.Match pattern, against the base name or the whole path
	Files    string      // what retrytax nightly reads, a pattern of paths; "" is nothing
	Optional bool        // a night without anything new of Files is no fault
	Role     string      // attempts | charges
	Provider string      // lower case
	Zone     string      // IANA name
	Date     string      // YYYY-MM-DD of the first line, for times without a date
	APIKey   string      // the name of the key, never the key
	Book     string      // bill | estimate
	Currency string      // ISO 4217
	Columns  *source.Map // which columns are which; nil leaves it to their names
	Line     int         // where it stands in the configuration
}

// DefaultQuotaPerUSD is QuotaPerUnit of one-api and new-api as they are shipped (common/constants.go).
const DefaultQuotaPerUSD = 500_000

// Default is the configuration of an empty file.
func Default() *Config {
	return &Config{
		Zone:        preset("UTC"),
		SourceZone:  preset("UTC"),
		Currency:    preset(UnknownCurrency),
		PaidBook:    preset(BookBill),
		QuotaPerUSD: preset[int64](DefaultQuotaPerUSD),
		Thresholds: Thresholds{
			PartialOutputRatio: preset(decimal.New(8, -1)),
			Confidence:         preset(decimal.New(9, -1)),
			CopyWindowMS:       preset[int64](100),
			LayerGraceMS:       preset[int64](100),
			RepeatWindow:       preset(30 * time.Second),
		},
		Models:    map[string]string{},
		Nightly:   Nightly{Database: preset("retrytax.duckdb"), Reports: preset("reports")},
		Alerts:    defaultAlerts(),
		providers: map[string]Profile{},
	}
}
