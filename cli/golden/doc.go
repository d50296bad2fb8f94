// Package golden compares what tests print with what is written down in testdata, so that every message is there to be
// read as a person would.
//
//	go test ./cli/... -rewrite
//
// writes it anew.
//
// What comes in is the name of a file, and what a test has printed; what goes out is a test that fails where the two
// differ. Beside that it has jobs, resizes and a snapshot for these tests to print.
package golden
