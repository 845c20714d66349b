// Package source recognises a file by its content and decodes its syntax (CSV, JSON
// lines, log lines of several kinds) into numbered text records in the canonical column names.
//
//  1. NewInput names a file or standard input; opening it undoes compression and UTF-16.
//  2. Recognise looks at its head: role, syntax, and which column is what (aliases.go).
//  3. Open cuts it into blocks at the end of records and decodes the blocks in parallel.
//  4. Next delivers Arrow-shaped batches in the order of the file, and Stats accounts for
//     every row.
//
// Parquet is recognised and placed for the database (parquet.go), which reads it.
//
// It gives no value a type or a meaning: "0x1F", "NaN" and "yesterday" pass as text, and
// SQL decides (queries/20_formats). It drops nothing in silence: every line becomes a
// record, a reject or is counted as ignored. It knows no database.
package source
