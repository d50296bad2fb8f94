// Package starting says whether what keeps a worker from running passes by itself, whether its job has trained without
// it, and of which workers of a job that comes by itself others keep the places.
//
// What comes in is what nodes tell of containers, and what is seen of the job. What goes out is whether to count on the
// worker any longer: others are to have GPUs of which a job can make nothing.
package starting
