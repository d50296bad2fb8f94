// Package queuefile reads and writes TrainingQueues in a file, as kubectl does, and says what each has of a cluster
// and what its jobs are given.
//
// What comes in is text; what goes out are queues, their shares, and sentences on what is wrong with them. It knows of
// no cluster.
package queuefile
