// Package expiring deletes ElasticJobs some time after their jobs have ended, where somebody has said when. Their
// Resizes go with them.
//
// What comes in is a request to look at an ElasticJob; what goes out is its deletion, once all is kept that its end has
// taught, and an event on the job. The job itself stays.
package expiring
