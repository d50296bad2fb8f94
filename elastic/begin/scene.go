package begin

import (
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/yield"
)

// Scene is a snapshot, and what is seen at this moment beside what the decision is made of.
type Scene struct {
	elastic.Snapshot
	// Seen is what is seen of a job, by its name. One that is not among them holds what its workers need.
	Seen map[string]Seen `json:"seen,omitempty"`
	// Coming are GPUs, by pool, that nodes have and nobody can take yet.
	Coming map[string]elastic.GPUs `json:"coming,omitempty"`
	// Quotas are how much each of them leaves. They bound jobs by what a worker takes.
	Quotas map[string]int64 `json:"quotas,omitempty"`
	Waits  Waits            `json:"waits,omitzero"`
	// Others are jobs of which others have settled something. They are no part of the snapshot.
	Others yield.Seen `json:"others,omitzero"`
}

// Waits are how long something is waited for. Zero is not at all.
type Waits struct {
	// Drain is how long a job waits for GPUs that others are giving back, rather than take those that are free.
	Drain elastic.Seconds `json:"drain,omitempty"`
	// Retry is how long a job waits after a change of its size that has failed.
	Retry elastic.Seconds `json:"retry,omitempty"`
	// Payback is how many times as long as it stood still in vain a job trains before it is grown again.
	Payback float64 `json:"payback,omitempty"`
	// Stop is how long a job that is stopped waits for pods that should have been gone.
	Stop elastic.Seconds `json:"stop,omitempty"`
}

// Seen is what is seen of one job.
type Seen struct {
	// Holds is how many of its pods hold GPUs that count as those of its pool.
	Holds elastic.Workers `json:"holds,omitempty"`
	// UnderWay is the change of its size that is being carried out.
	UnderWay *UnderWay `json:"underWay,omitempty"`
	// Past is how changes before that have ended, the oldest first.
	Past []Past `json:"past,omitempty"`
	// Leavers are those of its last pods that were told to go and are still there, of a job that is stopped.
	Leavers []Leaver `json:"leavers,omitempty"`
	// Stuck are its workers from the first on that is on a node which does not answer, in the order of their index. None
	// is where nobody is, and for a job that restarts as a whole.
	Stuck []Worker `json:"stuck,omitempty"`
	// HeldBack is until when its controller makes no new pods, as others have failed.
	HeldBack elastic.Seconds `json:"heldBack,omitempty"`
	// Crowded says that the nodes have no room for it as it is planned to grow unless others that start there are stopped.
	Crowded bool `json:"crowded,omitempty"`
	// Unnamed says that its nodes do not say which GPUs they have, of a job that is bound to some.
	Unnamed bool `json:"unnamed,omitempty"`
	// AwaitsSince is since when it waits for GPUs that others are giving back; absent if it does not.
	AwaitsSince *elastic.Seconds `json:"awaitsSince,omitempty"`
	// Most is the size beyond which a quota does not let it grow; absent if none does.
	Most *elastic.Workers `json:"most,omitempty"`
	// Takes is what a worker takes of each quota that bounds it, in the order in which they are named.
	Takes []Charge `json:"takes,omitempty"`
}

// UnderWay is a change of size that is being carried out.
type UnderWay struct {
	From elastic.Workers `json:"from"`
	To   elastic.Workers `json:"to"`
	// Settled says that it cannot be withdrawn any more: it is withdrawn, on its way back, or the training knows of it.
	Settled bool `json:"settled,omitempty"`
	// Stopped says that the training was stopped for it: it starts again at one of the two sizes.
	Stopped bool `json:"stopped,omitempty"`
}

// Worker is one worker of a job.
type Worker struct {
	Index int  `json:"index"`
	Stuck bool `json:"stuck,omitempty"`
}

// Charge is what a worker takes of a quota.
type Charge struct {
	Quota string `json:"quota"`
	Each  int64  `json:"each"`
}

// Past is how a change of size has ended.
type Past struct {
	At  elastic.Seconds `json:"at"`
	End End             `json:"end"`
	// InVain is how long the job was stopped for it, and had to go back.
	InVain elastic.Seconds `json:"inVain,omitempty"`
}

// End is a way in which a change of size may end.
type End string

// The ways in which a change of size ends.
const (
	Done      End = "Done"      // as it was decided, or with a smaller job, whatever came of that
	Failed    End = "Failed"    // or had to be taken back
	Refused   End = "Refused"   // the job may not be changed, or does not train with fewer workers
	Untried   End = "Untried"   // it came too late
	Withdrawn End = "Withdrawn" // the planner has changed its mind
	// Unanswered is that nobody has made its pods, or looked for nodes for them: that tells nothing of the job.
	Unanswered End = "Unanswered"
)
