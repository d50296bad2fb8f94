// Package kind says what a kind of training job is: how it says what it is, and what has to be written to it. A new
// kind is one more package below this one, and a line in known.
//
// In comes a job as the API server has it; out goes a Job, which is the same for all kinds, and the patch that asks
// the job for a size.
package kind
