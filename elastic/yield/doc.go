// Package yield says when Takt yields to what others have done to a job.
//
// What comes in is what is seen at one moment of a job whose size others have set, that others have stopped, or that
// Takt may not look after. What goes out is whether that size stays, whether the job stays stopped, and whether it is
// let run.
package yield
