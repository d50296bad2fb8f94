// Package zoo is a cluster without one, for closed loops that take seconds: a clock of its own, an API server
// in memory, what training-operator, a scheduler and kubelets do in a few lines, and trainings with the
// habits of real ones. In comes what whoever looks after the jobs writes; out go the objects, the logs of
// the workers, and what each training has done and lost.
package zoo
