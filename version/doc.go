// Package version tells which version of Takt a program is.
//
// What comes in is what a release has stamped on the program, and what Go noted when it built it; what goes out is one
// word, such as v0.1.0, and where the files of that release are.
package version
