// Package synth makes a labelled synthetic month: the attempt log of a
// simulated application and the bill of a simulated server, with the true
// verdict of every billed line.
//
// The simulator plays client and server. It therefore knows, for each
// execution, which call and which application attempt caused it, which try of
// the SDK inside that attempt it was, whether its answer was the one that the
// application used, whether somebody hung up on it, and what the vendor billed.
// The label follows from those facts and from what the verdicts mean. It never
// follows from a join, a time window or a threshold of the matching rules: a
// label that repeated them would only show that the tool agrees with itself.
// For the same reason the package imports nothing of the project. The one
// exception is where the meaning itself is a threshold: an execution cut short
// without any sign of it, almost at its end, counts as billed in full.
//
// The flow of [Generate]:
//
//  1. traffic.go draws arrivals; call.go lets the application work on each call.
//  2. client.go runs one application attempt with the SDK's tries in it, and
//     server.go runs one execution on the vendor's side.
//  3. bill.go decides what the vendor charges, and label.go what that charge is.
//  4. unlogged.go adds charges that no log line explains, and rows.go copied
//     rows and refunds.
//  5. edge.go deletes log lines and the bill's end, and takes back what the
//     remaining data cannot tell.
//
// [Month] strings such worlds together: a company's services, day by day, with the bills of
// the vendors that they share, so that a month of millions of requests never stands in
// memory as a whole. [Company] is the month of retrytax demo, [Plain] one for measurements.
//
// Everything is drawn from one seeded generator, so a [Config] stands for one
// world, byte for byte. Times are whole milliseconds since the Unix epoch;
// money is a whole number of 1e-12 currency units.
package synth
