// Package hearing asks the agents of pods what they have to say, beside whoever wants to know: a pod may take its time
// to answer, or never do.
//
// What comes in is a pod; what goes out is what its agent has said last, at once, and a call when it has said more.
package hearing
