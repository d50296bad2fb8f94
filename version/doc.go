// Package version tells which version of Takt a program is.
//
// In: what a release has stamped on the program, and what Go noted when it built it. Out: one word, such as v0.1.0, and
// where the files of that release are.
package version
