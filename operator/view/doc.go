// Package view is one job as it is seen at one moment: its ElasticJob, the job itself, its pods and Resizes, with what
// is remembered of it; and why Takt leaves it alone, if it does.
//
// What comes in is the name of an ElasticJob, and what the cluster has; what goes out is a Subject, or a Refusal. It
// decides nothing, and writes nothing.
package view
