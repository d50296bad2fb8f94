package elastic

// Decision is what to do.
type Decision struct {
	// Jobs are decided about in the order of the snapshot.
	Jobs []Outcome `json:"jobs"`
	// Aside are the jobs that take no part.
	Aside []Aside `json:"aside,omitempty"`
	// Resizes are the changes of size to make, in this order: first what is given back.
	Resizes []Resize `json:"resizes,omitempty"`
	// Wake is when to plan again, if nothing happens before; absent if there is no such moment.
	Wake *Seconds `json:"wake,omitempty"`
	// Astray says that not all promises would find their nodes, as it is decided.
	Astray bool `json:"astray,omitempty"`
}

// Outcome is what is decided about one job, and what to tell its owner.
type Outcome struct {
	Name    string  `json:"name"`
	Workers Workers `json:"workers"`
	// Pool is where it has them, or is to have them.
	Pool string `json:"pool,omitempty"`

	Verdict Verdict `json:"verdict"`
	Message string  `json:"message"` // the verdict in a sentence
	Reason  Reason  `json:"reason"`
	Why     string  `json:"why"` // why it has this size, in a sentence

	// Believed says by what the verdict goes where the job itself has told nothing; empty if it has.
	Believed string `json:"believed,omitempty"`

	// Promised says that the deadline is promised from now on, and Reserved how it will be met. Both
	// are to be given back with the next snapshot.
	Promised bool   `json:"promised,omitempty"`
	Reserved []Span `json:"reserved,omitempty"`

	// Keeps says that it keeps for good what was lent to it: it is not to be interrupted from now on, and to be given to
	// the next snapshot as Uninterruptible.
	Keeps bool `json:"keeps,omitempty"`

	// InVain says that it is stopped as workers of it cannot run.
	InVain bool `json:"inVain,omitempty"`

	// Starts is when a job that waits is to start: as it is planned; or once there is room for it, if those that run
	// end when they are expected to, and nobody comes before it. It is absent as long as nobody can tell.
	Starts *Seconds `json:"starts,omitempty"`

	// ExpectedEnd is when the job will be finished: as it is planned, or with the size that it has where that
	// is sooner. EarlyEnd is the same at the optimistic end of the estimate, and LateEnd at the pessimistic end,
	// which the verdict goes by. Each is absent as long as nobody can tell.
	EarlyEnd    *Seconds `json:"early,omitempty"`
	ExpectedEnd *Seconds `json:"expected,omitempty"`
	LateEnd     *Seconds `json:"late,omitempty"`

	// Earliest and Latest are the same as people are told them: nine runs of ten end between the two, while one in ten
	// ends before EarlyEnd, and one after LateEnd.
	Earliest *Seconds `json:"earliest,omitempty"`
	Latest   *Seconds `json:"latest,omitempty"`

	// ByHindsight says that only hindsight makes the job be at risk: for plans it is OnTrack (byPlan).
	ByHindsight bool `json:"byHindsight,omitempty"`

	// Hopes is, of a job that is at risk, when there will be less hope if it has not trained any further until then.
	Hopes *Seconds `json:"-"`
}

// Resize is one change of size.
type Resize struct {
	Job    string      `json:"job"`
	From   Workers     `json:"from"`
	To     Workers     `json:"to"`
	Reason ResizeCause `json:"reason"`
}

// Verdict is how a job stands with its deadline.
type Verdict string

// The verdicts of jobs that are not finished.
const (
	Estimating Verdict = "Estimating" // nothing is known of its speed yet
	OnTrack    Verdict = "OnTrack"    // in time even at the pessimistic end of the estimate
	AtRisk     Verdict = "AtRisk"     // in time only if GPUs become free
	Infeasible Verdict = "Infeasible" // no size that it may have would do
	BestEffort Verdict = "BestEffort" // no deadline
)

// Reason is why a job has the size that it has.
type Reason string

// The reasons of a size. The last four are why a job does not grow though GPUs are free.
const (
	ForDeadline    Reason = "ForDeadline"    // it is what the deadline takes
	FreeGPUs       Reason = "FreeGPUs"       // more than it needs, since nobody needs them more
	Guaranteed     Reason = "Guaranteed"     // its queue is guaranteed that
	KeptSize       Reason = "KeptSize"       // a change would bring nothing
	SmallestSize   Reason = "SmallestSize"   // others need the rest more
	ToBeMeasured   Reason = "ToBeMeasured"   // to find out how fast it trains
	WaitedLong     Reason = "WaitedLong"     // it has waited for as long as it may have to
	StartsLater    Reason = "StartsLater"    // it is in time all the same
	Rests          Reason = "Rests"          // starting it has failed, or was taken back more than once
	AfterOthers    Reason = "AfterOthers"    // others have to succeed before it starts
	NoRoom         Reason = "NoRoom"         // all GPUs are needed more by others
	QueueFull      Reason = "QueueFull"      // its queue has all that it may have
	Fragmented     Reason = "Fragmented"     // GPUs are free, but not enough on one node
	NotPromised    Reason = "NotPromised"    // it may start only with a promise
	NoSizes        Reason = "NoSizes"        // no size that it may have fits on the nodes
	NodesLeave     Reason = "NodesLeave"     // its other workers are on nodes that are about to go
	NodesGone      Reason = "NodesGone"      // the nodes to which its workers are kept are gone
	NotWorthIt     Reason = "NotWorthIt"     // the pause would cost more than is gained
	Cooldown       Reason = "Cooldown"       // it has just been resized
	Brief          Reason = "Brief"          // GPUs are free, but not for long
	CheckpointSoon Reason = "CheckpointSoon" // it loses less right after its next checkpoint
)

// ResizeCause is why a size is changed, as the record of the change says it.
type ResizeCause string

// The causes of resizes.
const (
	Started       ResizeCause = "Started"
	Stopped       ResizeCause = "Stopped"
	DeadlineRisk  ResizeCause = "DeadlineRisk"
	SpareCapacity ResizeCause = "SpareCapacity"
	GaveBack      ResizeCause = "GivenBack"
	RangeChanged  ResizeCause = "RangeChanged"
	NodeLeaves    ResizeCause = "NodeLeaves"
)
