// Package machine is the inside of a real node: what is between the system and its kubelet.
//
// A node is one process that has process ids, mounts, a network, a host name and cgroups of its own, as a container
// has. All that runs on the node runs in there, and finds its files where it would on a machine that it has for
// itself. So whatever happens on the node, nothing of it is left on the system once that process is gone: the system
// ends the other processes with it, and takes back mounts, links and rules. Only its cgroups must be removed.
//
// What comes in is a file that describes the node; what goes out is a node that runs until it is told to end.
package machine
