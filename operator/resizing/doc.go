// Package resizing carries one Resize through: what is seen of its job becomes what the core knows of it, the core says
// the one next step ([resize.Next]), and that step is taken.
//
// What comes in is a request to look at a Resize; what goes out are its record, the size and the pods of its job, and,
// once it has ended, what it has cost. Which steps there are, and when, is decided in the core alone.
package resizing
