// Package load is a stream of training jobs as people submit them, and how long these wait and take: the same stream
// for whoever is to be compared.
package load
