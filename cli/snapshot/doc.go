// Package snapshot reads what the operator last planned from, so that the planner can be asked about it.
//
// What comes in is JSON, as takt snapshot prints it or a file has it; what goes out is a begin.Scene, with an
// elastic.Snapshot that can be planned for, or a sentence that says which line is wrong. It knows of no cluster.
package snapshot
