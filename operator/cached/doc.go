// Package cached is what the operator keeps of a cluster in its memory: which fields of which objects, and by what they
// are found.
//
// What comes in is what the API server tells; what goes out are objects that are shared, and never changed.
package cached
