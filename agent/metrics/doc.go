// Package metrics serves what is known of the training in Prometheus' text format.
//
// What comes in is a View of package known, and a listener; what goes out are metrics, to a few connections at a time.
package metrics
