package elastic

import "slices"

// suppose gives workers of which nobody knows the nodes some, for as long as it is planned: those that it would give
// them if they came now. Such a worker is about to be placed or made anew, or is about to leave, and the others are
// where they are. Where there is no room for all of a job, nobody knows where they are.
func suppose(nodes []Node, jobs []*trainee) {
	if !slices.ContainsFunc(jobs, (*trainee).astray) {
		return
	}
	jobs = slices.Clone(jobs)
	byGreatness.sort(jobs)
	known := make([]*trainee, len(jobs))
	for i, j := range jobs {
		there := *j
		there.Workers, there.gets = Workers(len(j.On)), Workers(len(j.On))
		known[i] = &there
	}
	l := newLayout(nodes, known)
	if l == nil {
		return
	}
	for i, j := range jobs {
		if j.astray() && l.add(known[i], j.Workers-known[i].Workers) {
			j.On = slices.Concat(j.On, known[i].added)
		}
	}
}

// astray says that nobody knows where some workers of a job are.
func (j *trainee) astray() bool { return len(j.On) < int(j.Workers) }
