package elastic

// trainee is a job in a plan: as the snapshot has it, which no plan changes; what it is planned for, and the sizes that
// it may have; and what the plan makes of it so far.
type trainee struct {
	Job
	queue    int       // its tenant in the pool
	gpus     GPUs      // of one worker
	mayBeOn  *Site     // nil: any node
	appetite *appetite // nil: its workers take nothing that bounds them beside GPUs
	chain
	goal
	sizes
	draft
}

// goal is what a job is planned for: what the snapshot says, unless the plan makes something else of that.
type goal struct {
	aim            *Seconds // when it has to end: at its deadline, or so that others are in time; nil: at no time
	mustBePromised bool     // it starts with a promise alone
	todo           Work     // what it has to do until then
	lastPlan       []Span   // the reservation that it has from the last plan
}

// goalOf is what the snapshot says.
func goalOf(job Job) goal { return goal{job.Deadline, job.OnlyPromised, job.Left, job.Reserved} }

// newTrainee looks at a job that runs on nodes with room for at most so many of its workers.
func newTrainee(job Job, g goal, most Workers) *trainee {
	j := &trainee{Job: job, goal: g, gpus: max(job.GPUsPerWorker, 1)}
	j.Uninterruptible = j.Uninterruptible || j.Workers == 0 && j.Lent || j.Workers > 0 && j.Guarded
	j.fit = j.Sizes
	for len(j.fit) > 0 && j.fit[len(j.fit)-1].Workers > most {
		j.fit = j.fit[:len(j.fit)-1]
	}
	j.limitToOneSize()
	j.findLikely()
	j.countOnSure()
	return j
}

// finishUp has a job that runs, and has told that all is done, train on for a moment as it is: it may still evaluate,
// or save what it has trained. However it was to go on before, a change has nothing to gain now, and all to lose.
func (j *trainee) finishUp() {
	if j.runs() && j.known() && j.todo <= 0 {
		j.allDone = true
		j.todo, j.lastPlan = Work(float64(j.estimate(j.Workers).Speed)*float64(glance)), nil
	}
}

// asItIs is the size of a job that runs and of which nothing is known: a change could cost it all that it has
// done, and nobody could say what it would gain. Where it may no longer have so many workers, it is the most that it
// may have instead. It is 0 for any other.
func (j *trainee) asItIs() Workers {
	if j.measured {
		return 0
	}
	most := Workers(0)
	for _, s := range j.fit {
		if s.Workers <= j.Workers {
			most = s.Workers
		}
	}
	return most
}

// outgrew says that a job has more workers than it may have any longer.
func (j *trainee) outgrew() bool {
	return len(j.Sizes) > 0 && j.Workers > j.Sizes[len(j.Sizes)-1].Workers
}

// runs says that the job has workers.
func (j *trainee) runs() bool { return j.Workers > 0 }

// mayBeInTime says that a job has a deadline which it may meet, as far as anybody can tell.
func (j *trainee) mayBeInTime() bool { return j.aim != nil && j.known() && !j.doomed }

// known says whether anything is known of the job's speed and of its work.
func (j *trainee) known() bool { return j.measured && !j.UnknownWork }

// endOfPlan is when a job that is planned has ended.
func (j *trainee) endOfPlan() Seconds { return j.spans[len(j.spans)-1].To }

func (j *trainee) due() Seconds {
	if j.Promised {
		return *j.aim
	}
	return *j.aim - rounding
}

// rounding is what sums of spans may be off: new reservations end by so much earlier.
const rounding = Seconds(1e-3)

func (j *trainee) need(w Workers) GPUs { return GPUs(w) * j.gpus }
