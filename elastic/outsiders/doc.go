// Package outsiders judges whether pods that Takt does not look after use the GPUs that are kept free for them.
//
// What comes in is, at one moment after the other, which pods there are, which of them wait for GPUs, and for which of
// these there is room. What goes out is for which of them no room is kept any more, and until when none is for those of
// a namespace. A process that has just started knows of nobody, and gives each another try.
package outsiders
