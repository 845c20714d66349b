// Package pipeline orders the steps of a run; it is the only place that knows both the
// files and the database.
//
//  1. settings: configuration and flags become variables and two small tables.
//  2. land: every file is recognised, decoded and streamed into src_attempts or
//     src_charges (queries/20_formats); what cannot be read goes to src_rejects. All in one
//     transaction.
//  3. across files: newer exports supersede older lines, rows that another file brought
//     already are known and dropped.
//  4. match: copies, layers, calls, calibration, windows, tiers 1 to 3 (queries/30_match).
//  5. verdicts: every charge gets one, every line carries it (queries/40_verdicts).
//  6. checks: every query in queries/90_checks must return no rows.
//  7. reports: the rpt_ tables (queries/50_reports) become a report.Audit and the workbook's
//     rows.
//
// It computes no money and holds no rule: those are SQL.
package pipeline
