// Package pipeline orders the steps of a run; it is the only place that knows both the
// files and the database.
//
//  1. settings: configuration and flags become variables and two small tables.
//  2. land: every file is recognised, decoded and streamed into src_attempts or
//     src_charges (queries/20_formats); what cannot be read goes to src_rejects. All in one
//     transaction.
//  3. across files: newer exports supersede older lines, rows that another file brought
//     already are known and dropped.
//  4. measure: what stamps, timeouts and numbers mean, day by day (queries/25_measure).
//  5. match: copies, layers, calls, windows, tiers 1 to 3 (queries/30_match).
//  6. verdicts: every charge gets one (queries/40_verdicts).
//  7. period: every line of the period carries its verdict; what is settled and covered is
//     asked of the edge of the data as it is now (queries/45_period).
//  8. reports: the rpt_ tables (queries/50_reports) become a report.Audit and the workbook's
//     rows.
//  9. checks: every query in queries/90_checks must return no rows.
//
// An audit does all of it at once. Over a database that lives, Ingest does 1 to 3, Reconcile 4 to
// 6 for the rows that can have come out otherwise (queries/22_scope), and ReportOver the rest,
// beside the database, which it does not change. So 4 to 6 must be local: a verdict may rest on
// its call, on what shares an id with it, and on what is measured of its day; never on how
// much data there is.
//
// It computes no money and holds no rule: those are SQL.
package pipeline
