package resize

import "time"

// Action is the kind of a step. All but Wait and Over are writes, and each can
// be repeated without harm.
type Action string

const (
	// Wait means that nothing is to be done until something changes, or Until.
	Wait Action = "Wait"
	// Over means that the resize has ended and nothing is left to do.
	Over Action = "Over"
	// AskJob patches the job, with Ask: replicas, suspend, the epoch label of
	// its template, and Ask itself, all in one patch, and only if the job is
	// still the one that was observed.
	AskJob Action = "AskJob"
	// AskCheckpoint asks the training to save its state soon, by a request in
	// all pods that train and do not have it yet.
	AskCheckpoint Action = "AskCheckpoint"
	// StepAside tells Pods, all of which train, that they are to leave, so that those who stay need not wait for them
	// once they have gone.
	StepAside Action = "StepAside"
	// LetIn opens the barrier for Pods, as near to the same moment as can be.
	LetIn Action = "LetIn"
	// MarkDraining marks Pods, lowest index first, so that their exit does not
	// look like success.
	MarkDraining Action = "MarkDraining"
	// DeletePods deletes Pods, those that were observed and no later ones.
	DeletePods Action = "DeletePods"
	// AddCondition adds Condition to the record and, at the end, Cost.
	AddCondition Action = "AddCondition"
)

// Step is what to do next, and why.
type Step struct {
	Do        Action
	Ask       Ask           // of AskJob
	Pods      []Index       // of StepAside, LetIn, MarkDraining and DeletePods, ascending
	Condition ConditionType // of AddCondition
	Cost      Cost          // of the AddCondition that ends the resize
	Since     time.Time     // of an AddCondition that the job itself tells of: since when it is so; else zero, for now
	AskedAt   time.Time     // of AskCheckpoint and StepAside: the moment of the request, which all pods get the same of
	Until     time.Time     // of Wait: when to look again at the latest
	Reason    Reason
	Message   string // a sentence for people
}

// Cost is what the resize took, as far as it was seen.
type Cost struct {
	// Measured says that the training was seen to stop and to go on. Otherwise it has cost this much at
	// least, and what is zero is not known.
	Measured bool
	Pause    time.Duration // no worker made progress
	Lost     time.Duration // work since the checkpoint, to be done again
}
