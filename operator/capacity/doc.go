// Package capacity reads off the nodes and pods of a cluster what Takt may hand out: how many GPUs each node has that
// nobody else holds, who outside of Takt waits for some, and where the workers of a job may run. It also reads what the
// quotas of a namespace leave.
//
// What comes in are nodes, pods and quotas; what goes out is the supply, node by node. It asks nobody: the same objects
// give the same answer.
package capacity
