// Package whatif asks the planner what would become of a job, and of all others, if something were different.
//
// What comes in is a snapshot and a change of it: another deadline, other sizes of a job, more or fewer GPUs. What goes
// out are the planner's two decisions, side by side, and the difference in words. It knows of no cluster and changes
// nothing.
package whatif
