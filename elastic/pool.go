package elastic

// pool is the plan for GPUs of one kind, which jobs share.
type pool struct {
	// What it is given.
	now       Seconds
	settings  Settings
	eager     bool // for trials, whatever they cost others
	nodes     []Node
	forOthers GPUs // that pods outside of Takt's care wait for
	tenants   []tenant
	jobs      []*trainee
	// overrunning are the jobs that have done all of their work.
	overrunning []*trainee
	later       []*trainee // those that may not start before others have succeeded: they have no part in the present

	// What follows from that.
	total  GPUs // those that jobs may have
	common GPUs // those of them that no queue is guaranteed
	shares []share
	// The same for promises, which count on nothing that a queue is guaranteed, though it does not ask for it now.
	secureShares []share
	secureCommon GPUs
	sites        map[string]*Site
	appetites    *appetites
	fits         map[manner]Workers // how many workers the nodes have room for
	moments      []Seconds          // where the segments of timelines begin, if these are coarse
	empty        *timeline          // on which a job is alone

	// What is reserved from now on.
	timeline *timeline
	secured  load       // what is promised, or held for good: it counts on nothing that another queue is guaranteed
	borrowed int        // how many promises do so all the same
	holders  []*trainee // those with a reservation, in deadline order
	kept     []*trainee // those for which what they have is reserved, planned or not
	onTrial  []*trainee // those that go on as they are, unknown or about to end, unless a promise needs their GPUs
	turns    []*trainee // those whose turn has come, as they have waited for as long as they may have to

	// What jobs get for the present.
	order      []*trainee // by their rank
	free       GPUs       // what is left
	unreserved GPUs       // what those get for whom nothing is reserved
	unplanned  GPUs       // what those that run without a reservation have at their smallest sizes

	// Where they get it.
	layout       *layout            // where workers are, once all are placed
	reduced      bool               // something did not fit on the nodes
	refused      map[manner]Workers // how many workers there is no room for, whatever others give back
	heldAgain    int                // how often what goes on as it is was held anew for the sake of a promise
	rehearsed    int                // what was spent on rehearsals, and
	rehearsedNew int                // on those of new promises
	promisesLost bool               // promises that were made before do not find their nodes, however they are planned
	astray       bool               // not all promises find their nodes, as it is decided now
	foreseen     bool               // when those start that wait for room

	wake Seconds // when to plan again
}

func (p *pool) plan() {
	if scattered(p.jobs) {
		suppose(p.nodes, p.jobs)
	}
	p.divide()
	p.measureTime()
	var promised, newcomers []*trainee
	p.empty = newTimeline(p.common, p.shares, p.moments[:1])
	for _, j := range p.jobs {
		j.finishUp()
		j.resting = p.rests(j)
		j.stake = float64(j.need(j.Workers)) * float64(j.loss(p.now))
		if j.aim == nil || !j.known() || j.fixed() {
			continue
		}
		j.stayIfInTime(p.now)
		p.countOnEnough(j)
		switch {
		case j.aim == nil: // it was only for others
		case j.doomed, j.hopeful() && j.beginsOnlyOnSure():
		case j.Promised:
			promised = append(promised, j)
		default:
			newcomers = append(newcomers, j)
		}
	}
	newcomers = append(newcomers, p.plannedLater()...)
	p.clear()
	p.holdFixed()
	promised, newcomers = p.holdLent(promised, newcomers)
	p.keepPromises(promised)
	p.holdUnread()
	p.holdTrials()
	p.holdTurns()
	p.admit(newcomers)
	p.planTrials()
	p.giveSizes()
	p.place()
	p.astray = scattered(p.jobs) && !p.promisesStand()
	for _, j := range p.jobs {
		for _, s := range j.spans {
			if s.From > p.now {
				p.wake = min(p.wake, p.begins(j, s))
				break
			}
		}
	}
}

// beginsOnlyOnSure says that a job that waits is not planned on hope: that is no promise. One that was promised its
// deadline before keeps its plan all the same, unless it could not be stopped when the hope fails.
func (j *trainee) beginsOnlyOnSure() bool {
	return j.mustBePromised && !j.Doubted && j.Workers == 0 && (!j.Promised || j.Uninterruptible)
}
