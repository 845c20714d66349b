// Package workbook writes the Excel file that finance and a vendor's billing support get to
// see: the ledger, what was paid twice and why, and the evidence for it, one sheet each.
//
// It lays out what the report structs say and computes no money. What it does add are shares
// (a ratio of two amounts of one book and currency) and check cells, the only formulas of the
// file: they let the reader see that the parts of the ledger add up.
//
// Three things it refuses to do:
//
//   - Trust its input. Strings from logs and bills are written as text cells, whatever they
//     start with; nothing becomes a formula, a link or markup.
//   - Lose digits. Excel keeps 15; ids are text, and an amount that has more stands beside its
//     cell as text, in a column named "exact".
//   - Turn unknown into zero, or add up two currencies or two books.
//
// The same input gives the same bytes: the file carries no time but Options.Created.
package workbook
