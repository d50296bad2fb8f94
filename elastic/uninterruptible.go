package elastic

import "slices"

// limitToOneSize leaves a job that is never to be stopped or restarted the sizes that it may have then: once it runs
// the one that it has, and before, where no deadline says which it needs, the one that it was written for.
func (j *trainee) limitToOneSize() {
	if !j.Uninterruptible {
		return
	}
	if j.Workers > 0 {
		at := slices.IndexFunc(j.Sizes, withWorkers(j.Workers))
		if at < 0 {
			j.fit = []Size{{Workers: j.Workers}}
			return
		}
		j.fit = j.Sizes[at : at+1]
		return
	}
	if known := len(j.fit) > 0 && max(j.fit[0].Speed, j.fit[0].Expected, j.fit[0].Best) > 0; len(j.fit) == 0 || known &&
		j.aim != nil && !j.UnknownWork {
		return
	}
	at := 0
	for i, s := range j.fit {
		if s.Workers <= j.Written {
			at = i
		}
	}
	j.fit = j.fit[at : at+1]
}

// fixed says that a job keeps the size that it has until it ends, whatever others need.
func (j *trainee) fixed() bool { return j.Uninterruptible && j.Workers > 0 }

// ends is when a job that begins to train at some moment is surely done at a size, whatever is hoped for it.
func (j *trainee) ends(begins Seconds, w Workers) Seconds {
	if s, _ := find(j.Sizes, w); s.Speed > 0 && !j.UnknownWork {
		return begins + j.lasts(s, j.todo)
	}
	return forever
}

// holdFixed keeps for jobs that are never to be interrupted what they have, until they end. That costs nobody anything
// more, so their deadlines are promised where they are in time.
func (p *pool) holdFixed() {
	for _, j := range p.jobs {
		if j.fixed() {
			p.keepFixed(j)
		}
	}
}

func (p *pool) keepFixed(j *trainee) {
	p.planFixed(j)
	p.kept = append(p.kept, j)
	p.holdAsItIs(j, 1)
}

// planFixed finds until when a job keeps its size, and whether it is in time with that.
func (p *pool) planFixed(j *trainee) {
	begins := max(p.now, j.BusyUntil)
	j.keptUntil = j.ends(begins, j.Workers)
	if j.aim != nil && j.known() {
		ends := j.keptUntil
		for ends > *j.aim && !j.doomed {
			j.doomed = !j.hope()
			ends = begins + j.lasts(j.size(j.Workers), j.todo)
		}
		if j.planned = !j.doomed; j.planned {
			j.spans = []Span{{p.now, max(ends, min(p.now+glance, *j.aim)), j.Workers}}
		}
	}
	j.keptUntil = max(j.keptUntil, p.now+glance) // it has them, though nothing is left to do
}
