package resize

import "time"

// Workers counts the workers of a job.
type Workers int

// Index is the number of a worker in its job. Worker 0 is the rendezvous host.
// The job's controller always removes the highest indices.
type Index int

// Epoch counts the resizes of a job. None is used twice for one job, not even
// after Takt has let go of the job and taken it up again.
type Epoch int64

// Mode is how the size is changed.
type Mode string

const (
	// Live means that workers join or leave the running training.
	Live Mode = "Live"
	// Cold means that the job stops and starts again at its new size.
	Cold Mode = "Cold"
)

// Observed is everything that a decision rests on, as seen at one moment.
type Observed struct {
	Now        time.Time
	Record     Record
	Job        Job
	Pods       []Pod // in any order; none that has gone
	Checkpoint Checkpoint
	Progress   Progress
	// Agent says whether Takt's agent wraps the workers. Without it there is no
	// start barrier, and nobody to ask for a checkpoint.
	Agent bool
	// Newest is the epoch of the newest decision on this job. It is greater than
	// that of the record once the decision is out of date.
	Newest Epoch
	// Withdrawn is why the planner has changed its mind, in a sentence; empty if it has not.
	Withdrawn string
	// UnplannedSince is when this process began that has made no plan yet; zero once it has. What was decided before it
	// began may be needed by nobody any more.
	UnplannedSince time.Time
	Limits         Limits
}

// Record is the Resize as it is persisted.
type Record struct {
	Epoch Epoch
	// CreatedAt is when it was made, by the clock that dates pods; zero if nobody knows.
	CreatedAt time.Time
	From, To  Workers // they differ; 0 is a job that is stopped
	// Acceptable is the smallest size to settle for: From < Acceptable <= To. 0
	// means all or nothing.
	Acceptable Workers
	// Sizes are those that the job may settle for; without any it is each from Acceptable to To.
	Sizes      []Workers
	Mode       Mode
	Why        string // the reason of the decision, such as DeadlineRisk
	Conditions []Condition
	Placement  Placement
}

// ConditionType names a condition of the record.
type ConditionType string

// The conditions, each added at most once. A live growth gets the first four
// in this order; a cold resize is Committed before its new pods are Placed.
const (
	Proposed  ConditionType = "Proposed"
	Placed    ConditionType = "Placed"
	Ready     ConditionType = "Ready"
	Committed ConditionType = "Committed"

	// RollingBack is added when the way back is chosen, and says why.
	RollingBack ConditionType = "RollingBack"
	// Restarting is added when the training hangs and is to be stopped and
	// started from its checkpoint.
	Restarting ConditionType = "Restarting"

	// Succeeded, RolledBack and Failed end the resize.
	Succeeded  ConditionType = "Succeeded"
	RolledBack ConditionType = "RolledBack"
	Failed     ConditionType = "Failed"
)

// Condition is one line of the record's history.
type Condition struct {
	Type    ConditionType
	At      time.Time
	Reason  Reason
	Message string
}

// Placement is what the scheduler last found for the new pods. That they are
// placed is seen from the pods themselves.
type Placement struct {
	Fits    Workers   // how many of them could be placed together
	Message string    // why not more fit
	At      time.Time // when it was found; zero before the first answer
}

// Job is the training job as it is declared now.
type Job struct {
	Workers   Workers // declared replicas, kept while the job is suspended
	Suspended bool
	State     JobState
	// Asked is what Takt last wrote, kept on the job in the same patch. Where
	// Workers and Suspended say something else, another hand has changed them.
	Asked Ask
	// Controller is what makes the pods of the job, by its name.
	Controller string
	// HeldBack is until when it makes no new pods, as others have failed; or, once it has made one again, when it did.
	// Zero if it holds none back.
	HeldBack time.Time
	// AtItsEnd says of a job some of whose workers have finished that it keeps its size until it ends; empty otherwise.
	AtItsEnd string
	// Bare says that the pods which are made from now on are without the agent.
	Bare bool
	// Refused is why Controller can make no pod as the job is now, in its words; empty if it does not say. It is looked
	// for where FirstPodOverdue or GrowthOverdue says so.
	Refused string
	// RefusedAnyway says that this has nothing to do with what is in the pods, such as that a quota is used up.
	RefusedAnyway bool
}

// JobState says whether there is still a job to resize.
type JobState string

const (
	// JobGoesOn means that the job is neither finished nor being deleted.
	JobGoesOn JobState = ""
	// JobFinished means that the job has done its work.
	JobFinished JobState = "Finished"
	// JobCutShort means that the job counts as finished, and its work is not done: a worker that was told to leave
	// has ended as if it were.
	JobCutShort JobState = "CutShort"
	// JobFailed means that the job has failed for good.
	JobFailed JobState = "Failed"
	// JobDeleted means that the job is gone or being deleted.
	JobDeleted JobState = "Deleted"
)

// Ask is a size asked of the job. The pods that it brings about carry Epoch as
// a label, by which the scheduler knows their gang.
type Ask struct {
	Epoch     Epoch
	Stage     Stage
	Workers   Workers
	Suspended bool
	At        time.Time
}

// Stage is the direction in which a resize moves.
type Stage string

const (
	// Forward is the way to the size that was decided.
	Forward Stage = "Forward"
	// Back is the way to the size that the job had.
	Back Stage = "Back"
	// Restart is stopping and starting at the size that the job has, because the
	// training hangs.
	Restart Stage = "Restart"
	// Halt is stopping for good: the job cannot be started at either size.
	Halt Stage = "Halt"
)

// Pod is one worker pod.
type Pod struct {
	Index     Index
	State     PodState
	Node      string
	CreatedAt time.Time
	RanAt     time.Time // when what trains in it was started, or started again; zero if it does not run
	BeganAt   time.Time // when what trains in it was started again at last; zero if it never was
	GoneBy    time.Time // when its node kills it at the latest, of one that is being deleted; zero of any other
	LetIn     bool      // the barrier was opened for it
	Draining  bool      // it is marked: its exit shall not look like success
	// MarkedAt is since when it is; zero if nobody knows. Heeds says that its agent has read the mark.
	MarkedAt time.Time
	Heeds    bool
	// UnreadAt is until when its agent had not read the mark, as far as this process knows: it has said so last, or was
	// asked first. Zero if nobody knows.
	UnreadAt time.Time
	// ToldAside is since when it is told to step aside; zero if it is not, or nobody knows. HeedsAside says that its agent
	// has read that, and Aside is when the others had forgotten it, or when it was told where there is nothing to forget;
	// zero as long as neither is said.
	ToldAside  time.Time
	HeedsAside bool
	Aside      time.Time
	// Wrapped says that Takt has put the agent into it, and Hindered that it cannot be installed there.
	Wrapped, Hindered bool
	// Waits is what keeps it from running, in the words of its node; empty if that is nothing.
	Waits string
	// Unplaced says that it has no node as somebody has looked for one, and found none.
	Unplaced bool
	// Prepared says that its node is about to run it, and nothing lasting keeps it from that: its image is pulled, or what
	// runs before its training fetches data.
	Prepared bool
}

// PodState is how far a worker pod has come.
type PodState string

const (
	// PodHeld has no node: the scheduler holds it until its gang fits.
	PodHeld PodState = "Held"
	// PodPending has a node, and pulls its image or starts.
	PodPending PodState = "Pending"
	// PodAtBarrier runs, and waits to be let into the training.
	PodAtBarrier PodState = "AtBarrier"
	// PodTraining takes part in the training.
	PodTraining PodState = "Training"
	// PodFailed has ended with an error.
	PodFailed PodState = "Failed"
	// PodTerminating is being deleted, wherever it is and whatever it did, and
	// keeps its name until it is gone.
	PodTerminating PodState = "Terminating"
	// PodLost is on a node that does not answer.
	PodLost PodState = "Lost"
)

// Checkpoint is what is known of the saved state of the job. A time is zero
// while there is none.
type Checkpoint struct {
	// Heard says that the agent of the first worker has said whether anybody can be asked.
	Heard   bool
	AskedAt time.Time
	// Partly says that not all who train have got the request, Declined that it can be handed to nobody.
	Partly, Declined bool
	// Impossible says that the agents know of nobody who could be asked.
	Impossible     bool
	AcknowledgedAt time.Time
	// Unread says that the agent of the first worker has answered since the request was made, and has not read it.
	// UnreadAt is until when it had not, as far as this process knows: it has said so last, or was asked first. Zero if
	// nobody knows.
	Unread      bool
	UnreadAt    time.Time
	CompletedAt time.Time // the newest that is whole
	ExpectedAt  time.Time // when the job will make one by itself
	// Every is how often it made one lately, maybe at another size; zero as long as nobody knows.
	Every time.Duration
}

// Progress is how the training advances. A time is zero while it is unknown.
type Progress struct {
	// WatchedSince is when this process began to watch the training, at first or after it was held up or nobody answered;
	// whatever was before it has not seen.
	WatchedSince time.Time
	// Heard says that this process knows of the progress what there is to know: it has read it since it began, or was
	// told that there is none to read.
	Heard bool
	// SeenAt is when this process last saw how far the training is, or that nothing tells it. A look that came to
	// nothing, such as one that nobody answered, has not seen it.
	SeenAt time.Time
	// Reported says whether anything reports the progress of this job at all.
	Reported bool
	// Cadence is the usual time from one advance to the next; zero as long as nobody knows.
	Cadence time.Duration
	// Alone is the Cadence with one worker if it goes by what is done, such as an epoch: fewer workers tell as much more
	// rarely. Zero as long as nobody knows.
	Alone time.Duration
	// Silent is the longest that it was silent lately while it trained; zero as long as nobody knows.
	Silent time.Duration
	// Quiet is the longest that it told nothing after its workers had changed, though it may have trained; zero as long as
	// nobody knows.
	Quiet time.Duration
	// Starts is how long its workers have taken before from their start to their first advance, for they load and
	// compile; zero as long as nobody knows.
	Starts time.Duration
	// StoppedAt is the last advance before the workers in training last changed, and BeganAt when those of before had
	// begun. What they resumed from may be older.
	StoppedAt, BeganAt time.Time
	// TrainsSince is since when the workers train that train now.
	TrainsSince time.Time
	// ResumedAt is the first advance of the workers that train now.
	ResumedAt time.Time
	// Advances counts the advances from ResumedAt on; AdvancedAt is the last of them.
	Advances   int
	AdvancedAt time.Time
	// SavedAt is when the checkpoint that they resumed from was completed.
	SavedAt time.Time
	// Redoes is how long the work took that the training is seen to do anew since.
	Redoes time.Duration
}
