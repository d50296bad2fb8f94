// Package operator is the shell around the pure core: it observes a cluster, lets package elastic decide on sizes, and
// acts.
//
// One planner looks at the whole cluster and decides who should have how many workers; a decision to change a size is
// an object, the Resize. From then on everything goes object by object:
//
//	keeping     what is written on a training job (package shorthand) becomes its ElasticJob
//	planning    all ElasticJobs, nodes and pods become Resizes
//	resizing    one Resize is carried through, step by step, as package elastic/resize says
//	reporting   one ElasticJob's status says what is known, decided and expected
//	reading     one ElasticJob's progress is read, and learned from
//	marking     pods whose template cannot be changed any more are told which resize they are of
//	recording   what has happened to a job that has ended is kept
//	expiring    one ElasticJob is deleted when its time is over
//
// Each of them is a room of its own, and package rooms gives it what it works with. This package is the wiring:
// manager, cache, watches and controllers. What comes in are settings and a cluster; what goes out is an operator that
// runs.
//
// A process that has just started knows as much as the one that crashed: what was promised, and what was seen of a run,
// is in the statuses of ElasticJobs, what was begun in Resizes and on the jobs themselves, what a deadline means on the
// job, what was learned in TrainingProfiles. What is kept in memory besides may be lost at any moment.
package operator
