// Package before finds files as they were before they were last changed, for tests of what an upgrade meets.
//
// What comes in is a clone of the repository; what goes out are the files, in a folder.
package before
