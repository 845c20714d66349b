// Package report holds what an audit says: the structs of audit.json and of the workbook's
// sheets, read from the rpt_ tables, and their encodings as JSON and CSV.
//
// It computes nothing: every sum and every rate comes from a query. Money passes as
// decimal text.
package report
