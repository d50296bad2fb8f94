package reporting_test

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/rooms"
)

// halfWay is the ElasticJob of a job with a deadline that was going to take an hour more when it was last read.
func halfWay(ppm int32) *v1alpha1.ElasticJob {
	return fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
		ej.Spec.DeadlineAfter = "3h"
		if ppm > 0 {
			read := fixture.Start.Add(-10 * time.Second)
			ej.Status.Progress = v1alpha1.ProgressStatus{PartsPerMillion: ppm, ObservedAt: v1alpha1.NewTime(read)}
			ej.Status.Prediction.ETA = v1alpha1.NewTime(read.Add(time.Hour))
		}
	})
}

// saidOf is what is said of resnet at a moment.
func saidOf(t *testing.T, o *rooms.Rooms, at time.Time) v1alpha1.ElasticJobStatus {
	t.Helper()
	o.Now = func() time.Time { return at }
	o.Furnish()
	return fixture.StatusAsWritten(t.Context(), t, o, fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}), nil)
}

// saidAsItEnds has resnet finish so long after the start, and is what is said of it a minute later.
func saidAsItEnds(t *testing.T, o *rooms.Rooms, after time.Duration) v1alpha1.ElasticJobStatus {
	t.Helper()
	job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	fixture.FinishedAt(fixture.Start.Add(after))(job)
	if err := o.Client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	return saidOf(t, o, fixture.Start.Add(after+time.Minute))
}

// A worker that leaves as somebody has made its job smaller ends the whole job where it exits with 0.
func TestAJobThatSomebodyMadeSmallerIsNotSaidToHaveMetItsDeadline(t *testing.T) {
	const half = 420_000
	for name, c := range map[string]struct {
		ppm   int32         // when it was last read; 0 if it never was
		to    int32         // the size that somebody gives it, which had four workers
		after time.Duration // that it ends
		asked bool          // Takt had asked it for its size
		lost  bool          // the process that saw it was killed, and had written down what it knew
		away  bool          // nobody looked meanwhile
		short bool
	}{
		"just before it ended":           {ppm: half, to: 3, after: 20 * time.Second, short: true},
		"and Takt had given it its size": {ppm: half, to: 3, after: 20 * time.Second, asked: true, short: true},
		"and nothing is known of it":     {to: 3, after: 20 * time.Second, short: true},
		"and the operator was killed":    {ppm: half, to: 3, after: 20 * time.Second, lost: true, short: true},
		"while there was no operator": {
			ppm: half, to: 3, after: 20 * time.Second, asked: true, away: true, short: true,
		},
		"while there was no operator, and it is unread": {to: 3, after: 20 * time.Second, asked: true, away: true},
		"and it was all done":                           {ppm: 1e6, to: 3, after: 20 * time.Second},
		"long before it ended":                          {ppm: half, to: 3, after: 5 * time.Minute},
		"and it was made larger":                        {ppm: half, to: 5, after: 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 4)
			if c.asked {
				fixture.AskedFor(1, resize.Forward)(job)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, job, halfWay(c.ppm),
				&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
			if !c.away {
				saidOf(t, o, fixture.Start)
			}
			fixture.Scale(t, o, "kubectl-scale", c.to)
			if !c.away {
				saidOf(t, o, fixture.Start)
			}
			if c.lost {
				if _, err := o.Reporter.Reconcile(t.Context(), fixture.Request("resnet")); err != nil {
					t.Fatal(err)
				}
				o.Memory.Keep(nil)
			}
			said := saidAsItEnds(t, o, c.after)
			if (said.Verdict == v1alpha1.VerdictMet) == c.short || strings.Contains(said.Message,
				"while somebody made it smaller, from 4 workers to 3: a worker that was told to leave") != c.short {
				t.Errorf("it is said to be %s: %s", said.Verdict, said.Message)
			}
		})
	}
}

// All workers of a Job of Kubernetes leave when somebody stops it. It counts as complete where all of them exit with 0.
func TestAJobThatSomebodyStoppedIsNotSaidToHaveMetItsDeadline(t *testing.T) {
	for name, stop := range map[string]func(*batchv1.JobSpec){
		"by suspending it":                  func(job *batchv1.JobSpec) { job.Suspend = new(true) },
		"by taking all of its workers away": func(job *batchv1.JobSpec) { job.Parallelism = new(int32(0)) },
	} {
		t.Run(name, func(t *testing.T) {
			ej := halfWay(420_000)
			ej.Spec.JobRef = v1alpha1.JobReference{APIVersion: "batch/v1", Kind: "Job", Name: "resnet"}
			job := fixture.KubernetesJob(batchv1.IndexedCompletion)
			job.CreationTimestamp = ej.CreationTimestamp
			o := fixture.Stopped(t, interceptor.Funcs{}, job, ej, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
			saidOf(t, o, fixture.Start)
			job = fixture.Get(t, o, "resnet", &batchv1.Job{})
			stop(&job.Spec)
			if err := o.Client.Update(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			saidOf(t, o, fixture.Start)
			at := metav1.NewTime(fixture.Start.Add(20 * time.Second))
			job.Status.CompletionTime = &at
			job.Status.Conditions = []batchv1.JobCondition{
				{Type: batchv1.JobComplete, Status: corev1.ConditionTrue, LastTransitionTime: at},
			}
			if err := o.Client.Status().Update(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			said := saidOf(t, o, fixture.Start.Add(time.Minute))
			if said.Verdict != v1alpha1.VerdictMissed || !strings.Contains(said.Message, "while somebody stopped it") {
				t.Errorf("it is said to be %s: %s", said.Verdict, said.Message)
			}
		})
	}
}
