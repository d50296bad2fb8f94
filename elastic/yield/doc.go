// Package yield says when Takt yields to what others have done to a job.
//
// What comes in is what is seen at one moment of a job whose size others have set, or that Takt may not look after.
// What goes out is whether that size stays, and whether the job is let run.
package yield
