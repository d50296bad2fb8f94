package telling

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// JobFigures are the figures of single jobs: what kubectl get elasticjobs shows, when somebody asks. Their labels name
// jobs, so there are places for some jobs alone. The labels are not called namespace and job, as Prometheus writes
// those of the operator there.
type JobFigures struct {
	// Seen gives the jobs and their resizes, or nothing while another replica works.
	Seen   func() ([]*v1alpha1.ElasticJob, []*v1alpha1.Resize)
	places *places
	now    func() time.Time

	leftOut, workers, desired, most, progress, deadline, end, cost, resizes *prometheus.Desc
}

// NewJobFigures are those of at most so many jobs.
func NewJobFigures(most int, seen func() ([]*v1alpha1.ElasticJob, []*v1alpha1.Resize),
	now func() time.Time) *JobFigures {
	desc := func(name, help string, more ...string) *prometheus.Desc {
		labels := append([]string{"job_namespace", "job_name"}, more...)
		return prometheus.NewDesc("takt_job_"+name, help, labels, nil)
	}
	return &JobFigures{
		Seen: seen, places: newPlaces(most), now: now,
		leftOut: prometheus.NewDesc("takt_jobs_without_figures",
			"Jobs that have no figures takt_job_ of their own, as there are too many (metrics.jobs in the settings).", nil, nil),
		workers:  desc("workers", "Workers that train."),
		desired:  desc("desired_workers", "Workers that the job is to have."),
		most:     desc("max_workers", "The most workers that the job may have."),
		progress: desc("progress_ratio", "How much of the job is done, from 0 to 1."),
		deadline: desc("deadline_timestamp_seconds", "When the job must be finished."),
		end: desc("end_timestamp_seconds",
			"When the job will be finished: earliest and latest are the ends of the estimate, each missed by one run in twenty.",
			"estimate"),
		cost: desc("cost", "What the GPUs of the job cost, in the currency of gpus.prices: so far, and expected at its end.",
			"estimate"),
		resizes: desc("resizes_total", "Resizes of the job that have been begun."),
	}
}

// Describe is for the registry.
func (f *JobFigures) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{f.leftOut, f.workers, f.desired, f.most, f.progress, f.deadline, f.end,
		f.cost, f.resizes} {
		to <- desc
	}
}

// Collect is for the registry.
func (f *JobFigures) Collect(to chan<- prometheus.Metric) {
	jobs, resizes := f.Seen()
	if jobs == nil {
		return
	}
	chosen, leftOut := f.places.give(jobs, f.now())
	to <- prometheus.MustNewConstMetric(f.leftOut, prometheus.GaugeValue, float64(leftOut))
	begun := map[[2]string]int64{} // epochs count the resizes of a job
	for _, r := range resizes {
		of := [2]string{r.Namespace, r.Spec.ElasticJob}
		begun[of] = max(begun[of], r.Spec.Epoch)
	}
	for _, ej := range chosen {
		f.tell(to, ej, begun[[2]string{ej.Namespace, ej.Name}])
	}
}

// tell gives the figures of one job: those that are known.
func (f *JobFigures) tell(to chan<- prometheus.Metric, ej *v1alpha1.ElasticJob, resizes int64) {
	gauge := func(desc *prometheus.Desc, value float64, more ...string) {
		to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value,
			append([]string{ej.Namespace, ej.Name}, more...)...)
	}
	moment := func(desc *prometheus.Desc, at v1alpha1.Time, more ...string) {
		if t, err := time.Parse(time.RFC3339, string(at)); err == nil {
			gauge(desc, float64(t.Unix()), more...)
		}
	}
	s := ej.Status
	gauge(f.workers, float64(s.Workers.Running))
	gauge(f.desired, float64(s.Workers.Desired))
	gauge(f.most, float64(s.Workers.Max))
	if s.Progress.Source != "" {
		gauge(f.progress, float64(s.Progress.PartsPerMillion)/1e6)
	}
	moment(f.deadline, s.Deadline)
	moment(f.end, s.Prediction.Earliest, "earliest")
	moment(f.end, s.Prediction.ETA, "expected")
	moment(f.end, s.Prediction.Latest, "latest")
	for estimate, cost := range estimatesOf(s.Cost.SoFar, s.Cost.Expected) {
		gauge(f.cost, cost, estimate)
	}
	to <- prometheus.MustNewConstMetric(f.resizes, prometheus.CounterValue, float64(resizes), ej.Namespace, ej.Name)
}

// estimatesOf are amounts by what they are called in metrics: those that are known.
func estimatesOf(soFar, expected v1alpha1.Amount) map[string]float64 {
	known := map[string]float64{}
	for estimate, amount := range map[string]v1alpha1.Amount{"so_far": soFar, "expected": expected} {
		if cost, told := amount.Float(); told {
			known[estimate] = cost
		}
	}
	return known
}
