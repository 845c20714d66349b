// Package store opens DuckDB, lands batches of text rows in it and runs query files.
//
// It knows no format and no rule: what a row means is decided by the SQL that it is
// handed. An error of a query carries the name of the file that it stands in.
package store
