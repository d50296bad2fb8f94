// Package learn keeps what is known of each run of a job: how far it is, how fast it trains at each
// size, what its restarts cost. It asks nobody: readings are brought to it, and what it knows is
// asked of it.
//
// What comes in are readings, who trains, and what resizes have cost; what goes out is what the planner has to know of
// a job, what people are told of it, and profiles.
//
// A Run lives in memory and learns from every reading. What is worth keeping goes into a
// TrainingProfile, from which the next run of the same code, or an operator that was started anew,
// begins. Each run writes only under its own name, so that several may share a profile.
//
// Work is counted in the unit of the run: that of the source that answered first. All that is told
// in another unit is converted by shares of the whole, or is not used. What makes no sense is never
// turned into a number that looks right: it becomes a Health, and a sentence.
package learn
