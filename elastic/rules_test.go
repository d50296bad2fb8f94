package elastic

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// broken lists what is wrong with a decision, whatever the snapshot: the rules that hold always.
func broken(s Snapshot, d Decision) []string {
	s.Jobs = slices.Clone(s.Jobs)
	for i, o := range d.Jobs {
		s.Jobs[i] = s.Jobs[i].In(o.Pool)
	}
	var complaints []string
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	type share struct{ pool, queue string }
	total, free, used, single := map[string]GPUs{}, map[string]GPUs{}, map[share]GPUs{}, map[string]bool{}
	for _, n := range s.Nodes {
		total[n.Pool] += n.GPUs
		free[n.Pool] += n.GPUs
		single[n.Pool] = true
	}
	fixed := map[string]GPUs{}
	for _, j := range s.Jobs {
		if j.Uninterruptible {
			fixed[j.Pool] += j.GPUs(j.Workers)
		}
	}
	forPods := map[string]GPUs{} // those that need several on one node may get none
	for _, demand := range s.Demands {
		for _, pod := range demand.Pods {
			forPods[demand.Pool] += pod.GPUs
		}
	}
	for _, demand := range s.withoutPods().Demands {
		free[demand.Pool] = max(0, fixed[demand.Pool], free[demand.Pool]-demand.GPUs)
	}
	for i, o := range d.Jobs {
		j := s.Jobs[i]
		free[j.Pool] -= j.GPUs(o.Workers)
		used[share{j.Pool, j.Queue}] += j.GPUs(o.Workers)
		single[j.Pool] = single[j.Pool] && max(j.GPUsPerWorker, 1) == 1 && j.Leaders == 0 && j.Site == "" && len(j.Takes) == 0
		for _, complaint := range wrong(s, j, o) {
			complain("%s: %s", j.Name, complaint)
		}
	}
	for pool, gpus := range free {
		if gpus < 0 {
			complain("%d GPUs more are given out than there are in pool %q", -gpus, pool)
		}
	}
	room := map[share]GPUs{}
	for _, q := range s.Queues {
		limit := GPUs(math.MaxInt)
		if q.Limit != nil {
			limit = *q.Limit
		}
		if q.NoBorrowing {
			limit = min(limit, q.Guaranteed)
		}
		at := share{q.Pool, q.Name}
		if room[at] = limit - used[at]; room[at] < 0 {
			complain("queue %s has %d GPUs more than it may have", q.Name, -room[at])
		}
		if q.NoBorrowing {
			delete(room, at) // its guarantee may be worth less than it says
			room[at] = -1
		}
	}
	for i, o := range d.Jobs {
		j := s.Jobs[i]
		if o.Workers > 0 || !single[j.Pool] || o.Reserved != nil || o.Reason == NotPromised || o.Reason == NoSizes ||
			o.Reason == Brief || o.Reason == AfterOthers || o.Reason == NodesGone {
			continue
		}
		sizes := newTrainee(j, goalOf(j), Workers(total[j.Pool])).counted
		queue, known := room[share{j.Pool, j.Queue}]
		if least := GPUs(sizes[0].Workers); least <= free[j.Pool]-forPods[j.Pool] && (!known || least <= queue) {
			complain("%s waits (%s), and %d GPUs idle", j.Name, o.Reason, free[j.Pool])
		}
	}
	return slices.Concat(complaints, crowded(s, d), hasty(s, d))
}

// hasty lists the jobs that do not wait for those that have to succeed before.
func hasty(s Snapshot, d Decision) []string {
	var complaints []string
	ends := map[string]Seconds{}
	for _, o := range d.Jobs {
		if o.Reserved != nil {
			ends[o.Name] = o.Reserved[len(o.Reserved)-1].To
		}
	}
	for i, o := range d.Jobs {
		if !s.Jobs[i].waits() {
			continue
		}
		if o.Workers > 0 || o.Promised && !s.Jobs[i].Promised || o.Reason != AfterOthers {
			complaints = append(complaints, fmt.Sprintf("%s waits for others, and has %d workers (%s)", o.Name, o.Workers,
				o.Reason))
		}
		for _, before := range s.Jobs[i].After {
			if end, planned := ends[before]; planned && o.Reserved != nil && o.Reserved[0].From < end {
				complaints = append(complaints, fmt.Sprintf("%s is planned to begin at %v, and %s before it to end at %v", o.Name,
					o.Reserved[0].From, before, end))
			}
		}
	}
	return complaints
}

// wrong lists what is wrong with what is decided about one job.
func wrong(s Snapshot, j Job, o Outcome) []string {
	var complaints []string
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	if _, err := json.Marshal(o); err != nil {
		complain("%v", err)
	}
	if j.Uninterruptible && j.Workers > 0 && o.Workers != j.Workers {
		complain("it is not to be interrupted, and has %d workers instead of %d", o.Workers, j.Workers)
	}
	if o.Keeps && o.Workers != j.Workers {
		complain("it keeps %d workers, and is given %d", j.Workers, o.Workers)
	}
	if o.Workers != 0 && !slices.ContainsFunc(j.Sizes, func(s Size) bool { return s.Workers == o.Workers }) {
		complain("it is given %d workers, a size that it may not have", o.Workers)
	}
	if o.Starts != nil && (o.Workers > 0 || *o.Starts < s.Now) {
		complain("it has %d workers, and is to start at %v", o.Workers, *o.Starts)
	}
	if o.Message == "" || o.Why == "" {
		complain("%s and %s are not explained", o.Verdict, o.Reason)
	}
	complaints = append(complaints, contradicted(j, o)...)
	if j.Promised && !o.Promised {
		complain("the promise is taken back: %s", o.Message)
	}
	if o.Promised && !j.Promised && j.Doubted {
		complain("it is promised something on a guess")
	}
	if o.Promised && !j.Promised && o.Verdict != OnTrack {
		complain("it is promised something new, and %s", o.Verdict)
	}
	if j.OnlyPromised && j.Deadline != nil && !j.UnknownWork && !j.Doubted && !o.Promised && j.Workers == 0 &&
		o.Workers > 0 && o.Reason != ToBeMeasured {
		complain("it starts without a promise")
	}
	if o.Verdict == OnTrack {
		if left := rest(j, o.Reserved, s.Now); left > j.Left*1e-9+Work(fastest(j))*Work(rounding) {
			complain("%g of its work %g is not done after %v", left, j.Left, o.Reserved)
		}
		if end := o.Reserved[len(o.Reserved)-1].To; end > *j.Deadline+rounding {
			complain("its deadline is %v, and it is planned to end at %v", *j.Deadline, end)
		}
	}
	if o.Reserved != nil && o.Reserved[0].From <= s.Now && s.Now < o.Reserved[0].To && o.Verdict != AtRisk &&
		o.Reason != NodesLeave && o.Reason != NodesGone && o.Workers < o.Reserved[0].Workers {
		complain("it has %d workers, and a plan for %d", o.Workers, o.Reserved[0].Workers)
	}
	return complaints
}

func fastest(j Job) Speed {
	fastest := Speed(0)
	for _, s := range j.Sizes {
		fastest = max(fastest, s.Speed)
	}
	return fastest
}

// rest is the work that is left after a reservation, by a dumb account of it: every gap and every
// other size costs a pause and what the change loses.
func rest(j Job, spans []Span, now Seconds) Work {
	speed := func(w Workers) Speed {
		for _, s := range j.Sizes {
			if s.Workers == w {
				return s.Speed
			}
		}
		return 0
	}
	left, size, until, ready := j.Left, j.Workers, now, j.BusyUntil
	for _, s := range spans {
		if s.From > until || s.Workers != size {
			if lost := Work(j.Rework) * Work(speed(size)); !j.Unsaved {
				left += lost
			} else if size > 0 {
				left = j.Left + j.Done
			}
			ready = s.From + j.Pause
		}
		size, until = s.Workers, s.To
		left -= Work(max(0, s.To-max(s.From, ready))) * Work(speed(s.Workers))
	}
	return left
}

// crowded lists the moments at which all plans together take more than there is.
func crowded(s Snapshot, d Decision) []string {
	var complaints []string
	taken := map[string]map[Seconds]GPUs{} // what changes, by pool and moment
	for i, o := range d.Jobs {
		j := s.Jobs[i]
		if taken[j.Pool] == nil {
			taken[j.Pool] = map[Seconds]GPUs{}
		}
		for _, span := range o.Reserved {
			if o.Verdict == OnTrack {
				taken[j.Pool][span.From] += j.GPUs(span.Workers)
				taken[j.Pool][span.To] -= j.GPUs(span.Workers)
			}
		}
	}
	for pool, changes := range taken {
		total, sum := GPUs(0), GPUs(0)
		for _, n := range s.Nodes {
			if n.Pool == pool {
				total += n.GPUs
			}
		}
		var moments []Seconds
		for at := range changes {
			moments = append(moments, at)
		}
		slices.Sort(moments)
		for _, at := range moments {
			if sum += changes[at]; sum > total {
				complaints = append(complaints, fmt.Sprintf("at %v, %d of %d GPUs are reserved", at, sum, total))
			}
		}
	}
	return complaints
}
