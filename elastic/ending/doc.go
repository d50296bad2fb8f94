// Package ending says whether a job that counts as finished has done its work.
//
// What comes in is what is seen of its end, and what may have had workers leave by then: with some kinds of jobs, one
// that is told to leave and exits with 0 counts as the success of all. What goes out is who was about to leave, whether
// that has cut the job short, and whether to wait for what it has said last before anything is said of its end.
package ending
