// Package manager holds the manifests that run the operator. The program has its default
// configuration from here, so that what it prints is what it is installed with.
//
// What comes in is takt.yaml, when the program is built; what goes out is its text.
package manager
