// Package policies holds the ways of sharing a cluster that are compared with each other.
//
// What comes in is the state of a simulated cluster at one moment; what goes out are the GPUs that each job has from
// then on, and when the policy wants to be asked again at the latest. Takt's own policy asks package elastic, as the
// operator does.
package policies
