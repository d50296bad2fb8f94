package operator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/progress"
)

// silent is a job that tells nothing.
func silent(float64) (progress.Sample, error) {
	return progress.Sample{}, fmt.Errorf("the job does not tell its progress: %w", progress.ErrNone)
}

// expects has somebody expect something of the job.
func (w *watched) expects(took string, workers int32) {
	ej := get(w.T, w.Rooms, w.name, &v1alpha1.ElasticJob{})
	ej.Spec.Expected = v1alpha1.ExpectedRun{Duration: v1alpha1.Duration(took), Workers: &workers}
	if err := w.Client.Update(w.Context(), ej); err != nil {
		w.Fatal(err)
	}
}

func TestStoryASilentJobGoesByWhatItsOwnerExpects(t *testing.T) {
	for name, test := range map[string]struct {
		killEvery int
		expected  time.Duration
		want      v1alpha1.Verdict
	}{
		"in time all the same":          {0, 3 * time.Hour, v1alpha1.VerdictOnTrack},
		"in time, if it is true":        {0, 4 * time.Hour, v1alpha1.VerdictAtRisk},
		"of an operator that is killed": {2, 3 * time.Hour, v1alpha1.VerdictOnTrack},
	} {
		t.Run(name, func(t *testing.T) {
			killEvery := test.killEvery
			w := watch(t, silent)
			w.minutes(20, killEvery)
			if verdict := get(t, w.Rooms, w.name,
				&v1alpha1.ElasticJob{}).Status.Verdict; verdict != v1alpha1.VerdictBestEffort {
				t.Errorf("of nothing: %s", verdict)
			}
			w.expects(test.expected.String(), 4)
			w.minutes(40, killEvery)
			status := get(t, w.Rooms, w.name, &v1alpha1.ElasticJob{}).Status
			ends, err := status.Prediction.ETA.Time()
			if err != nil || ends.Sub(start.Add(test.expected)).Abs() > 20*time.Minute || status.Verdict != test.want ||
				w.plan.Promised {
				t.Errorf("%s, to be finished at %v, promised: %t: %s", status.Verdict, ends, w.plan.Promised, status.Message)
			}
			if !strings.Contains(status.Message, "That goes by what its owner expects.") || w.plan.Workers != 4 {
				t.Errorf("%d workers: %s", w.plan.Workers, status.Message)
			}
		})
	}
}

// A run that has ended tells how long it took, though it never reported, and where several agree the next is promised.
func TestStoryTheNextRunIsPromisedOnEarlierOnes(t *testing.T) {
	var runs []v1alpha1.MeasuredRun
	for i := range 3 {
		w := watch(t, silent)
		w.name = "resnet"
		ej := get(t, w.Rooms, w.name, &v1alpha1.ElasticJob{})
		ej.Spec.Profile = "resnet50"
		if err := w.Client.Update(t.Context(), ej); err != nil {
			t.Fatal(err)
		}
		w.minutes(10, 2*i)
		w.now = start.Add(3 * time.Hour)
		w.finish()
		if _, err := w.Reader.Reconcile(t.Context(), request(w.name)); err != nil {
			t.Fatal(err)
		}
		profile := get(t, w.Rooms, "resnet50", &v1alpha1.TrainingProfile{})
		if len(profile.Status.Runs) != 1 || len(profile.Status.Runs[0].Took) != 1 {
			t.Fatalf("it is stored as %+v", profile.Status)
		}
		run := profile.Status.Runs[0]
		if took := run.Took[0]; took.Workers != 4 || took.GPU != "A100" ||
			time.Duration(took.Seconds)*time.Second != 3*time.Hour {
			t.Errorf("it took %+v, want 3 h with 4 workers", took)
		}
		run.Run = fmt.Sprintf("%s-%d", run.Run, i)
		runs = append(runs, run)
	}
	for known, want := range map[int]struct {
		promised bool
		says     string
	}{1: {false, "That goes by 1 earlier run."}, 3: {true, "That goes by 3 earlier runs."}} {
		w := watch(t, silent)
		profile := &v1alpha1.TrainingProfile{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "resnet50"}}
		if err := w.Client.Create(t.Context(), profile); err != nil {
			t.Fatal(err)
		}
		profile.Status.Runs = runs[:known]
		if err := w.Client.Status().Update(t.Context(), profile); err != nil {
			t.Fatal(err)
		}
		ej := get(t, w.Rooms, w.name, &v1alpha1.ElasticJob{})
		ej.Spec.Profile = "resnet50"
		if err := w.Client.Update(t.Context(), ej); err != nil {
			t.Fatal(err)
		}
		w.minutes(1, 0)
		status := get(t, w.Rooms, w.name, &v1alpha1.ElasticJob{}).Status
		ends, err := status.Prediction.ETA.Time()
		if err != nil || ends.After(start.Add(3*time.Hour+15*time.Minute)) || status.Verdict != v1alpha1.VerdictOnTrack ||
			w.plan.Promised != want.promised || !strings.Contains(status.Message, want.says) {
			t.Errorf("after %d runs: %s, to be finished at %v, promised: %t: %s", known, status.Verdict, ends, w.plan.Promised,
				status.Message)
		}
	}
}

// finish ends the job, successfully.
func (w *watched) finish() {
	job := get(w.T, w.Rooms, w.name, &kubeflow.PyTorchJob{})
	finishedAt(w.now)(job)
	if err := w.Client.Update(w.Context(), job); err != nil {
		w.Fatal(err)
	}
}
