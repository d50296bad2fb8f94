package elastic

// Held is how it stands with a job that keeps the size that it has, whatever is decided for others: as if it were alone
// with the GPUs that it has. It is false where a plan of that makes no sense.
func (s Snapshot) Held(job Job) (Outcome, bool) {
	job.On = nil
	s.Jobs, s.Demands, s.Queues = []Job{job}, nil, nil
	s.Nodes = []Node{{Name: job.Name, Pool: job.Pool, GPUs: job.GPUs(job.Workers)}}
	if s.Check() != nil {
		return Outcome{}, false
	}
	outcome := Plan(s).Jobs[0]
	outcome.Workers, outcome.Reserved = job.Workers, nil
	return outcome, true
}
