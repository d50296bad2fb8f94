// Package keeping keeps the ElasticJob of one training job as what is written on the job says, and lets the job go once
// nothing on it asks Takt to look after it.
//
// What comes in is a request to look at a job; what goes out is its ElasticJob, what is kept on the job itself, and a
// word on what of it cannot be used. Each field belongs to whoever has said it.
package keeping
