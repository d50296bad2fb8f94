// Package recording keeps what has happened to jobs that have ended, for takt trace.
//
// What comes in is a job that has ended, as it is seen; what goes out are ConfigMaps in the operator's own namespace,
// one for each namespace of jobs: no tenant can read or change those, and none takes room from another; and files on a
// volume, where there is one. What was not written when the process ends is found again by the next one, in the
// ElasticJobs of jobs that have ended.
package recording
