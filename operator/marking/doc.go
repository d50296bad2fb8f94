// Package marking has the pods of a job marked whose template cannot be changed while it runs.
//
// In comes a job with its pods; out goes, on each pod that its template says nothing of, which resize has brought it.
package marking
