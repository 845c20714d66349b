package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"retrytax/internal/report"
	"retrytax/internal/store"
	"retrytax/internal/words"
	"retrytax/queries"
)

// ExplainOptions choose what Explain tells.
type ExplainOptions struct {
	Call  int // the one call asked for, by its place in time; 0 is by Limit
	Limit int // how many calls are told, those with most at stake; 0 is all
	// Prefix says that a beginning that only one id has is enough.
	Prefix bool
	Lang   words.Lang // of the sentences
}

// NotFoundError says that an id stands nowhere in the data.
type NotFoundError struct {
	ID       string
	Attempts int64    // lines searched
	Charges  int64    // lines of bills searched
	Near     []string // ids that begin like it, "request r-1"; ten at most
	More     bool     // there are more of them
	Rejected []string // "app.log:7", lines that could not be read and hold it; ten at most
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("found no request id, charge id or receipt %q in %d log lines and %d bill lines", shortened40(e.ID), e.Attempts, e.Charges)
}

// Hint names what comes near.
func (e *NotFoundError) Hint() string {
	var hints []string
	if len(e.Rejected) > 0 {
		hints = append(hints, "it stands in lines that could not be read: "+strings.Join(e.Rejected, ", "))
	}
	if len(e.Near) > 0 {
		text := "these begin like it: " + strings.Join(e.Near, ", ")
		if e.More {
			text += " and more"
		}
		hints = append(hints, text)
	}
	if len(hints) == 0 {
		return "give the whole id as it stands in the log or the bill; upper and lower case differ"
	}
	return strings.Join(hints, "; ")
}

func shortened40(s string) string {
	r := []rune(s)
	if len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// NoSuchCallError says that an id names fewer calls than the one asked for.
type NoSuchCallError struct{ Call, Named int64 }

func (e *NoSuchCallError) Error() string {
	return fmt.Sprintf("--call: found %d, expected 1 to %d: so many calls does the id name", e.Call, e.Named)
}

// Explain reads all that the data of this audit say of one id.
func (a *Audit) Explain(ctx context.Context, id string, o ExplainOptions) (*report.Explanation, error) {
	if err := a.anything(ctx); err != nil {
		return nil, err
	}
	a.opts.progress("looking up the id", 0)
	return explain(ctx, a.Store, id, o, a.Location(), nil)
}

// Check proves the books; its error is a *ChecksError where they are not.
func (a *Audit) Check(ctx context.Context) error {
	a.opts.progress("checking", 0)
	_, err := runChecks(ctx, a.Store)
	return err
}

// explain works over any database in which the tables of an audit stand, or can be made once it is
// known where the id stands.
func explain(ctx context.Context, s *store.Store, id string, o ExplainOptions, loc *time.Location,
	found func(context.Context, *store.Store) error) (*report.Explanation, error) {
	asked := strings.ToValidUTF8(id, "\uFFFD") // a decoder has done so to the data
	id, err := find(ctx, s, asked, o)
	if err != nil {
		return nil, err
	}
	if found != nil {
		if err := found(ctx, s); err != nil {
			return nil, err
		}
	}
	x, err := tell(ctx, s, loc, o.Lang)
	if err != nil {
		return nil, err
	}
	x.ID, x.Asked = id, asked
	if len(x.Calls) == 0 && o.Call > 0 {
		return nil, &NoSuchCallError{int64(o.Call), x.Named}
	}
	x.Note()
	return x, nil
}

// tell reads all that the data say of the lines in rpt_explained_hits.
func tell(ctx context.Context, s *store.Store, loc *time.Location, lang words.Lang) (*report.Explanation, error) {
	for _, f := range queries.In(queries.Explain) {
		if f.Name() == hitsTable || f.Name() == hintsTable {
			continue
		}
		if err := s.Run(ctx, f.Path, f.SQL); err != nil {
			return nil, err
		}
	}
	x, err := report.ReadExplanation(ctx, s, loc, lang)
	if err != nil {
		return nil, err
	}
	x.Zone = loc.String()
	return x, nil
}

const (
	hitsTable  = "rpt_explained_hits"
	hintsTable = "rpt_explained_hints"
)

// find fills rpt_explained_hits and returns the id as it stands in the data.
func find(ctx context.Context, s *store.Store, id string, o ExplainOptions) (string, error) {
	if err := setExplained(ctx, s, id, o); err != nil {
		return "", err
	}
	n, err := rowsOf(ctx, s, hitsTable)
	if err != nil || n > 0 {
		return id, err
	}
	if _, err := rowsOf(ctx, s, hintsTable); err != nil {
		return "", err
	}
	e := &NotFoundError{ID: id}
	ids := map[string]bool{}
	only := ""
	err = s.Query(ctx, "SELECT way, id FROM "+hintsTable+" ORDER BY id, way LIMIT 20", func(r *sql.Rows) error {
		var way, near string
		err := r.Scan(&way, &near)
		ids[near], only = true, near
		e.Near = append(e.Near, way+" "+shortened40(near))
		return err
	})
	if err != nil {
		return "", err
	}
	if len(ids) == 1 && o.Prefix && id != "" {
		return find(ctx, s, only, ExplainOptions{Call: o.Call, Limit: o.Limit})
	}
	if e.More = len(e.Near) > 10; e.More {
		e.Near = e.Near[:10]
	}
	if err := e.search(ctx, s); err != nil {
		return "", err
	}
	return "", e
}

// search counts what was searched, and looks into the lines that could not be read.
func (e *NotFoundError) search(ctx context.Context, s *store.Store) (err error) {
	if e.Attempts, err = s.Int(ctx, "SELECT count(*) FROM src_attempts"); err != nil {
		return err
	}
	if e.Charges, err = s.Int(ctx, "SELECT count(*) FROM int_charge_lines"); err != nil || len(e.ID) < 4 {
		return err // a shorter text stands in every line
	}
	return s.Query(ctx, `SELECT f.file, r.source_line FROM src_rejects r JOIN src_files f USING (file_no)
		WHERE contains(r.raw, ?) ORDER BY f.file, r.source_line LIMIT 10`, func(r *sql.Rows) error {
		var file string
		var line int64
		err := r.Scan(&file, &line)
		e.Rejected = append(e.Rejected, fmt.Sprintf("%s:%d", file, line))
		return err
	}, e.ID)
}

func setExplained(ctx context.Context, s *store.Store, id string, o ExplainOptions) error {
	optional := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	return setVariables(ctx, s, map[string]string{"explained_id": id, "explained_call": optional(o.Call), "explained_limit": optional(o.Limit)})
}

// rowsOf makes one table of the folder anew and counts its rows.
func rowsOf(ctx context.Context, s *store.Store, table string) (int64, error) {
	for _, f := range queries.In(queries.Explain) {
		if f.Name() == table {
			if err := s.Run(ctx, f.Path, f.SQL); err != nil {
				return 0, err
			}
		}
	}
	return s.Int(ctx, "SELECT count(*) FROM "+store.Ident(table))
}
