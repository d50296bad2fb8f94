package elastic

// Seconds is a moment or a span of time.
type Seconds float64

// GPUs is a number of GPUs.
type GPUs int

// gputime is a number of GPUs times the seconds for which they are had.
type gputime float64

// Workers is a number of workers of one job: its size.
type Workers int

// Work is an amount of training, in whatever unit the speeds of the job count.
type Work float64

// Speed is work done in a second.
type Speed float64

// Snapshot is all that a decision depends on.
type Snapshot struct {
	Now      Seconds  `json:"now"`
	Settings Settings `json:"settings,omitzero"`
	Nodes    []Node   `json:"nodes"`
	Demands  []Demand `json:"demands,omitempty"`
	Queues   []Queue  `json:"queues,omitempty"`
	Sites    []Site   `json:"sites,omitempty"`
	Jobs     []Job    `json:"jobs"`
	Idle     []Idle   `json:"idle,omitempty"`
}

// Settings are what a cluster's owner may choose. Zero means the default.
type Settings struct {
	// PromiseShare is the part of the GPUs that may be promised at a time to jobs that did not ask to
	// be promised before they start. The rest stays open to jobs that come later and need less.
	// Defaults to a third.
	PromiseShare float64 `json:"promiseShare,omitempty"`
	// Payback is how many times over a job must be able to earn back the pause of a resize before
	// it grows into GPUs that are merely free. Defaults to 10.
	Payback float64 `json:"payback,omitempty"`
	// Cooldown is how many pauses a job trains after a resize before it grows into GPUs that are
	// merely free. Defaults to 2.
	Cooldown float64 `json:"cooldown,omitempty"`
	// StartsWithin is how long a start may take, until all workers run. Defaults to twelve minutes.
	StartsWithin Seconds `json:"startsWithin,omitempty"`
	// DrainWithin is how long a job waits for GPUs that others give back. Defaults to two minutes.
	DrainWithin Seconds `json:"drainWithin,omitempty"`
	// PlaceWithin is how long workers may take to find nodes. Defaults to two minutes.
	PlaceWithin Seconds `json:"placeWithin,omitempty"`
}

// Node is a machine with GPUs of one kind.
type Node struct {
	Name string `json:"name,omitempty"`
	// Pool is the kind of its GPUs. A job runs within one pool.
	Pool string `json:"pool,omitempty"`
	// GPUs are those that jobs of Takt may have: all but what others hold. A cordoned node has those
	// that are held by workers which are there already.
	GPUs GPUs `json:"gpus"`
	// Room is what it has, beside GPUs, of what some workers take so much of that it may not do for all of its GPUs: CPU,
	// memory and the like, by name, without what others hold. What it does not name bounds nobody.
	Room map[string]int64 `json:"room,omitempty"`
}

// Demand is a number of GPUs that pods outside of Takt's care wait for.
type Demand struct {
	Pool string `json:"pool,omitempty"`
	GPUs GPUs   `json:"gpus"`
	// Pods are those of them for which it matters on which nodes GPUs are free.
	Pods []Pod `json:"pods,omitempty"`
}

// Queue is a tenant's share of a pool.
type Queue struct {
	Name       string `json:"name"`
	Pool       string `json:"pool,omitempty"`
	Guaranteed GPUs   `json:"guaranteed,omitempty"`
	Limit      *GPUs  `json:"limit,omitempty"`  // absent: all there are
	Weight     int    `json:"weight,omitempty"` // absent: 1
	Priority   int    `json:"priority,omitempty"`
	// NoBorrowing keeps the queue within its guarantee.
	NoBorrowing bool `json:"noBorrowing,omitempty"`
}

// Job is one training job, as it is and as it is known.
type Job struct {
	Name      string  `json:"name"`
	Queue     string  `json:"queue,omitempty"`
	Pool      string  `json:"pool,omitempty"`
	Submitted Seconds `json:"submitted,omitempty"`

	// MaxWait is for how long it may have to wait, where it has no deadline that it may still meet: then its turn comes,
	// and it starts before all that is not promised, as soon as there is room for its smallest size, which it keeps for as
	// long, until TurnUntil. Absent: for ever. WaitsSince is since when it waits, if that is not since it was submitted.
	MaxWait    Seconds `json:"maxWait,omitempty"`
	WaitsSince Seconds `json:"waitsSince,omitempty"`
	TurnUntil  Seconds `json:"turnUntil,omitempty"`
	// Priority puts it before the jobs of its queue that have a lower one, where not all can have what they need. It
	// never puts it before a job of another queue.
	Priority int `json:"priority,omitempty"`

	// After are the jobs that have to succeed before it starts, by their names, as far as they have not yet. One that is
	// not in the snapshot keeps it waiting, and nobody can tell until when. A job that runs goes on, whatever is here.
	After []string `json:"after,omitempty"`

	// Deadline is when it must be finished; absent for a best-effort job.
	Deadline *Seconds `json:"deadline,omitempty"`
	// OnlyPromised keeps the job waiting until its deadline is promised, which is when its plan begins. A job of
	// which nothing is known starts to be measured all the same, and one of which nobody can tell the work is
	// best-effort.
	OnlyPromised bool `json:"onlyPromised,omitempty"`
	// Promised says that it was, and Reserved how it was going to be met.
	Promised bool   `json:"promised,omitempty"`
	Reserved []Span `json:"reserved,omitempty"`

	// Left is the work that is left. UnknownWork says that nobody can tell.
	Left        Work `json:"left,omitempty"`
	UnknownWork bool `json:"unknownWork,omitempty"`
	// Closing is how long the job takes from its last step until it has ended: it may evaluate and save once more, and
	// its processes have to end.
	Closing Closing `json:"closing,omitzero"`
	// Overruns is for how long it has overrun: it has told that all is done, for longer ago than its end takes, and still
	// runs, so that nobody knows when it ends. Absent: it does not.
	Overruns Seconds `json:"overruns,omitempty"`
	// Hindsight is by which factor what was expected of the job has been off before; absent: by none. What people are told
	// of its end allows for as much again. Plans do not: they would give GPUs back with each such doubt.
	Hindsight float64 `json:"hindsight,omitempty"`
	// Sizes are those that the job may have, from the fewest workers to the most. A job of which
	// nothing is known has sizes without speeds.
	Sizes []Size `json:"sizes"`
	// Beyond are sizes above the last of those, for whoever asks what the job would do with them: no plan looks at them.
	// Up to MayHave it may have them, had the nodes room for that.
	Beyond  []Size  `json:"beyond,omitempty"`
	MayHave Workers `json:"mayHave,omitempty"`
	// Elsewhere are the other pools that it may run in. While it waits, and has no promise, it goes where it ends first.
	Elsewhere []Place `json:"elsewhere,omitempty"`
	// Believed says by what its work and its speeds go where the job itself has told neither, such as "what its
	// owner expects", and Doubted that this is too little to promise anything on.
	Believed string `json:"believed,omitempty"`
	Doubted  bool   `json:"doubted,omitempty"`
	// Written is the size that it was written for: while nothing is known of it, it starts with as much of that
	// as is free. Absent: the first of its sizes.
	Written       Workers `json:"written,omitempty"`
	GPUsPerWorker GPUs    `json:"gpusPerWorker,omitempty"` // absent: 1
	// Leaders is how many of its workers take no GPU, at each of its sizes: those with the lowest indices.
	Leaders Workers `json:"leaders,omitempty"`
	// Led is how many these are where it is planned without them. Nobody else sets it.
	Led Workers `json:"-"`
	// Site is where its workers may be; absent: on any node of its pool.
	Site string `json:"site,omitempty"`
	// Takes is what each of its workers takes of the Room of its node, by name.
	Takes map[string]int64 `json:"takes,omitempty"`

	// Uninterruptible says that it is never to be stopped or restarted: once it runs it keeps its size until it ends.
	Uninterruptible bool `json:"uninterruptible,omitempty"`
	// Lent says that it is to be Uninterruptible only since it runs. It is that from the plan on that finds nobody else to
	// be promised or guaranteed what it has; until then it keeps that as far as these leave it to it.
	Lent bool `json:"lent,omitempty"`
	// Guarded says that the API server refuses to change it for now: others have nothing of what it has.
	Guarded bool `json:"guarded,omitempty"`
	// OnItsOwn says that its workers are there already, though Takt has not started it, and that none has had a node. It
	// is planned like one that is yet to start, and nobody starts it.
	OnItsOwn bool `json:"onItsOwn,omitempty"`
	// Tried says that it was stopped since it began, in case nothing is known of it all the same: then
	// nobody gives back GPUs for it once more.
	Tried bool `json:"tried,omitempty"`

	// Workers is the present size; On names the node of each worker in the order of their index, up to the
	// first of which it is not known. Until BusyUntil the job is busy with its last resize and does not train.
	Workers   Workers  `json:"workers,omitempty"`
	On        []string `json:"on,omitempty"`
	BusyUntil Seconds  `json:"busyUntil,omitempty"`
	// Leave are the indices, in order, of those of its workers whose nodes are about to go, if it can become smaller while
	// it trains.
	Leave []int `json:"leave,omitempty"`
	// Unstarted says that it has not begun to train for want of workers that do not run, though each has a node; absent if
	// it may have, if one has no node, and while its size is being changed.
	Unstarted *Unstarted `json:"unstarted,omitempty"`
	// Stranded is since when none of its workers can come to a node, as those to which they are kept are gone: once it
	// was stopped, it may start on others of its pool. Absent: it is not so.
	Stranded *Seconds `json:"stranded,omitempty"`
	// Trained is for how long it has trained, at whatever size. One of which nothing is known by the end of the time
	// that it takes to measure it goes on as it is for good, as far as anybody can tell.
	Trained Seconds `json:"trained,omitempty"`
	// FirstSize says that it has trained at no other size than the one that it has.
	FirstSize bool `json:"firstSize,omitempty"`
	// AdvancedAt is when it was last seen to advance; absent: all the time up to now.
	AdvancedAt Seconds `json:"advancedAt,omitempty"`
	// Changes is the change of its size to Workers that is under way; absent if none is, or if it starts by that.
	Changes *Change `json:"changes,omitempty"`
	// Ungrown is why it is given no more workers for now; absent if nothing keeps it, and while its size is being changed.
	Ungrown *Ungrown `json:"ungrown,omitempty"`
	// Awaits is what was decided for it, and waits for GPUs that others are giving back; absent if nothing does.
	Awaits *Awaited `json:"awaits,omitempty"`

	// Pause is how long a change of size stops the training, at the pessimistic end of the estimate,
	// and Rework how much training time it loses at worst: none, if the job saves its state when it
	// is asked to.
	Pause  Seconds `json:"pause,omitempty"`
	Rework Seconds `json:"rework,omitempty"`
	// SavedAt is when it last saved its state, and SavesAt when it is going to, if that is known.
	SavedAt Seconds `json:"savedAt,omitempty"`
	SavesAt Seconds `json:"savesAt,omitempty"`
	// Unsaved says that none of its work was ever seen to be saved, nor to survive a restart: a change of size
	// loses all that it has Done, whatever its Rework. It has trained since SavedAt.
	Unsaved bool `json:"unsaved,omitempty"`
	Done    Work `json:"done,omitempty"`
}

// Closing is how long something takes, at both ends of the estimate and in its middle.
type Closing struct {
	Shortest Seconds `json:"early,omitempty"`
	Usual    Seconds `json:"expected,omitempty"`
	Longest  Seconds `json:"late,omitempty"`
}

// Size is one number of workers that a job may have, and how fast it then trains.
type Size struct {
	Workers Workers `json:"workers"`
	// Speed is the pessimistic end of the estimate, which promises count on, Expected its middle, and
	// Best its optimistic end. Without Speed nobody knows enough of the size to promise anything;
	// Expected is at least Speed, and Best at least Expected.
	Speed    Speed `json:"speed,omitempty"`
	Expected Speed `json:"expected,omitempty"`
	Best     Speed `json:"best,omitempty"`
	// Untried is how fast it may well be where nobody can tell, since nothing like it was ever measured. Where it
	// is more than Expected it counts for what is left over, after what other jobs of the queue gain for sure.
	Untried Speed `json:"untried,omitempty"`
}

// hoped is how fast it may well be.
func (s Size) hoped() Speed { return max(s.Expected, s.Untried) }

// Span is a size that is kept free for a job for some time.
type Span struct {
	From    Seconds `json:"from"`
	To      Seconds `json:"to"`
	Workers Workers `json:"workers"`
}
