// Package pacing is about how often something is looked at, and in which order.
//
// What comes in are requests to look at an object; what goes out are the same requests at a pace that the process and
// the API server can bear: not too many of one object, and the namespaces in turn. It knows of no job and of no plan.
package pacing
