// Package crd holds the kinds of Takt as they are installed. A program finds out from here whether a cluster has them
// as it needs them.
//
// What comes in are the kinds in bases, when the program is built, and what a cluster says of its own; what goes out is
// what these lack.
package crd
