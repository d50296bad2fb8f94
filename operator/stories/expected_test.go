package stories

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/progress"
)

// silent is a job that tells nothing.
func silent(float64) (progress.Sample, error) {
	return progress.Sample{}, fmt.Errorf("the job does not tell its progress: %w", progress.ErrNone)
}

// expects has somebody expect something of the job.
func expects(w *fixture.Watched, took string, workers int32) {
	ej := fixture.Get(w.T, w.Rooms, w.Job, &v1alpha1.ElasticJob{})
	ej.Spec.Expected = v1alpha1.ExpectedRun{Duration: v1alpha1.Duration(took), Workers: &workers}
	if err := w.Rooms.Client.Update(w.Context(), ej); err != nil {
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
			w := fixture.Watch(t, silent)
			w.Minutes(20, killEvery)
			if verdict := fixture.Get(t, w.Rooms, w.Job,
				&v1alpha1.ElasticJob{}).Status.Verdict; verdict != v1alpha1.VerdictBestEffort {
				t.Errorf("of nothing: %s", verdict)
			}
			expects(w, test.expected.String(), 4)
			w.Minutes(40, killEvery)
			status := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
			ends, err := status.Prediction.ETA.Time()
			if err != nil || ends.Sub(fixture.Start.Add(test.expected)).Abs() > 20*time.Minute || status.Verdict != test.want ||
				w.Plan.Promised {
				t.Errorf("%s, to be finished at %v, promised: %t: %s", status.Verdict, ends, w.Plan.Promised, status.Message)
			}
			if !strings.Contains(status.Message, "That goes by what its owner expects.") || w.Plan.Workers != 4 {
				t.Errorf("%d workers: %s", w.Plan.Workers, status.Message)
			}
		})
	}
}

// A run that has ended tells how long it took, though it never reported, and where several agree the next is promised.
func TestStoryTheNextRunIsPromisedOnEarlierOnes(t *testing.T) {
	var runs []v1alpha1.MeasuredRun
	for i := range 3 {
		w := fixture.Watch(t, silent)
		w.Job = "resnet"
		ej := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{})
		ej.Spec.Profile = "resnet50"
		if err := w.Rooms.Client.Update(t.Context(), ej); err != nil {
			t.Fatal(err)
		}
		w.Minutes(10, 2*i)
		w.At = fixture.Start.Add(3 * time.Hour)
		w.Finish()
		if _, err := w.Rooms.Reader.Reconcile(t.Context(), fixture.Request(w.Job)); err != nil {
			t.Fatal(err)
		}
		profile := fixture.Get(t, w.Rooms, "resnet50", &v1alpha1.TrainingProfile{})
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
		w := fixture.Watch(t, silent)
		profile := &v1alpha1.TrainingProfile{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "resnet50"}}
		if err := w.Rooms.Client.Create(t.Context(), profile); err != nil {
			t.Fatal(err)
		}
		profile.Status.Runs = runs[:known]
		if err := w.Rooms.Client.Status().Update(t.Context(), profile); err != nil {
			t.Fatal(err)
		}
		ej := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{})
		ej.Spec.Profile = "resnet50"
		if err := w.Rooms.Client.Update(t.Context(), ej); err != nil {
			t.Fatal(err)
		}
		w.Minutes(1, 0)
		status := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
		ends, err := status.Prediction.ETA.Time()
		if err != nil || ends.After(fixture.Start.Add(3*time.Hour+15*time.Minute)) ||
			status.Verdict != v1alpha1.VerdictOnTrack ||
			w.Plan.Promised != want.promised || !strings.Contains(status.Message, want.says) {
			t.Errorf("after %d runs: %s, to be finished at %v, promised: %t: %s", known, status.Verdict, ends, w.Plan.Promised,
				status.Message)
		}
	}
}
