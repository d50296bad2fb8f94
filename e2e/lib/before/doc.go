// Package before finds files as they were before they were last changed, for tests of what an upgrade meets.
//
// In: a clone of the repository. Out: the files, in a folder.
package before
