// Package changes says of a change of an object whether it matters: to the planner, or to who reads the progress of a
// job.
//
// What comes in is an object before and after a change; what goes out is yes or no. A change that does not matter costs
// no plan and no reading.
package changes
