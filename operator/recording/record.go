package recording

import (
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/records"
)

// recordOf is what is kept of a job that has ended.
func recordOf(s *view.Subject, gpus capacity.Options) records.Record {
	least, most := s.Sizes()
	r := records.Record{
		UID: string(s.Job.UID), Namespace: s.ElasticJob.Namespace, Name: s.Job.Name, Kind: s.Job.Kind,
		Queue: s.ElasticJob.Spec.Queue, Profile: s.ElasticJob.Spec.Profile,
		Submitted: s.Job.CreatedAt.UTC(), Ended: s.Job.EndedAt.UTC(), Outcome: outcome(s),
		GPUsPerWorker: 1, Written: int(s.Job.Written), Least: int(least), Most: int(most),
	}
	if r.Ended.Before(r.Submitted) { // clocks differ: the API server dates the one, and the job's controller the other
		r.Ended = r.Submitted
	}
	for _, before := range s.ElasticJob.Spec.After {
		r.After = append(r.After, before.Name)
	}
	if s.ElasticJob.Name != s.Job.Name {
		r.ElasticJob = s.ElasticJob.Name
	}
	if s.ElasticJob.Spec.Priority != nil {
		r.Priority = int(*s.ElasticJob.Spec.Priority)
	}
	if at, dated := s.Deadline(); dated {
		r.Deadline, r.ByQueue = at.UTC(), !s.HasOwnDeadline()
	}
	if s.Job.Worker != nil {
		r.GPUsPerWorker, r.Leaders = max(1, int(s.GPUsPerWorker(gpus))), int(s.Leaders(gpus))
	}
	shapes, _ := s.Known.Sizes()
	account := s.Known.Run.Account(shapes, s.Job.EndedAt)
	r.Unit, r.Work = account.Unit, account.Done
	if r.Outcome == records.Succeeded && account.Total > 0 {
		r.Work = account.Total // what it did since the last reading as well
	}
	for _, speed := range account.Speeds {
		r.Speeds = append(r.Speeds, records.Speed{
			Workers: int(speed.Shape.Workers), PerSecond: speed.PerSecond, Measured: speed.Measured,
		})
	}
	spells, longest := map[int]float64{}, 0.0
	for _, spent := range account.Spent {
		workers := int(spent.Shape.Workers)
		if _, there := spells[workers]; !there {
			r.Trained = append(r.Trained, records.Spell{Workers: workers})
		}
		if spells[workers] += float64(spent.Time); float64(spent.Time) > longest {
			longest, r.GPUType = float64(spent.Time), spent.Shape.GPU
		}
	}
	for i := range r.Trained {
		r.Trained[i].Seconds = spells[r.Trained[i].Workers]
	}
	resizes := s.Known.Removed()
	for _, past := range s.Past {
		resizes.Add(past)
	}
	r.Resizes, r.Paused, r.Lost = resizes.Count, resizes.Paused, resizes.Lost
	return r
}

func outcome(s *view.Subject) records.Outcome {
	switch {
	case s.CutShort():
		return records.CutShort
	case s.Job.State == resize.JobFinished:
		return records.Succeeded
	}
	return records.Failed
}
