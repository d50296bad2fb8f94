package elastic

import (
	"cmp"
	"slices"
)

// chain is where a job stands among those that start one after the other.
type chain struct {
	before, behind []*trainee // those that it waits for, and those that wait for it
	unseen         string     // one that it waits for and that is not in the snapshot
	circle         []*trainee // those that wait for each other, and so keep it waiting for ever
	place          int        // where it is among these, from 1; 0 if it is not

	depth   int        // how many there are before it, one after the other
	soonest [2]Seconds // when it ends at the soonest, by each of chainPaces; forever where nobody can tell
}

// chained is what a plan makes of that.
type chained struct {
	released    Seconds     // when those before it will have ended, as they are planned; forever where nobody can tell
	serves      *trainee    // the job that needs it by its deadline, where it has none of its own
	mayEndUntil Seconds     // until when it may end as it was planned before, though that is later
	plannable   bool        // something is known of it, so that it can be planned to begin after those before it
	finishes    [3]*Seconds // when it is expected to end by each of forecastPaces, where it is not planned
}

// chainPaces are those by which a chain of jobs is in time: by what is sure, or else by what is expected.
var chainPaces = [2]pace{slowest, middle}

// forecastPaces are the ends of the estimate and its middle.
var forecastPaces = [3]pace{quickest, middle, slowest}

// waits says that a job may not start before others have succeeded.
func (j *Job) waits() bool { return len(j.After) > 0 && j.Workers == 0 }

// serving says that a job is planned for a deadline that is not its own, as it has none.
func (j *trainee) serving() bool { return j.serves != nil }

// inVain says that a job waits for what never comes by itself.
func (j *trainee) inVain() bool { return j.unseen != "" || j.circle != nil }

// link finds who waits for whom, and gives jobs the deadlines that those behind them need to be in time. Those that
// wait are kept in the order in which they can start. Nothing changes where nobody waits.
func (c *cluster) link(now Seconds) {
	if !slices.ContainsFunc(c.jobs, func(j *trainee) bool { return j.waits() }) {
		return
	}
	named := make(map[string]*trainee, len(c.jobs))
	for _, j := range c.jobs {
		named[j.Name] = j
	}
	for _, j := range c.jobs {
		if !j.waits() {
			continue
		}
		j.released = forever
		for _, name := range slices.Compact(slices.Sorted(slices.Values(j.After))) {
			other := named[name]
			if other == nil {
				j.unseen = cmp.Or(j.unseen, name)
				continue
			}
			j.before = append(j.before, other)
			other.behind = append(other.behind, j)
		}
	}
	chained := c.inTurn()
	for _, j := range chained {
		slices.SortFunc(j.behind, byName)
		j.endsSoonest(now)
	}
	for _, j := range slices.Backward(chained) {
		for _, s := range j.behind {
			j.serve(s, now)
		}
	}
}

// inTurn are all jobs that wait or are waited for, each after those that it waits for; those that wait for each other
// are not among them, and know it. c.later has those that wait.
func (c *cluster) inTurn() (chained []*trainee) {
	missing := map[*trainee]int{}
	for _, j := range c.jobs {
		if missing[j] = len(j.before); missing[j] == 0 && (j.waits() || len(j.behind) > 0) {
			chained = append(chained, j)
		}
	}
	for i := 0; i < len(chained); i++ {
		for _, s := range chained[i].behind {
			s.depth = max(s.depth, chained[i].depth+1)
			if missing[s]--; missing[s] == 0 {
				chained = append(chained, s)
			}
		}
	}
	for _, j := range chained {
		if j.waits() {
			c.later = append(c.later, j)
		}
	}
	c.findCircles(missing)
	byDepth.sort(c.later)
	return chained
}

// findCircles goes back from each job that is kept waiting by a circle until it meets one that it was at before.
func (c *cluster) findCircles(missing map[*trainee]int) {
	kept := func(j *trainee) bool { return missing[j] > 0 }
	walks := map[*trainee]int{}
	for i, j := range c.jobs {
		if !kept(j) {
			continue
		}
		var walk []*trainee
		for walks[j] == 0 {
			walks[j] = i + 1
			walk = append(walk, j)
			j = j.before[slices.IndexFunc(j.before, kept)]
		}
		circle := j.circle
		if at := slices.Index(walk, j); at >= 0 {
			circle = fromFirst(walk[at:])
			for place, j := range circle {
				j.place = place + 1
			}
		}
		for _, j := range walk {
			j.circle, j.depth = circle, 0
		}
		c.later = append(c.later, walk...)
	}
}

// fromFirst turns a circle so that it begins with the first of its names, whoever it was found from.
func fromFirst(circle []*trainee) []*trainee {
	first := 0
	for i, j := range circle {
		if j.Name < circle[first].Name {
			first = i
		}
	}
	return slices.Concat(circle[first:], circle[:first])
}

// endsSoonest finds when a job can end at the soonest, if it and all before it had what makes them fastest.
func (j *trainee) endsSoonest(now Seconds) {
	for i, is := range chainPaces {
		begins := max(now, j.BusyUntil)
		if j.inVain() {
			begins = forever
		}
		for _, other := range j.before {
			begins = max(begins, other.soonest[i])
		}
		j.soonest[i] = forever
		if takes := j.takesLeast(is); begins < forever && takes < forever {
			j.soonest[i] = begins + takes
		}
	}
}

// takesLeast is how long a job takes at its fastest size; forever where nobody can tell.
func (j *trainee) takesLeast(is pace) Seconds {
	least := forever
	if j.UnknownWork {
		return least
	}
	if j.runs() {
		least = is.lasts(j, j.Workers, j.todo)
	}
	for _, s := range j.fit {
		least = min(least, j.Pause+is.lasts(j, s.Workers, j.todo+j.loses(j.Workers, j.todo)))
	}
	return least
}

// mayServe says that a job can be planned so that others are in time. One that has a deadline of its own is held to
// that alone: what it was promised, and what was told of it, must not depend on who waits for it.
func (j *trainee) mayServe() bool {
	return j.Deadline == nil && !j.UnknownWork && !j.fixed() && j.circle == nil
}

// serve has a job end in time for one that waits for it, if that is sooner than it has to anyway. What time there is
// to spare is for all of the chain, for each in proportion to the time that it takes at the least: who is given all of
// it at once would leave those behind with their fastest sizes only.
func (j *trainee) serve(s *trainee, now Seconds) {
	if s.aim == nil || s.UnknownWork || s.inVain() || !j.mayServe() || *s.aim <= now {
		return
	}
	due := now + (*s.aim-now)*Seconds(s.depth)/Seconds(s.depth+1) // an equal part for each, if nothing is known
	last := *s.aim
	for i, is := range chainPaces {
		takes := s.takesLeast(is)
		if takes == forever {
			continue
		}
		latest := *s.aim - takes
		last = latest
		ends := j.soonest[i]
		if ends == forever {
			due = min(due, latest)
			if latest > now {
				break
			}
			continue
		}
		if latest < ends {
			due = now // not so, or not at all
			continue
		}
		due = ends + (latest-ends)*(ends-now)/max(ends-now+takes, rounding)
		break
	}
	if due <= now || j.aim != nil && *j.aim <= due {
		return
	}
	j.aim, j.serves, j.mayEndUntil = &due, s, (due+max(due, last))/2
	if s.serving() {
		j.serves = s.serves
	}
	j.mustBePromised = false // that is about deadlines of its own
}

// serveNobody has a job that serves another go on without a deadline; false if it has none already.
func (j *trainee) serveNobody() bool {
	if !j.serving() {
		return false
	}
	j.aim, j.serves = nil, nil
	return true
}
