// Package training plays the trainings of a simulated cluster. KWOK plays the pods, which run and
// do nothing; this package makes the jobs advance as real ones would: faster with more workers, and
// with a pause and lost work whenever the workers change.
//
// A job that is to be played says so in an annotation:
//
//	training.takt.dev/simulate: >-
//	  {"total": 1000, "unit": "steps", "stepsPerSecond": {"1": 10, "2": 19, "4": 35},
//	   "restart": "1s", "checkpointEvery": "5s"}
//
// It reports in the annotations takt.dev/progress and takt.dev/checkpoint of the job, unless it has habits of its
// own, such as to write to the log of its first worker. When the work is done its pods come to their end, so that
// the real training-operator completes the job.
//
// What comes in are the jobs and pods of a cluster; what goes out are annotations of progress, lines of logs, and pods
// that have ended.
package training
