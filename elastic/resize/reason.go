package resize

// Reason is the code of a step or an outcome, for machines and for search.
type Reason string

// The way forward.
const (
	SizeAsked         Reason = "SizeAsked"
	PodsExpected      Reason = "PodsExpected"
	PlacementExpected Reason = "PlacementExpected"
	GangPlaced        Reason = "GangPlaced"
	PodsStarting      Reason = "PodsStarting"
	PodsReady         Reason = "PodsReady"
	BarrierOpened     Reason = "BarrierOpened"
	AgentExpected     Reason = "AgentExpected"
	ToldToStepAside   Reason = "ToldToStepAside"
	SteppingAside     Reason = "SteppingAside"
	PodsMarked        Reason = "PodsMarked"
	MarksExpected     Reason = "MarksExpected"
	PodsLeaving       Reason = "PodsLeaving"
	JobStopping       Reason = "JobStopping"
	Verifying         Reason = "Verifying"
)

// The checkpoint before the commit, and what else that waits for.
const (
	PlanExpected              Reason = "PlanExpected"
	CheckpointExpected        Reason = "CheckpointExpected"
	CheckpointAsked           Reason = "CheckpointAsked"
	CheckpointMade            Reason = "CheckpointMade"
	CheckpointNotAcknowledged Reason = "CheckpointNotAcknowledged"
	CheckpointNotCompleted    Reason = "CheckpointNotCompleted"
	CheckpointNotPossible     Reason = "CheckpointNotPossible"
)

// What can go wrong, and what is done about it.
const (
	NothingFits     Reason = "NothingFits"
	TooFewFit       Reason = "TooFewFit"
	PodsMissing     Reason = "PodsMissing"
	NodeLost        Reason = "NodeLost"
	PodFailing      Reason = "PodFailed"
	NotReadyInTime  Reason = "NotReadyInTime"
	NoProgress      Reason = "NoProgress"
	SettledForFewer Reason = "SettledForFewer"
	WorkerRecycled  Reason = "WorkerRecycled"
	JobHalted       Reason = "JobHalted"
	// NobodyAnswered is that not one pod was made, or was given a node, and nobody has said why: who is to do that may be
	// away, which tells nothing of the job.
	NobodyAnswered Reason = "NobodyAnswered"
	// AgentNotInstalled is of a job that goes on without the agent, and of a growth that is turned round for want of it.
	AgentNotInstalled Reason = "AgentNotInstalled"
)

// How it ends.
const (
	ProgressSeen     Reason = "ProgressSeen"
	WorkersRunning   Reason = "WorkersRunning"
	AllStopped       Reason = "AllStopped"
	Superseded       Reason = "Superseded"
	Withdrawn        Reason = "Withdrawn"
	JobAtItsEnd      Reason = "JobAtItsEnd"
	ChangedByHand    Reason = "ChangedByHand"
	SizeNotAsDecided Reason = "SizeNotAsDecided"
	JobIsFinished    Reason = "JobFinished"
	JobHasFailed     Reason = "JobFailed"
	JobIsCutShort    Reason = "JobCutShort"
	JobIsDeleted     Reason = "JobDeleted"
	PodsNotGone      Reason = "PodsNotGone"
	LeftSuspended    Reason = "LeftSuspended"
	Refused          Reason = "WriteRefused"
	AlreadyOver      Reason = "AlreadyOver"
)
