// Package cost is the cost model: what retries cost, and what each remedy would save.
//
// The documented model (first article, section 4.3) is
//
//	extra = N × p × f × u
//
// N requests a day, p the share that times out, f the share of those that the server had
// started, u what one costs. It assumes that the one retry succeeds. Design section 5 makes it
// general: layers of retries, timeouts that repeat, executions that are billed in part.
//
// It is pure: no database, no files, no clock. Money, rates and counts are exact decimals;
// rounding happens once, in [Text]. Floats serve statistics alone: the width of an interval,
// the draws of a simulation. It refuses what lies outside its domain ([DomainError]) and
// never replaces an unknown by zero.
package cost
