// Package source recognises a file by its content and decodes its syntax (CSV, JSON
// lines, logfmt) into numbered text records in the canonical column names.
//
// It gives no value a type or a meaning: "0x1F", "NaN" and "yesterday" pass as text, and
// SQL decides (queries/20_formats). It drops nothing in silence: every line becomes a
// record, a reject or is counted as ignored. It knows no database.
package source
