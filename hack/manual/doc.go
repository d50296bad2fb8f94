// Package manual finds what the documents of this repository tell people to type, and which test plays it.
//
// Markdown files come in. Passages go out: what a reader types in one go, which is a fenced block of commands, or a
// command within a sentence. rules.go says who plays which of them: a test asks for its own, plays them all, and says
// at its end which it has left out. So whoever writes a command into a document adds it to a test, or gives a reason in
// exceptions.go; the test of this package fails otherwise.
package manual
