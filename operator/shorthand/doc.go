// Package shorthand reads what people write on a training job for Takt: a label and a few annotations, which become its
// ElasticJob.
//
// What comes in is what is written on a job; what goes out are the fields of its ElasticJob, what cannot be used with
// what to write instead, and whose word each field of the ElasticJob is. It asks nobody and writes nothing.
package shorthand
