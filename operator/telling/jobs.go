package telling

import (
	"cmp"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// JobFigures are the figures of single jobs: what kubectl get elasticjobs shows, when somebody asks. Their labels name
// jobs, so there are those of Most jobs at a time; ChooseJobs says which. The labels are not called namespace and job, as
// Prometheus writes those of the operator there.
type JobFigures struct {
	// Seen gives the jobs and their resizes, or nothing while another replica works.
	Seen func() ([]*v1alpha1.ElasticJob, []*v1alpha1.Resize)
	Most int

	leftOut, workers, desired, most, progress, deadline, end, resizes *prometheus.Desc
}

// NewJobFigures are those of at most so many jobs.
func NewJobFigures(most int, seen func() ([]*v1alpha1.ElasticJob, []*v1alpha1.Resize)) *JobFigures {
	desc := func(name, help string, more ...string) *prometheus.Desc {
		labels := append([]string{"job_namespace", "job_name"}, more...)
		return prometheus.NewDesc("takt_job_"+name, help, labels, nil)
	}
	return &JobFigures{
		Seen: seen, Most: most,
		leftOut: prometheus.NewDesc("takt_jobs_without_figures",
			"Jobs that have no figures takt_job_ of their own, as there are too many (metrics.jobs in the settings).", nil, nil),
		workers:  desc("workers", "Workers that train."),
		desired:  desc("desired_workers", "Workers that the job is to have."),
		most:     desc("max_workers", "The most workers that the job may have."),
		progress: desc("progress_ratio", "How much of the job is done, from 0 to 1."),
		deadline: desc("deadline_timestamp_seconds", "When the job must be finished."),
		end: desc("end_timestamp_seconds",
			"When the job will be finished: earliest and latest are the ends of the estimate, each missed by one run in ten.", "estimate"),
		resizes: desc("resizes_total", "Resizes of the job that have been begun."),
	}
}

// Describe is for the registry.
func (f *JobFigures) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{f.leftOut, f.workers, f.desired, f.most, f.progress, f.deadline, f.end, f.resizes} {
		to <- desc
	}
}

// Collect is for the registry.
func (f *JobFigures) Collect(to chan<- prometheus.Metric) {
	jobs, resizes := f.Seen()
	if jobs == nil {
		return
	}
	chosen, leftOut := ChooseJobs(jobs, f.Most)
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
		to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, append([]string{ej.Namespace, ej.Name}, more...)...)
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
	to <- prometheus.MustNewConstMetric(f.resizes, prometheus.CounterValue, float64(resizes), ej.Namespace, ej.Name)
}

// ChooseJobs chooses the jobs that have figures of their own, and counts those that have none. Every namespace has as many
// as any other, so that nobody who makes ten thousand jobs takes those of others; what one does not use, others share.
// Within a namespace jobs that train come first, then the oldest: those that have figures keep them.
func ChooseJobs(all []*v1alpha1.ElasticJob, most int) (chosen []*v1alpha1.ElasticJob, leftOut int) {
	byNamespace := map[string][]*v1alpha1.ElasticJob{}
	for _, ej := range all {
		if !ended(ej) {
			byNamespace[ej.Namespace] = append(byNamespace[ej.Namespace], ej)
			leftOut++
		}
	}
	type share struct {
		namespace string
		jobs      []*v1alpha1.ElasticJob
	}
	var shares []share
	for namespace, jobs := range byNamespace {
		slices.SortFunc(jobs, first)
		shares = append(shares, share{namespace, jobs})
	}
	// Whoever has few jobs is served first: what is left is then divided among those who have more.
	slices.SortFunc(shares, func(a, b share) int {
		return cmp.Or(cmp.Compare(len(a.jobs), len(b.jobs)), cmp.Compare(a.namespace, b.namespace))
	})
	for i, s := range shares {
		places := min(len(s.jobs), (most-len(chosen))/(len(shares)-i))
		chosen = append(chosen, s.jobs[:max(places, 0)]...)
	}
	return chosen, leftOut - len(chosen)
}

// first compares two jobs of one namespace: which is to have figures before the other.
func first(a, b *v1alpha1.ElasticJob) int {
	trains := func(ej *v1alpha1.ElasticJob) int { return int(min(ej.Status.Workers.Running, 1)) }
	return cmp.Or(cmp.Compare(trains(b), trains(a)), a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
}

// ended says that a job will not train any more.
func ended(ej *v1alpha1.ElasticJob) bool {
	return meta.IsStatusConditionTrue(ej.Status.Conditions, v1alpha1.ConditionSucceeded) ||
		meta.IsStatusConditionTrue(ej.Status.Conditions, v1alpha1.ConditionFailed)
}
