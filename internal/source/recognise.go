package source

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Syntax is how a file spells its records.
type Syntax string

const (
	CSV    Syntax = "csv"
	JSONL  Syntax = "jsonl" // JSON objects: one a line, or the records of one document
	Logfmt Syntax = "logfmt"
)

// Mapping is one column or key of a file, and the canonical column that it becomes.
type Mapping struct{ From, To string }

// Recognised is what a file is taken to be. For JSON and logfmt, Columns and Unused name
// the keys in the sample; keys that come later are mapped by the same aliases.
type Recognised struct {
	Role      Role
	Format    string // retrytax-attempts, retrytax-charges, logfmt, python-text, python-json, or mapped-attempts, mapped-charges
	Syntax    Syntax
	Delimiter byte // of CSV
	Columns   []Mapping
	Unused    []string // columns that are not read
	Notes     []string // sentences that the user should see
	Encoding  string   // UTF-16 or GB18030; "" is UTF-8
	Skipped   int64    // lines above the header of a table that hold something

	header    []byte     // of CSV, as it stands in the file
	targets   []target   // of CSV
	xid       bool       // x_request_id is the request id
	mapped    *Map       // the user's mapping, or nil
	marked    bool       // attempts are marked with evt=llm_call
	python    bool       // it has lines of the first article's client
	prefixed  bool       // JSON objects stand behind a prefix
	hide      *cellHider // of CSV: columns that rejects must not show
	shape     jsonShape
	array     bool  // of a JSON document: records are elements of an array
	outer     int   // brackets around that array
	skipBytes int64 // what lies before the first record
	skipLines int64
	skippedTo int64   // the line of the header, where Skipped is set
	vendor    *Format // the format with a query file of its own, or nil
}

// Vendor is the format whose query makes rows of the records; nil where the columns have been
// mapped already.
func (r Recognised) Vendor() *Format { return r.vendor }

// Roles are the roles of its rows, in the order in which they are landed.
func (r Recognised) Roles() []Role {
	if r.vendor != nil && r.Role == "" {
		return r.vendor.Roles
	}
	return []Role{r.Role}
}

// role is the role under whose rules its records are decoded; a format's have none, unless they
// are an attempt log's under any names.
func (r Recognised) role() Role {
	switch {
	case r.vendor == nil:
		return r.Role
	case r.vendor.aliases:
		return Attempts
	}
	return ""
}

// isLog tells a log, which may hold lines about other things, from an export.
func (r Recognised) isLog() bool {
	return r.role() == Attempts || r.vendor != nil && len(r.vendor.Roles) == 1 && r.vendor.Roles[0] == Attempts
}

// RawColumns are the text columns of its batches.
func (r Recognised) RawColumns() []string {
	if r.vendor != nil {
		return r.vendor.Columns
	}
	return ColumnsOf(r.Role)
}

type jsonShape int

const (
	jsonLines jsonShape = iota
	jsonDocument
)

func (r Recognised) names() names {
	if r.vendor != nil {
		n := r.vendor.names(0)
		n.xid = r.xid
		return n
	}
	return newNames(r.Role, r.xid).under(r.mapped)
}

// Zone is the zone that the user's mapping gives to times without one, or "".
func (r Recognised) Zone() string {
	if r.mapped == nil {
		return ""
	}
	return r.mapped.Zone
}

// SyntaxText says how the file spells its records, in words.
func (r Recognised) SyntaxText() string {
	switch {
	case r.Syntax == CSV:
		return "CSV with " + strings.TrimPrefix(strings.TrimPrefix(delimName(r.Delimiter), "a "), "an ") + "s"
	case r.Syntax == JSONL && r.shape == jsonDocument && r.array:
		return "a JSON array"
	case r.Syntax == JSONL && r.shape == jsonDocument:
		return "JSON objects over several lines"
	case r.Syntax == JSONL:
		return "JSON lines"
	case r.Syntax == Parquet:
		return "Parquet"
	}
	return "log lines"
}

// Reads tells whether one of its columns becomes a canonical one, or the mapping gives it.
func (r Recognised) Reads(column string) bool {
	return r.mapped.claims(column) || slices.ContainsFunc(r.Columns, func(m Mapping) bool { return m.To == column })
}

// SingleCharges tells of what is read as totals that its columns are those of a billing export: its rows have ids.
func (r Recognised) SingleCharges() bool {
	return r.Role == Bills && r.vendor == nil && slices.ContainsFunc(r.Unused, func(name string) bool {
		t, ok := nameTables[Charges].byName[normalise(name)]
		return ok && slices.Contains([]string{"charge_id", "request_id", "vendor_request_id"}, chargeAliases[t.col].Column)
	})
}

// Mapped tells whether a mapping of the user's was used.
func (r Recognised) Mapped() bool { return r.mapped != nil }

// Recognise tells by a file's content what it is. With a forced role it only finds out how
// the file is written, "" lets the columns decide: a charge time and an amount make
// charges, unless the columns that only an attempt log has outnumber those that only a bill
// has; a time and an outcome, status or reason make attempts; a period with an amount, tokens or a
// number of requests makes totals. The error is an *Error that
// lists what was found and what is missing.
func Recognise(in *Input, forced Role) (Recognised, error) {
	rec, err := recogniseSample(in, forced)
	if err != nil {
		var e *Error
		if errors.As(err, &e) && e.Kind == ErrUnrecognised && in.container != nil && in.sheet == nil {
			e.Hint += "; to leave it out, name the files that are meant: " + in.container.Name + "/NAME"
		}
		return rec, err
	}
	if bad := in.sheet.check(&rec); bad != nil {
		return Recognised{}, bad
	}
	if rec.Encoding == "GB18030" {
		rec.Notes = append(rec.Notes, in.Name+" is read as GB18030 (GBK), which its bytes fit: if names in it look wrong, convert it to UTF-8")
	}
	if rec.Skipped > 0 {
		rec.Notes = append(rec.Notes, fmt.Sprintf("%s: %s above the header in line %d left out", in.Name, Counted(rec.Skipped, "line", "lines"), rec.skippedTo))
	}
	return rec, nil
}

func recogniseSample(in *Input, forced Role) (Recognised, error) {
	s, err := readSample(in, sampleBytes)
	if err != nil {
		return Recognised{}, err
	}
	rec, err := s.recognise(forced)
	if err != nil && !s.whole {
		// A log may begin with pages of other lines.
		if more, moreErr := readSample(in, 64*sampleBytes); moreErr == nil {
			if rec, again := more.recognise(forced); again == nil {
				return rec, nil
			}
		}
	}
	return rec, err
}

func (s *sample) recognise(forced Role) (Recognised, error) {
	rec, err := s.told(forced)
	rec.Encoding = s.encoding
	return rec, err
}

// told is what the text of a sample is.
func (s *sample) told(forced Role) (Recognised, error) {
	if isParquet(s.text) {
		return Recognised{}, &Error{File: s.file, Found: "a Parquet file", Expected: "text", Kind: ErrParquet}
	}
	if s.priceList() {
		return Recognised{}, &Error{File: s.file, Found: "a price list", Expected: "an attempt log or a billing export", Kind: ErrPrices,
			Hint: "name it with --prices"}
	}
	if what := binaryKind(s.text); what != "" {
		return Recognised{}, &Error{File: s.file, Found: what, Expected: "CSV, JSON lines or logfmt text",
			Kind: ErrUnrecognised, Hint: binaryHint(what)}
	}
	if what := markupKind(s.text); what != "" {
		return Recognised{}, &Error{File: s.file, Found: what, Expected: "CSV, JSON lines or logfmt text", Kind: ErrUnrecognised,
			Hint: "look at it with head: a page in place of an export is often a login or an error"}
	}
	if rec, err := s.byMaps(forced); err != errNoMap {
		return rec, err
	}
	if rec, err := s.vendor(forced); err != nil || rec.vendor != nil {
		if err != nil {
			err.File = s.file
			return Recognised{}, err
		}
		return rec, nil
	}
	ways := []func(Role) (Recognised, *Error, bool){s.json, s.carriageReturns, s.csv, s.prefixedJSON, s.logfmt, s.laterJSON, s.laterCSV}
	if s.long { // no header and no document begins with such a line
		ways = []func(Role) (Recognised, *Error, bool){s.logfmt, s.laterJSON}
	}
	var problem *Error // of the attempt that came nearest
	for _, try := range ways {
		rec, err, mine := try(forced)
		if mine && err == nil && !(rec.Syntax == JSONL && rec.withoutCalls() && s.pythonText()) {
			return rec, nil
		}
		if err != nil && (problem == nil || mine) {
			problem = err
		}
		if mine {
			break
		}
	}
	// A container's runtime may have wrapped the lines of a text log into JSON.
	if s.pythonText() {
		if rec, err, _ := s.logfmt(forced); err == nil {
			return rec, nil
		}
	}
	if rec, ok := s.patternLines(forced); ok {
		return rec, nil
	}
	if problem == nil {
		problem = &Error{Found: "text without a header, keys or log marks that are known",
			Expected: "CSV with a header, JSON lines, or log lines with evt=llm_call or rid=… and attempt=…",
			Hint:     "retrytax formats lists what can be read"}
	}
	problem.File, problem.Kind = s.file, ErrUnrecognised
	if problem.Guess = s.guess(forced); problem.Guess != nil && problem.Guess.Map != nil {
		problem.Hint += "; --map reads it as it is"
	}
	return Recognised{}, problem
}

// carriageReturns refuses a text whose lines nothing here could tell apart.
func (s *sample) carriageReturns(Role) (Recognised, *Error, bool) {
	if !s.crOnly() {
		return Recognised{}, nil, false
	}
	return Recognised{}, &Error{Line: 1, Found: "line ends that are carriage returns alone, as on old Macs", Expected: "line feeds, with or without them",
		Hint: `convert it: tr '\r' '\n' < ` + s.file + ` > new-` + filepath.Base(s.file)}, true
}

// withoutCalls tells of an attempt log that no column of it names a call.
func (r Recognised) withoutCalls() bool {
	return r.Role == Attempts && !slices.ContainsFunc(r.Columns, func(m Mapping) bool { return m.To == "request_id" })
}

// RejectHint is what the user can do about a file of which no row could be read.
func (r Recognised) RejectHint() string {
	if r.python || r.prefixed {
		return "give the logger a formatter with a date and a time, such as %(asctime)s %(levelname)s %(message)s"
	}
	switch r.Role {
	case Charges:
		return "name the columns as retrytax formats lists them, or say with --map how they are written: amount=cost:decimal=comma, charged_at=date:layout=%d/%m/%Y"
	case Bills:
		return "name the columns as retrytax formats retrytax-bills lists them, or say with --map how they are written: amount=cost:decimal=comma, period_start=date:layout=%d/%m/%Y"
	}
	return "name the columns as retrytax formats lists them, or force the role with --attempts or --charges"
}

// choose finds the role that a set of columns fits, and how it maps. Where a price list is at
// hand, a file that is said to be a bill may count tokens instead of money.
func choose(forced Role, priced bool, by *Map, columns func(Role) []column, line int64) (mapping, *Error) {
	if forced != "" {
		m := mapColumns(forced, columns(forced), by)
		m.priced = priced
		return m, m.problem(line, "")
	}
	a, c := mapColumns(Attempts, columns(Attempts), by), mapColumns(Charges, columns(Charges), by)
	aErr, cErr := a.problem(line, forceHint), c.problem(line, forceHint)
	b := mapColumns(Bills, columns(Bills), by)
	bErr := b.problem(line, forceHint)
	switch {
	case bErr == nil && b.counts() && !c.hasIDs():
		return b, nil
	case cErr == nil && c.evidence() >= a.evidence():
		return c, nil
	case aErr == nil:
		return a, nil
	case cErr == nil:
		return c, nil
	case bErr == nil:
		return b, nil
	case c.evidence() > a.evidence():
		return c, cErr
	}
	return a, aErr
}

const forceHint = "say what it is: --attempts FILE or --charges FILE"

// telling are the columns that tell a role: those that a file of the other hardly has.
var telling = map[Role][]string{
	Attempts: {"max_attempts", "layer", "started_at", "ended_at", "elapsed_ms", "elapsed_s", "stage", "outcome",
		"reason", "http_status", "retry_after_ms", "status"},
	Charges: {"book", "charge_id", "line_item", "charged_at", "reasoning_tokens", "unit_price", "amount", "currency",
		"finish_reason", "cancelled", "generation_ms"},
}

// evidence counts the telling columns whose names the other role does not know.
func (m mapping) evidence() int {
	other := Charges
	if m.role == Charges {
		other = Attempts
	}
	n := 0
	for _, c := range m.used {
		_, shared := nameTables[other].byName[normalise(c.From)]
		if slices.Contains(telling[m.role], c.To) && !shared {
			n++
		}
	}
	return n
}

// counts tells totals that a day of charges is not: they say how many requests they are of.
func (m mapping) counts() bool { return m.reads("requests") && m.reads("period_start") }

// hasIDs tells of a table that its rows are single requests.
func (m mapping) hasIDs() bool { return m.reads("charge_id", "request_id", "vendor_request_id") }

// reads tells whether one of the canonical columns is read.
func (m mapping) reads(columns ...string) bool {
	return slices.ContainsFunc(m.used, func(c Mapping) bool { return slices.Contains(columns, c.To) })
}

// problem says which required column a role lacks; nil if none.
func (m mapping) problem(line int64, hint string) *Error {
	var missing []string
	need := func(columns ...string) {
		if !m.reads(columns...) && !slices.ContainsFunc(columns, m.by.claims) {
			missing = append(missing, "a column for "+describe(m.role, columns))
		}
	}
	switch {
	case m.role == Charges && m.priced:
		need("charged_at")
		need("amount", "input_tokens")
	case m.role == Charges:
		need("charged_at")
		need("amount")
	case m.role == Bills:
		if hint != "" { // of a file that is said to be totals the lines decide: an invoice has one period
			need("period_start")
		}
		need("amount", "quantity", "requests")
	default:
		need("ts", "started_at", "ended_at")
		need("outcome", "status", "reason", "http_status")
	}
	if missing == nil {
		return nil
	}
	if hint == "" {
		hint = "name the columns as retrytax formats lists them"
		if m.role == Charges && slices.ContainsFunc(m.used, func(c Mapping) bool { return c.To == "input_tokens" }) {
			hint += "; a bill in tokens needs a price list: --prices FILE"
		}
	}
	return &Error{Line: line, Found: "columns " + some(m.all, 30), Expected: strings.Join(missing, " and "), Hint: hint}
}

// describe names columns with a few aliases: "amount (amount, cost_total, cost …)".
func describe(r Role, columns []string) string {
	var parts []string
	for _, c := range columns {
		i := columnIndex(r, c)
		names := append([]string{c}, aliasesOf(r)[i].Names...)
		if len(columns) > 1 {
			names = names[:min(3, len(names))]
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", c, some(names, 7)))
	}
	return strings.Join(parts, " or ")
}

// some lists up to n names. In a file that is something else they can be any text.
func some(names []string, n int) string {
	more := ""
	if len(names) > n {
		names, more = names[:n], " …"
	}
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = strings.ToValidUTF8(name, "\uFFFD")
		if len(name) > 40 {
			shown[i] = strings.ToValidUTF8(name[:40], "") + "…"
		}
	}
	return redact(strings.Join(shown, ", ")) + more
}
