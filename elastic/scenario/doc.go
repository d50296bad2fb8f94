// Package scenario plays the scenarios of a package: files that hold what is done, and what is answered to that.
//
// What comes in is how a package performs a scenario: it returns it with the answers that it gets. What goes out is a
// test for each file in testdata, which fails if these are not those that are written there. With -rewrite they are
// written there.
package scenario
