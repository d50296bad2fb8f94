package whatif

import (
	"fmt"
	"slices"
	"strings"

	"github.com/takt-dev/takt/elastic"
)

// Change is what would be different. Its zero value changes nothing.
type Change struct {
	// Deadline is another one; BestEffort takes the deadline off.
	Deadline   *elastic.Seconds
	BestEffort bool
	// Least and Most bound the sizes of the job; 0 leaves them as they are.
	Least, Most elastic.Workers
	// GPUs is how many there are in all in the pool of the job, and More how many more, or fewer.
	GPUs *elastic.GPUs
	More elastic.GPUs
}

// find says where a job is in a snapshot. An error names those that are there.
func find(s elastic.Snapshot, name string) (int, error) {
	if i := slices.IndexFunc(s.Jobs, func(j elastic.Job) bool { return j.Name == name }); i >= 0 {
		return i, nil
	}
	if len(s.Jobs) == 0 {
		return 0, fmt.Errorf("%s is not planned for, and nor is any other job: see what takt doctor says", name)
	}
	const shown = 5
	var names []string
	for _, j := range s.Jobs[:min(len(s.Jobs), shown)] {
		names = append(names, j.Name)
	}
	if more := len(s.Jobs) - shown; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return 0, fmt.Errorf("%s is not planned for: it has ended, waits for something that takt why tells, or has just "+
		"been seen. Choose one that is: %s",
		name, strings.Join(names, ", "))
}

// apply is the snapshot as it would be; the given one stays as it is.
func (c Change) apply(s elastic.Snapshot, at int) (elastic.Snapshot, error) {
	s.Jobs, s.Nodes = slices.Clone(s.Jobs), slices.Clone(s.Nodes)
	job := &s.Jobs[at]
	had := len(s.Nodes)
	if err := c.equip(&s, job.Pool); err != nil {
		return s, err
	}
	if err := c.resize(job, len(s.Nodes) > had); err != nil {
		return s, err
	}
	c.date(job)
	if err := s.Check(); err != nil {
		return s, fmt.Errorf("that cannot be planned for: %w. Ask for less", err)
	}
	return s, nil
}

// date gives the job another deadline. What was promised covers a later one; an earlier one has to be promised anew.
func (c Change) date(job *elastic.Job) {
	switch {
	case c.BestEffort:
		job.Deadline, job.Promised, job.Reserved = nil, false, nil
	case c.Deadline != nil:
		if job.Deadline == nil || *c.Deadline < *job.Deadline {
			job.Promised, job.Reserved = false, nil
		}
		job.Deadline = c.Deadline
	}
}

// resize bounds the sizes of the job, as far as Takt has predicted them. With more nodes it may have those that it
// lacked room for.
func (c Change) resize(job *elastic.Job, moreRoom bool) error {
	known, most := slices.Concat(job.Sizes, job.Beyond), c.Most
	if job.Beyond = nil; len(known) == 0 {
		return fmt.Errorf("no size of %s was predicted yet: ask again once it has trained for a while", job.Name)
	}
	switch last := known[len(known)-1].Workers; {
	case c.Most > last && job.MayHave >= last:
		return fmt.Errorf("nobody can tell how fast %s would be with more than %s: a ResourceQuota, or its own command, "+
			"lets it have no more. Ask for no more than that", job.Name, elastic.Count(last))
	case c.Most > last:
		return fmt.Errorf("nobody can tell how fast %s would be with more than %s: ask for no more, or let it have as many "+
			"first (annotation takt.dev/workers: %s), and takt why tells what it is planned to have then",
			job.Name, elastic.Count(last), c.sizes())
	}
	if c.Most == 0 {
		if most = job.Sizes[len(job.Sizes)-1].Workers; moreRoom {
			most = max(most, job.MayHave)
		}
	}
	within := func(sizes []elastic.Size) []elastic.Size {
		return slices.DeleteFunc(slices.Clone(sizes), func(s elastic.Size) bool {
			return s.Workers < c.Least || s.Workers > most
		})
	}
	job.Sizes = within(known)
	if len(job.Sizes) == 0 {
		return fmt.Errorf("%s has no such size: ask for one that it may have, %s", job.Name, sizesOf(known))
	}
	if c.Least == 0 && c.Most == 0 {
		return nil
	}
	var places []elastic.Place
	for _, place := range job.Elsewhere {
		if place.Sizes = within(place.Sizes); len(place.Sizes) > 0 {
			places = append(places, place)
		}
	}
	job.Elsewhere = places
	// What was promised and reserved for other sizes does not hold for these.
	if slices.ContainsFunc(job.Reserved, func(span elastic.Span) bool {
		return !slices.ContainsFunc(job.Sizes, func(s elastic.Size) bool { return s.Workers == span.Workers })
	}) {
		job.Promised, job.Reserved = false, nil
	}
	return nil
}

// sizes are the sizes that are asked for, as the annotation has them.
func (c Change) sizes() string {
	if least := max(c.Least, 1); least < c.Most {
		return fmt.Sprintf("%d-%d", least, c.Most)
	}
	return fmt.Sprint(c.Most)
}

// sizesOf names sizes as people do: 1, 2, 4 or 8 workers.
func sizesOf(sizes []elastic.Size) string {
	var all []string
	for _, s := range sizes {
		all = append(all, fmt.Sprint(s.Workers))
	}
	last := len(all) - 1
	if last == 0 {
		return elastic.Count(sizes[0].Workers)
	}
	return strings.Join(all[:last], ", ") + " or " + all[last] + " workers"
}

// equip adds nodes to a pool, or takes GPUs that nobody holds from it.
func (c Change) equip(s *elastic.Snapshot, pool string) error {
	more, all, largest := c.More, elastic.GPUs(0), elastic.GPUs(1)
	for _, n := range s.Nodes {
		if n.Pool == pool {
			all += n.GPUs
			largest = max(largest, n.GPUs)
		}
	}
	if c.GPUs != nil {
		more = *c.GPUs - all
	}
	for i := 0; more > 0; i++ {
		n := elastic.Node{Name: fmt.Sprintf("what-if-%d", i), Pool: pool, GPUs: min(more, largest)}
		s.Nodes = append(s.Nodes, n)
		more -= n.GPUs
	}
	if more == 0 {
		return nil
	}
	free := freeOn(*s)
	idle := elastic.GPUs(0)
	for i, n := range s.Nodes {
		if n.Pool == pool {
			idle += free[i]
		}
	}
	if -more > idle {
		return fmt.Errorf("pool %q has %s, and jobs hold all but %d of them: take away no more than these", pool,
			elastic.CountGPUs(all), idle)
	}
	for i := range s.Nodes {
		if s.Nodes[i].Pool == pool {
			take := min(-more, free[i])
			s.Nodes[i].GPUs -= take
			more += take
		}
	}
	return nil
}

// freeOn is how many GPUs of each node no job holds. Workers of which nobody knows where they are count on the nodes of
// their pool from the first.
func freeOn(s elastic.Snapshot) []elastic.GPUs {
	free := make([]elastic.GPUs, len(s.Nodes))
	index := map[string]int{}
	for i, n := range s.Nodes {
		free[i], index[n.Name] = n.GPUs, i
	}
	for _, j := range s.Jobs {
		each := max(j.GPUsPerWorker, 1)
		for _, on := range j.On {
			free[index[on]] -= each
		}
		rest := elastic.GPUs(int(j.Using(j.Workers))-len(j.On)) * each
		for i, n := range s.Nodes {
			if n.Pool == j.Pool {
				take := max(min(rest, free[i]), 0)
				free[i] -= take
				rest -= take
			}
		}
	}
	for i := range free {
		free[i] = max(free[i], 0)
	}
	return free
}
