// Package shares says what each TrainingQueue has of a cluster, and who may use it.
//
// What comes in are queues, nodes and the labels of namespaces; what goes out are the shares that a plan is made with.
// It asks nobody: the operator and takt sim give the same queues the same shares.
package shares
