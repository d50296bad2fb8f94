package reporting

import (
	"math"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/price"
)

// costIn says what the GPUs of a job have cost and will have. Where the price of one is not known, nothing is said: a
// cost that leaves out some is worse than none.
func (r *Reporter) costIn(st *v1alpha1.ElasticJobStatus, s *view.Subject, now time.Time) {
	prices := r.Settings.Prices()
	if len(prices) == 0 || s.Known == nil {
		return
	}
	until := time.Time{}
	switch {
	case s.Job.State != resize.JobGoesOn:
		until = s.Job.EndedAt
	case len(s.Running()) > 0:
		until = now
	}
	gpus := func(workers elastic.Workers) float64 { return float64(s.GPUs(workers, r.View.GPUs)) }
	soFar := 0.0
	for _, spent := range s.Known.Run.Spent(until) {
		perHour, priced := prices.Of(spent.Shape.GPU)
		if !priced || s.Job.Worker == nil {
			return
		}
		soFar += perHour * gpus(elastic.Workers(spent.Shape.Workers)) * float64(spent.Time) / 3600
	}
	st.Cost.SoFar = v1alpha1.NewAmount(soFar)
	st.Summary.Cost = string(st.Cost.SoFar)
	at, _ := s.Deadline()
	d := s.Known.DecidedFor(at)
	if s.Job.State != resize.JobGoesOn || d == nil || st.Cost.SoFar == "" || s.Job.Worker == nil {
		return
	}
	if left, known := stillToCome(d, gpus, coretime.Seconds(now), prices); known {
		st.Cost.Expected = v1alpha1.NewAmount(soFar + left)
		st.Summary.Cost += "/" + string(st.Cost.Expected)
	}
}

// stillToCome is what is still to be paid for the GPUs of a job, as it is planned; false if nobody can tell.
func stillToCome(d *elastic.Outcome, gpus func(elastic.Workers) float64, now elastic.Seconds,
	prices price.PerHour) (cost float64, known bool) {
	perHour, priced := prices.Of(view.GPUName(d.Pool))
	if !priced || d.ExpectedEnd == nil {
		return 0, false
	}
	end, from, hours := *d.ExpectedEnd, now, 0.0
	for _, span := range d.Reserved {
		span.From, span.To = max(span.From, now), min(span.To, end)
		if span.To > span.From {
			hours, from = hours+gpus(span.Workers)*float64(span.To-span.From)/3600, span.To
		}
	}
	if from < end { // it goes on like that
		hours += gpus(d.Workers) * float64(end-from) / 3600
	}
	if hours == 0 && end > now || math.IsInf(hours, 0) {
		return 0, false
	}
	return hours * perHour, true
}

// costMoved says that a cost is another than it was said to be, by more than a reader would overlook.
func costMoved(old, status v1alpha1.CostStatus) bool {
	const part = .05
	before, had := old.SoFar.Float()
	after, has := status.SoFar.Float()
	return had != has || math.Abs(after-before) > part*math.Max(before, 1)
}
