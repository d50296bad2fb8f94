// Package progress reads how far a training job is, from wherever it can be read, and how busy its GPUs are.
//
// What comes in is a job with its pods, and what people have said of where to look; what goes out is one reading, or an
// error that says why there is none. Each reading is bounded in time and size, checked, and compared with those before
// it: nothing that cannot be true becomes a number.
package progress
