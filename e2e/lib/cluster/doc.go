// Package cluster gives tests a real control plane: one for all tests of a run, in which every
// test works in a namespace of its own.
//
// Where TAKT_CLUSTER names the folder of a running cluster, that one is used. Else a cluster is
// started for the package, which ends with its tests, however they end: localcluster holds the
// read end of a pipe whose write end dies with the test process.
//
// What comes in are arguments of localcluster up, or the folder of a cluster that runs; what goes out are clients,
// namespaces and kubectl for tests, and what the cluster has used.
package cluster
