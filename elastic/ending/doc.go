// Package ending says whether a job that counts as finished has done its work.
//
// What comes in is what is seen of its end, and of workers that were about to leave then: with some kinds of jobs, one
// that is told to leave and exits with 0 counts as the success of all. What goes out is whether that has cut the job
// short, and whether to wait for what it has said last before anything is said of its end.
package ending
