// Package installed finds out which kinds of objects a cluster has: those of Takt, without which there is nothing to
// do, and those of training jobs, each of which is looked after once it is there.
//
// What comes in is what the API server serves; what goes out are the kinds that it serves, and a call once another
// comes.
package installed
