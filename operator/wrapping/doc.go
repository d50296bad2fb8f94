// Package wrapping puts Takt's agent into the template of a job's pods, and takes it out again.
//
// What comes in is a template as somebody has written it, and the image of the agent; what goes out is a template whose
// training the agent starts, or the sentence that says why it cannot be. Of a pod it says whether it waits at the start
// barrier, and what keeps its agent from being installed. It asks nobody, and writes nothing.
package wrapping
