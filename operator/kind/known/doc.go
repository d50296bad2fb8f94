// Package known has all kinds of jobs that Takt knows: a new kind is one more line here.
//
// In comes nothing; out goes a list of kinds, for those who deal with jobs of every kind.
package known
