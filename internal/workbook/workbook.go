package workbook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/xuri/excelize/v2"

	"retrytax/internal/report"
	"retrytax/internal/words"
)

// excelMaxRows is how many rows a sheet of Excel can hold.
const excelMaxRows = excelize.TotalRows

// Options are what the workbook cannot know from the report.
type Options struct {
	// Version of the program, shown on the Method sheet.
	Version string
	// Created is the moment of the report; it is the file's creation and change date.
	Created time.Time
	// MaxRows per sheet, the header included; 0 means as many as Excel can hold. What does
	// not fit goes on in a sheet "Evidence (2)". The Summary is always one sheet.
	MaxRows int
	// Zone in which times are shown; nil means the zone of the report's period.
	Zone *time.Location
	// Lang is the language of everything but the data.
	Lang words.Lang
}

// Write writes the workbook to w. Nothing reaches w before the whole file could be made, so
// an error other than one of w itself leaves it untouched. It fails on an amount that is not
// a plain decimal, on a zone that is not known, and when ctx is done.
func Write(ctx context.Context, w io.Writer, wb *report.Workbook, opts Options) (err error) {
	if wb == nil || wb.Audit == nil {
		return errors.New("workbook: no report to write")
	}
	b, err := newBuilder(ctx, wb, opts)
	if err != nil {
		return fmt.Errorf("workbook: %w", err)
	}
	defer func() { err = errors.Join(err, b.file.Close()) }()

	for _, step := range []func() error{
		// What each table is like, and where it stands: the Summary points into them.
		b.newDays, b.newModels, b.newKeys, b.newDuplicated, b.newEvidence, b.newDisputes, b.newExceptions,
		b.writeSummary, func() error { return b.days.write(b) }, func() error { return b.models.write(b) }, func() error { return b.keys.write(b) },
		func() error { return b.duplicated.write(b) }, func() error { return b.evidence.write(b) }, func() error { return b.disputes.write(b) },
		func() error { return b.exceptions.write(b) }, b.writeCostModel, b.writeInvoice, b.writeMethod,
	} {
		if err := step(); err != nil {
			return fmt.Errorf("workbook: %w", err)
		}
	}
	return b.finish(w, b.t(title)+", "+b.periodText())
}

// finish writes the file that was built.
func (b *builder) finish(w io.Writer, heading string) error {
	if err := b.setProperties(heading); err != nil {
		return fmt.Errorf("workbook: properties: %w", err)
	}
	b.file.SetZipWriter(func(io.Writer) excelize.ZipWriter { return newStableZip(w) })
	if err := b.file.Write(io.Discard); err != nil {
		return fmt.Errorf("workbook: %w", err)
	}
	return nil
}

// builder holds what the sheets share while one file is made.
type builder struct {
	ctx     context.Context
	file    *excelize.File
	styles  styles
	wb      *report.Workbook
	audit   *report.Audit
	opts    Options
	zone    *time.Location
	maxRows int
	sheets  int    // made so far
	title   string // of the whole file, in English

	days        *grid[dayRow]
	models      *grid[modelRow]
	keys        *grid[keyRow]
	duplicated  *grid[duplicatedRow]
	evidence    *grid[evidenceRow]
	disputes    *grid[disputeRow]
	exceptions  *grid[exceptionRow]
	dayVerdicts []string // verdicts that have a column in By day
}

func newBuilder(ctx context.Context, wb *report.Workbook, opts Options) (*builder, error) {
	b := &builder{ctx: ctx, wb: wb, audit: wb.Audit, opts: opts, zone: opts.Zone, maxRows: opts.MaxRows, title: title}
	if b.zone == nil {
		zone, err := time.LoadLocation(wb.Audit.Period.Zone)
		if err != nil {
			return nil, fmt.Errorf("zone of the report: %w", err)
		}
		b.zone = zone
	}
	if b.maxRows <= 0 || b.maxRows > excelMaxRows {
		b.maxRows = excelMaxRows
	}
	if b.maxRows < 2 {
		return nil, fmt.Errorf("%d rows per sheet leave no room below the header", b.maxRows)
	}
	b.file = excelize.NewFile()
	var err error
	if b.styles, err = newStyles(b.file); err != nil {
		return nil, errors.Join(err, b.file.Close())
	}
	return b, nil
}

// setProperties sets what Excel shows under File > Info, and has it compute the check cells
// anew when the file is opened.
func (b *builder) setProperties(heading string) error {
	created := b.opts.Created.UTC().Format(time.RFC3339)
	err := b.file.SetDocProps(&excelize.DocProperties{
		Title:          cleanText(heading),
		Subject:        b.t("LLM API calls that were paid for more than once"),
		Creator:        "retrytax",
		LastModifiedBy: "retrytax",
		Created:        created,
		Modified:       created,
		Version:        cleanText(b.opts.Version),
		Language:       b.opts.Lang.Tag(),
	})
	if err != nil {
		return err
	}
	if err := b.file.SetAppProps(&excelize.AppProperties{Application: "retrytax"}); err != nil {
		return err
	}
	onLoad := true
	b.file.SetActiveSheet(0)
	return b.file.SetCalcProps(&excelize.CalcPropsOptions{FullCalcOnLoad: &onLoad})
}
