package expiring_test

import (
	"context"
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/telling"
)

// expire is what the expirer does with the job, and after how long it comes back.
func expire(w *fixture.Watched) time.Duration {
	w.Helper()
	w.Rooms.Expirer.Rest = 0
	result, err := w.Rooms.Expirer.Reconcile(w.Context(), fixture.Request(w.Job))
	if err != nil {
		w.Fatal(err)
	}
	return result.RequeueAfter
}

// alter changes the ElasticJob, as somebody does.
func alter(w *fixture.Watched, how func(*v1alpha1.ElasticJob)) {
	w.Helper()
	ej := fixture.Get(w.T, w.Rooms, w.Job, &v1alpha1.ElasticJob{})
	how(ej)
	if err := w.Rooms.Client.Update(w.Context(), ej); err != nil {
		w.Fatal(err)
	}
}

func isThere(w *fixture.Watched) bool {
	w.Helper()
	err := w.Rooms.Client.Get(w.Context(), fixture.Request(w.Job).NamespacedName, &v1alpha1.ElasticJob{})
	if client.IgnoreNotFound(err) != nil {
		w.Fatal(err)
	}
	return err == nil
}

func stays(ttl v1alpha1.Duration) func(*v1alpha1.ElasticJob) {
	return func(ej *v1alpha1.ElasticJob) { ej.Spec.TTLAfterFinished = ttl }
}

func TestAnElasticJobGoesSomeTimeAfterItsJobHasEnded(t *testing.T) {
	for name, test := range map[string]struct {
		byDefault time.Duration
		own       v1alpha1.Duration
		want      time.Duration // 0 if it stays
	}{
		"nobody has said so":     {0, "", 0},
		"by the settings":        {time.Hour, "", time.Hour},
		"as it says":             {0, "30m", 30 * time.Minute},
		"as it says, not as set": {time.Hour, "48h", 48 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			w := fixture.WatchRecorded(t, fixture.Counts)
			w.Rooms.Settings.ElasticJobs.TTLAfterFinished.Duration = test.byDefault
			w.Rooms.Furnish()
			alter(w, stays(test.own))
			w.Minutes(2, 0)
			if wait := expire(w); wait != 0 || !isThere(w) {
				t.Fatalf("while its job trains it comes back in %v", wait)
			}
			w.Finish()
			w.ReadEnd()
			w.Write()
			w.Say()
			if wait := expire(w); wait != test.want {
				t.Fatalf("it comes back in %v, want %v", wait, test.want)
			}
			w.At = w.At.Add(test.want - time.Second)
			if expire(w); !isThere(w) {
				t.Fatal("it has gone before its time")
			}
			told := events.NewFakeRecorder(10)
			w.Rooms.Expirer.Events = telling.NewRecorder(told, w.Rooms.Now)
			w.At = w.At.Add(2 * time.Second)
			if expire(w); isThere(w) != (test.want == 0) {
				t.Fatalf("it is there: %t", isThere(w))
			}
			fixture.Get(t, w.Rooms, w.Job, &kubeflow.PyTorchJob{}) // stays
			if test.want > 0 && !strings.Contains(<-told.Events, "Normal Expired ElasticJob resnet is deleted") {
				t.Error("nobody is told")
			}
			if w.Write(); test.want > 0 {
				if all, _ := w.Recorded(); len(all) != 1 {
					t.Errorf("it keeps %+v of the job", all)
				}
			}
		})
	}
}

// Each of these is a reason to wait, or to let it be.
func TestAnElasticJobStaysWhileAnythingOfItIsNeeded(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*fixture.Watched)
		then   func(*fixture.Watched) // so that it goes; nil if it stays
	}{
		"its record is not written": {nil, func(w *fixture.Watched) { w.Write() }},
		"this process has not seen the end": {func(w *fixture.Watched) { w.Write(); w.KillKeeping() },
			func(w *fixture.Watched) {
				w.ReadEnd()
				w.Write()
			}},
		"a process died before the record was written": {
			func(w *fixture.Watched) { w.KillKeeping(); w.ReadEnd() }, func(w *fixture.Watched) { w.Write() },
		},
		"it is being deleted, and somebody holds it": {func(w *fixture.Watched) {
			w.Write()
			alter(w, func(ej *v1alpha1.ElasticJob) { ej.Finalizers = []string{"example.com/mine"} })
			if err := w.Rooms.Client.Delete(w.Context(), fixture.Get(w.T, w.Rooms, w.Job, &v1alpha1.ElasticJob{})); err != nil {
				w.Fatal(err)
			}
		}, nil},
		"it is to stay longer": {func(w *fixture.Watched) {
			w.Write()
			alter(w, stays("1000h"))
		}, nil},
		"a resize of it is under way": {func(w *fixture.Watched) {
			w.Write()
			ej := fixture.Get(w.T, w.Rooms, w.Job, &v1alpha1.ElasticJob{})
			if err := w.Rooms.Client.Create(w.Context(), fixture.ResizeOf(ej, 1, 2, 4)); err != nil {
				w.Fatal(err)
			}
		}, nil},
		"its job is not there": {func(w *fixture.Watched) {
			w.Write()
			if err := w.Rooms.Client.Delete(w.Context(), fixture.Get(w.T, w.Rooms, w.Job, &kubeflow.PyTorchJob{})); err != nil {
				w.Fatal(err)
			}
		}, nil}, // it goes with that one
		"its job trains after all": {func(w *fixture.Watched) {
			w.Write()
			job := fixture.Get(w.T, w.Rooms, w.Job, &kubeflow.PyTorchJob{})
			job.Status.Conditions = nil
			if err := w.Rooms.Client.Update(w.Context(), job); err != nil {
				w.Fatal(err)
			}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := fixture.WatchRecorded(t, fixture.Counts)
			alter(w, stays("30m"))
			w.Minutes(2, 0)
			w.Finish()
			w.ReadEnd()
			w.Say()
			if test.change != nil {
				test.change(w)
			}
			w.At = w.At.Add(time.Hour)
			if expire(w); !isThere(w) {
				t.Fatal("it has gone")
			}
			if test.then == nil {
				return
			}
			test.then(w)
			if expire(w); isThere(w) {
				t.Error("it is still there")
			}
		})
	}
}

// Somebody changes it in the moment in which it goes.
func TestAnElasticJobThatIsChangedMeanwhileStays(t *testing.T) {
	w := fixture.WatchRecorded(t, fixture.Counts)
	alter(w, stays("30m"))
	w.Minutes(2, 0)
	w.Finish()
	w.ReadEnd()
	w.Write()
	w.Say()
	w.At = w.At.Add(time.Hour)
	inner := w.Rooms.Expirer.Client
	w.Rooms.Expirer.Client = interceptor.NewClient(inner.(client.WithWatch), interceptor.Funcs{
		Delete: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.DeleteOption) error {
			alter(w, stays("1000h"))
			return c.Delete(ctx, o, options...)
		},
	})
	w.Rooms.Expirer.Rest = 0
	_, err := w.Rooms.Expirer.Reconcile(t.Context(), fixture.Request(w.Job))
	if !apierrors.IsConflict(err) || !isThere(w) {
		t.Fatalf("%v; it is there: %t", err, isThere(w))
	}
	w.Rooms.Expirer.Client = inner
	if wait := expire(w); wait <= 0 || !isThere(w) {
		t.Errorf("it comes back in %v; it is there: %t", wait, isThere(w))
	}
}

// What is written on a job makes no ElasticJob again of one that has ended, whatever happens to the words and the
// operator.
func TestNoElasticJobIsMadeAnewOfAJobThatHasEnded(t *testing.T) {
	words := map[string]string{shorthand.DeadlineAnnotation: "6h", shorthand.TTLAnnotation: "1d"}
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(words))
	if ej := fixture.Keeps(t, o); ej == nil || ej.Spec.TTLAfterFinished != "24h0m0s" {
		t.Fatalf("%+v", ej)
	}
	job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	fixture.FinishedAt(fixture.Start)(job)
	if err := o.Client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if err := o.Client.Delete(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{})); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(){
		"it has gone": func() {},
		"it says more": func() {
			fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: "8h"})
		},
		"what is kept goes": func() {
			fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{shorthand.TakenAnnotation: ""})
		},
		"a fresh process": func() {
			o = fixture.Afresh(o)
			o.Furnish()
		},
	} {
		if change(); fixture.Keeps(t, o) != nil {
			t.Errorf("%s: it is made anew", name)
		}
	}
}
