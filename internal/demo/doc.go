// Package demo turns a simulated month into the files that a company would have: the logs
// of its services and the bills of its vendors, each in a format of its own, a
// configuration, and the truth beside them. It scores an audit of these files and says
// what the audit cannot know.
//
//  1. plan.go says which file every row goes to, and in which format.
//  2. write.go writes the days of the month to the files as they are simulated, and each
//     line of a bill with its label.
//  3. make.go does all of it aside and renames at the end, so that a run that fails leaves
//     nothing.
//  4. result.go, text.go and json.go show the score.
//
// It audits nothing itself: the caller hands in the audit, which is that of retrytax audit.
package demo
