// Package resize carries one change of the size of a training job through to
// its end. It is a function: what comes in is what is observed, what goes out is
// the one next step. It has no clock, no memory and no connections, so that a
// process which has just started knows as much as the one that crashed.
//
//	for {
//		o := observe()
//		step := resize.Next(o)
//		if step.Do == resize.Over { break }
//		carryOut(step)     // or, for Wait, look again at step.Until at the latest
//	}
//
// A live growth takes these steps; each line is one write:
//
//	ask the job for M workers      new pods appear and are held
//	add Proposed                   the scheduler places all of them, or none
//	add Placed                     they start, and wait at the barrier
//	add Ready                      the training has not noticed anything yet
//	ask for a checkpoint           unless one was just made
//	add Committed                  from here on there is no silent way back
//	let the new pods in            one restart of the training
//	add Succeeded                  once it advances at its new size
//
// Three ideas make every crash harmless.
//
// The record leads. What cannot be taken back (letting pods in, sending pods
// away, turning round) is written into the record first and done afterwards.
// A crash in between leaves the record to say what remains to be done.
//
// Every write explains itself. The size that is asked of the job carries the
// epoch and the [Stage] it was asked in, in the same patch. So whoever looks at
// the job later can tell Takt's hand from that of a person, and a job that has
// been stopped in this stage from one that was stopped before. A job that was told
// to stop in order to be resized is committed by that alone, for nothing else is
// asked of it before.
//
// With the agent, pods are marked as draining before they are sent away, and have
// some time to hear of it. A worker that is deleted and exits 0 would make
// its controller believe that the whole job has succeeded; the mark makes the
// agent exit with 143 instead. Without it nobody would heed the mark, and it would
// be one write for each pod.
//
// A worker that leaves a live training steps aside before the checkpoint, where
// one can follow: torchrun of the others forgets that of the leaver, and so
// neither ends nor waits when the leaver goes.
//
// Two things are left to others. The gang of an epoch is the pods that carry its
// label, below the size that the job was last asked for, and none once the record
// says RollingBack: the scheduler goes by that, for a resize may settle for fewer
// than its spec says. And a worker that is replaced while no resize is
// under way finds nobody here to let it in.
//
// What goes wrong is met on a ladder, and every rung has a time limit: settle
// for fewer workers, recycle a worker that hangs, roll back, restart the
// training from its checkpoint, and at last leave the job in a named state.
package resize
