package operator

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
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/telling"
)

// expire is what the expirer does with the job, and after how long it comes back.
func (w *watched) expire() time.Duration {
	w.Helper()
	w.Expirer.Rest = 0
	result, err := w.Expirer.Reconcile(w.Context(), request(w.name))
	if err != nil {
		w.Fatal(err)
	}
	return result.RequeueAfter
}

// change changes the ElasticJob, as somebody does.
func (w *watched) change(how func(*v1alpha1.ElasticJob)) {
	w.Helper()
	ej := get(w.T, w.Rooms, w.name, &v1alpha1.ElasticJob{})
	how(ej)
	if err := w.Client.Update(w.Context(), ej); err != nil {
		w.Fatal(err)
	}
}

func (w *watched) isThere() bool {
	w.Helper()
	err := w.Client.Get(w.Context(), request(w.name).NamespacedName, &v1alpha1.ElasticJob{})
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
			w := toBeRecorded(t, counts)
			w.Settings.ElasticJobs.TTLAfterFinished.Duration = test.byDefault
			w.Furnish()
			w.change(stays(test.own))
			w.minutes(2, 0)
			if wait := w.expire(); wait != 0 || !w.isThere() {
				t.Fatalf("while its job trains it comes back in %v", wait)
			}
			w.finish()
			w.readEnd()
			w.write()
			w.say()
			if wait := w.expire(); wait != test.want {
				t.Fatalf("it comes back in %v, want %v", wait, test.want)
			}
			w.now = w.now.Add(test.want - time.Second)
			if w.expire(); !w.isThere() {
				t.Fatal("it has gone before its time")
			}
			told := events.NewFakeRecorder(10)
			w.Expirer.Events = telling.NewRecorder(told, w.Now)
			w.now = w.now.Add(2 * time.Second)
			if w.expire(); w.isThere() != (test.want == 0) {
				t.Fatalf("it is there: %t", w.isThere())
			}
			get(t, w.Rooms, w.name, &kubeflow.PyTorchJob{}) // stays
			if test.want > 0 && !strings.Contains(<-told.Events, "Normal Expired ElasticJob resnet is deleted") {
				t.Error("nobody is told")
			}
			if w.write(); test.want > 0 {
				if all, _ := w.recorded(); len(all) != 1 {
					t.Errorf("it keeps %+v of the job", all)
				}
			}
		})
	}
}

// Each of these is a reason to wait, or to let it be.
func TestAnElasticJobStaysWhileAnythingOfItIsNeeded(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*watched)
		then   func(*watched) // so that it goes; nil if it stays
	}{
		"its record is not written": {nil, func(w *watched) { w.write() }},
		"this process has not seen the end": {func(w *watched) { w.write(); w.killKeeping() }, func(w *watched) {
			w.readEnd()
			w.write()
		}},
		"a process died before the record was written": {
			func(w *watched) { w.killKeeping(); w.readEnd() }, func(w *watched) { w.write() },
		},
		"it is being deleted, and somebody holds it": {func(w *watched) {
			w.write()
			w.change(func(ej *v1alpha1.ElasticJob) { ej.Finalizers = []string{"example.com/mine"} })
			if err := w.Client.Delete(w.Context(), get(w.T, w.Rooms, w.name, &v1alpha1.ElasticJob{})); err != nil {
				w.Fatal(err)
			}
		}, nil},
		"it is to stay longer": {func(w *watched) {
			w.write()
			w.change(stays("1000h"))
		}, nil},
		"a resize of it is under way": {func(w *watched) {
			w.write()
			ej := get(w.T, w.Rooms, w.name, &v1alpha1.ElasticJob{})
			if err := w.Client.Create(w.Context(), resizeOf(ej, 1, 2, 4)); err != nil {
				w.Fatal(err)
			}
		}, nil},
		"its job is not there": {func(w *watched) {
			w.write()
			if err := w.Client.Delete(w.Context(), get(w.T, w.Rooms, w.name, &kubeflow.PyTorchJob{})); err != nil {
				w.Fatal(err)
			}
		}, nil}, // it goes with that one
		"its job trains after all": {func(w *watched) {
			w.write()
			job := get(w.T, w.Rooms, w.name, &kubeflow.PyTorchJob{})
			job.Status.Conditions = nil
			if err := w.Client.Update(w.Context(), job); err != nil {
				w.Fatal(err)
			}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := toBeRecorded(t, counts)
			w.change(stays("30m"))
			w.minutes(2, 0)
			w.finish()
			w.readEnd()
			w.say()
			if test.change != nil {
				test.change(w)
			}
			w.now = w.now.Add(time.Hour)
			if w.expire(); !w.isThere() {
				t.Fatal("it has gone")
			}
			if test.then == nil {
				return
			}
			test.then(w)
			if w.expire(); w.isThere() {
				t.Error("it is still there")
			}
		})
	}
}

// Somebody changes it in the moment in which it goes.
func TestAnElasticJobThatIsChangedMeanwhileStays(t *testing.T) {
	w := toBeRecorded(t, counts)
	w.change(stays("30m"))
	w.minutes(2, 0)
	w.finish()
	w.readEnd()
	w.write()
	w.say()
	w.now = w.now.Add(time.Hour)
	inner := w.Expirer.Client
	w.Expirer.Client = interceptor.NewClient(inner.(client.WithWatch), interceptor.Funcs{
		Delete: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.DeleteOption) error {
			w.change(stays("1000h"))
			return c.Delete(ctx, o, options...)
		},
	})
	w.Expirer.Rest = 0
	if _, err := w.Expirer.Reconcile(t.Context(), request(w.name)); !apierrors.IsConflict(err) || !w.isThere() {
		t.Fatalf("%v; it is there: %t", err, w.isThere())
	}
	w.Expirer.Client = inner
	if wait := w.expire(); wait <= 0 || !w.isThere() {
		t.Errorf("it comes back in %v; it is there: %t", wait, w.isThere())
	}
}

// What is written on a job makes no ElasticJob again of one that has ended, whatever happens to the words and the
// operator.
func TestNoElasticJobIsMadeAnewOfAJobThatHasEnded(t *testing.T) {
	words := map[string]string{shorthand.DeadlineAnnotation: "6h", shorthand.TTLAnnotation: "1d"}
	o := stopped(t, interceptor.Funcs{}, annotatedJob(words))
	if ej := keeps(t, o); ej == nil || ej.Spec.TTLAfterFinished != "24h0m0s" {
		t.Fatalf("%+v", ej)
	}
	job := get(t, o, "resnet", &kubeflow.PyTorchJob{})
	finishedAt(start)(job)
	if err := o.Client.Update(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if err := o.Client.Delete(t.Context(), get(t, o, "resnet", &v1alpha1.ElasticJob{})); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(){
		"it has gone": func() {},
		"it says more": func() {
			annotate(t, o, "kubectl-edit", start, map[string]string{shorthand.DeadlineAnnotation: "8h"})
		},
		"what is kept goes": func() {
			annotate(t, o, "kubectl-edit", start, map[string]string{shorthand.TakenAnnotation: ""})
		},
		"a fresh process": func() {
			o = afresh(o)
			o.Furnish()
		},
	} {
		if change(); keeps(t, o) != nil {
			t.Errorf("%s: it is made anew", name)
		}
	}
}
