package telling

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

func job(namespace, name string, age time.Duration, running int32) *v1alpha1.ElasticJob {
	ej := &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, CreationTimestamp: metav1.NewTime(time.Unix(1e9, 0).Add(-age)),
	}}
	ej.Status.Workers.Running = running
	return ej
}

func TestAJobIsToldAsKubectlShowsIt(t *testing.T) {
	known := job("team", "resnet", 0, 4)
	known.Status.Workers.Desired, known.Status.Workers.Max = 6, 8
	known.Status.Progress = v1alpha1.ProgressStatus{PartsPerMillion: 420_000, Source: "Agent"}
	known.Status.Deadline = "2026-11-21T18:00:00Z"
	known.Status.Prediction = v1alpha1.PredictionStatus{
		Earliest: "2026-11-21T17:00:00Z", ETA: "2026-11-21T17:21:00Z", Latest: "2026-11-21T17:50:00Z",
	}
	known.Status.Cost = v1alpha1.CostStatus{SoFar: "1.50", Expected: "4.00"}
	resize := func(epoch int64) *v1alpha1.Resize {
		r := &v1alpha1.Resize{ObjectMeta: metav1.ObjectMeta{Namespace: "team"}}
		r.Spec.ElasticJob, r.Spec.Epoch = "resnet", epoch
		return r
	}
	figures := NewJobFigures(1, func() ([]*v1alpha1.ElasticJob, []*v1alpha1.Resize) {
		return []*v1alpha1.ElasticJob{known, job("team", "unknown", 0, 0)}, []*v1alpha1.Resize{resize(7), resize(6)}
	}, time.Now)
	of := `{job_name="resnet", job_namespace="team"}`
	end := func(estimate string) string {
		return `takt_job_end_timestamp_seconds{estimate="` + estimate + `", job_name="resnet", job_namespace="team"}`
	}
	want := map[string]float64{
		"takt_job_workers" + of: 4, "takt_job_desired_workers" + of: 6, "takt_job_max_workers" + of: 8,
		"takt_job_progress_ratio" + of: .42, "takt_job_resizes_total" + of: 7,
		"takt_job_deadline_timestamp_seconds" + of: 1795284000,
		end("earliest"): 1795280400, end("expected"): 1795281660, end("latest"): 1795283400,
		`takt_job_cost{estimate="so_far", job_name="resnet", job_namespace="team"}`:   1.5,
		`takt_job_cost{estimate="expected", job_name="resnet", job_namespace="team"}`: 4,
		"takt_jobs_without_figures": 1,
	}
	if diff := cmp.Diff(want, gathered(t, figures)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	figures.places, known.Status = newPlaces(2), v1alpha1.ElasticJobStatus{}
	if got := slices.Sorted(maps.Keys(gathered(t, figures))); len(got) != 2*4+1 {
		t.Errorf("of two jobs of which nothing is known this is told: %s", got)
	}
}

// Replicas that stand by tell nothing: what they know is as old as their cache, and would be there twice.
func TestAReplicaThatStandsByTellsOfNoJob(t *testing.T) {
	standby := NewJobFigures(500, func() ([]*v1alpha1.ElasticJob, []*v1alpha1.Resize) { return nil, nil },
		time.Now)
	if got := gathered(t, standby); len(got) != 0 {
		t.Errorf("it tells %v", got)
	}
}

// gathered are the series that a collector gives to a registry that checks them.
func gathered(t *testing.T, c prometheus.Collector) map[string]float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	samples, err := expfmt.ExtractSamples(&expfmt.DecodeOptions{}, families...)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, s := range samples {
		got[s.Metric.String()] = float64(s.Value)
	}
	return got
}
