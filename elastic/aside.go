package elastic

// Idle is a job that may be unable to use GPUs, and what is seen of that. It takes part in a plan all the same, as one
// of the jobs of the snapshot, unless it is set aside.
type Idle struct {
	Name string `json:"name"`
	// Blocked is why a job that it starts after will not succeed by itself, such as PredecessorFailed; empty if all may.
	Blocked AsideReason `json:"blocked,omitempty"`
	// RoomSince is since when there has been room for all workers of a job that is to run, none of which has a node, and
	// none lacks GPUs. Absent: there is no room, or it is not so.
	RoomSince *Seconds `json:"roomSince,omitempty"`
	// SaidSince is since when, of that time, somebody says why: that they cannot be placed, or cannot be made. Absent:
	// nobody says anything.
	SaidSince *Seconds `json:"saidSince,omitempty"`
	// Promised says that its deadline is promised, where there is such room.
	Promised bool `json:"promised,omitempty"`
	// LeftRoom says that it was set aside for that, and that none of its workers has had a node since.
	LeftRoom bool `json:"leftRoom,omitempty"`
	// CouldNotRunAt is when it was stopped as workers of it could not run. It has had none since.
	CouldNotRunAt *Seconds `json:"couldNotRunAt,omitempty"`
	// NoNode says that no node could run one of its workers, were it empty, and that none of them has a node.
	NoNode bool `json:"noNode,omitempty"`
	// NoNodes is what came of its last starts, in which its workers found no nodes, of a job that has no workers and no
	// promise, and for which there is no room as it is; absent if it has started since.
	NoNodes *InVain `json:"noNodes,omitempty"`
	// Quota is what the quotas of its namespace leave it, of a job that has no workers; absent if it may have all sizes.
	Quota *Allowance `json:"quota,omitempty"`
}

// InVain is how many starts in a row were in vain, and when the last one was taken back.
type InVain struct {
	Starts int     `json:"starts"`
	At     Seconds `json:"at"`
}

// Allowance is what is left to a job.
type Allowance struct {
	Most  Workers `json:"most"`  // that it may have by that
	Least Workers `json:"least"` // that it can run with
}

// Aside is a job that takes no part in a plan: others have the GPUs of which it can make nothing.
type Aside struct {
	Name   string      `json:"name"`
	Reason AsideReason `json:"reason"`
	// Until is when it takes part again; absent where nobody can tell.
	Until *Seconds `json:"until,omitempty"`
}

// AsideReason is why a job takes no part in a plan.
type AsideReason string

// The reasons for which a job is set aside, beside those for which it is blocked.
const (
	WorkersNotPlaced AsideReason = "WorkersNotPlaced" // they have had room for long, and none has come to a node
	WorkersCannotRun AsideReason = "WorkersCannotRun" // it was stopped for that a while ago
	NoNodeFits       AsideReason = "NoNodeFits"       // no node can run them
	StartsInVain     AsideReason = "StartsInVain"     // again and again they found no nodes where there was room
	QuotaReached     AsideReason = "QuotaReached"     // a quota leaves it too little to start
)

const (
	// placeWithin is how long workers may take to find nodes by default.
	placeWithin = Seconds(2 * 60)
	// restsFor is how many times as long as a start may take a job is not started again that could not run.
	restsFor = 3
	// mostVainStarts is how often a job is started for which others give back GPUs, though its workers find no nodes; and
	// vainRests is for how long it is then not, unless there is room for it as it is. Somebody may have mended it by then.
	mostVainStarts = 3
	vainRests      = Seconds(6 * 3600)
)

// SetsAside says whether a job takes no part in a plan that is made now. A start of Takt's own that finds no nodes for
// as long is taken back; so it is with a job of which somebody says that it cannot use its room.
func (s Settings) SetsAside(idle Idle, now Seconds) (Aside, bool) {
	if idle.Blocked != "" {
		return Aside{Name: idle.Name, Reason: idle.Blocked}, true
	}
	if at, foreseen := s.leavesRoomAt(idle); idle.LeftRoom || foreseen && now >= at {
		return Aside{Name: idle.Name, Reason: WorkersNotPlaced}, true
	}
	if idle.CouldNotRunAt != nil {
		if until := *idle.CouldNotRunAt + restsFor*s.startsWithin(); now < until {
			return Aside{Name: idle.Name, Reason: WorkersCannotRun, Until: &until}, true
		}
	}
	if idle.NoNode {
		return Aside{Name: idle.Name, Reason: NoNodeFits}, true
	}
	if idle.NoNodes != nil && idle.NoNodes.Starts >= mostVainStarts {
		if until := idle.NoNodes.At + vainRests; now < until {
			return Aside{Name: idle.Name, Reason: StartsInVain, Until: &until}, true
		}
	}
	if idle.Quota != nil && idle.Quota.Most < idle.Quota.Least {
		return Aside{Name: idle.Name, Reason: QuotaReached}, true
	}
	return Aside{}, false
}

// leavesRoomAt is when a job has had room for so long that others have it; false if that is not foreseen. As long as
// nobody says anything, whoever makes or places its workers may just be slow: that is waited for as long as a start may
// take, and no promise is given up for it.
func (s Settings) leavesRoomAt(idle Idle) (at Seconds, foreseen bool) {
	switch {
	case idle.RoomSince == nil:
		return 0, false
	case idle.SaidSince == nil:
		return *idle.RoomSince + s.startsWithin(), !idle.Promised
	}
	at = *idle.SaidSince + s.placeWithin()
	if !idle.Promised { // and however often what is said begins anew
		at = min(at, *idle.RoomSince+s.startsWithin())
	}
	return at, true
}

// judgesAnew is when a job may be set aside, or take part again, though nothing else happens; false if never.
func (s Settings) judgesAnew(idle Idle, now Seconds) (at Seconds, later bool) {
	switch a, aside := s.SetsAside(idle, now); {
	case aside && a.Until != nil:
		return *a.Until, true
	case !aside:
		return s.leavesRoomAt(idle)
	}
	return 0, false
}

// setAside tells with a decision which jobs take no part in it, and plans again when that changes.
func (s Snapshot) setAside(d Decision) Decision {
	for _, idle := range s.Idle {
		if a, aside := s.Settings.SetsAside(idle, s.Now); aside {
			d.Aside = append(d.Aside, a)
		}
		if at, later := s.Settings.judgesAnew(idle, s.Now); later {
			d.wakeBy(at)
		}
	}
	return d
}
