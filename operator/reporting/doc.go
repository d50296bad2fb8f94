// Package reporting writes the status of one ElasticJob: what is known of it, decided about it and expected of it, as
// figures, conditions and sentences; and the events of what has changed.
//
// What comes in is a request to look at an ElasticJob; what goes out is its status, where it is worth a write, and
// the job as its owner. It decides nothing.
package reporting
