// Package starting says whether what keeps a worker from running passes by itself.
//
// What comes in is what its node tells of its containers. What goes out is whether to count on it any longer: others
// are to have GPUs of which a job can make nothing.
package starting
