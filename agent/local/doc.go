// Package local is the endpoint at 127.0.0.1 to which a training may tell its progress: in a small form of
// Takt's own, or as it would tell Kubeflow Trainer.
//
// What comes in are requests of the training; what goes out are counts and checkpoints for package known, and to the
// training what it has to have in its environment, and whether a checkpoint is wanted of it.
package local
