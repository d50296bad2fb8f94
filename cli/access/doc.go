// Package access reaches a cluster: it reads the kubeconfig as kubectl does, reads and writes the few objects that the
// commands are about, and fetches the snapshot from the operator that leads.
//
// What comes in are flags; what goes out are objects of the API, and errors that say what to do. It puts nothing into
// words but its errors, and decides nothing.
package access
