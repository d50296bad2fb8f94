// Package submit writes on a training job what Takt is to do with it.
//
// What comes in are a manifest and what somebody wishes; what goes out is the job with that written on it, suspended
// until Takt has found its size, or a sentence that says what cannot be. It knows of no cluster.
package submit
