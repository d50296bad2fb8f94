// Package changes says of a change of an object whether it matters, to the planner or to who reads the progress of a
// job, and whom it concerns.
//
// What comes in is an object before and after a change; what goes out is yes or no, or which ElasticJobs, Resizes and
// jobs are to be looked at. A change that does not matter costs no plan and no reading.
package changes
