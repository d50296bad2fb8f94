// Package load is a stream of training jobs as people submit them, and how long these wait and take: the same stream
// for whoever is to be compared.
//
// What comes in is how many jobs there are, and how often one comes; what goes out are the jobs, and, of what has
// happened to them in a world, spans of time and the use of GPUs.
package load
