package keeping_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/changes"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/keeping"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/telling"
)

func edit(t *testing.T, o *rooms.Rooms, change func(*v1alpha1.ElasticJobSpec)) {
	t.Helper()
	ej := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{})
	change(&ej.Spec)
	if err := o.Client.Update(t.Context(), ej, client.FieldOwner("kubectl-edit")); err != nil {
		t.Fatal(err)
	}
}

func TestADeadlineCountsFromWhenItWasWritten(t *testing.T) {
	six := map[string]string{shorthand.DeadlineAnnotation: "6h"}
	eight := map[string]string{shorthand.DeadlineAnnotation: "8h"}
	for name, test := range map[string]struct {
		job  func(*kubeflow.PyTorchJob)
		then func(*testing.T, *rooms.Rooms)
		want v1alpha1.Time
	}{
		"with the job": {nil, nil, fixture.Hour(17)},
		"later": {func(job *kubeflow.PyTorchJob) {
			job.ManagedFields = []metav1.ManagedFieldsEntry{fixture.WrittenBy("kubectl-annotate",
				fixture.Start.Add(-time.Minute), six)}
		}, nil, v1alpha1.NewTime(fixture.Start.Add(6*time.Hour - time.Minute))},
		"nobody knows when": {func(job *kubeflow.PyTorchJob) { job.ManagedFields = nil }, nil, fixture.Hour(18)},
		"by a clock that is ahead": {func(job *kubeflow.PyTorchJob) {
			job.ManagedFields = []metav1.ManagedFieldsEntry{fixture.WrittenBy("kubectl-annotate",
				fixture.Start.Add(time.Minute), six)}
		}, nil, fixture.Hour(18)},
		"seen again after an outage": {nil, func(_ *testing.T, o *rooms.Rooms) {
			o.Now = func() time.Time { return fixture.Start.Add(3 * time.Hour) }
		}, fixture.Hour(17)},
		"seen for the first time after an outage": {func(job *kubeflow.PyTorchJob) {
			job.CreationTimestamp = metav1.NewTime(fixture.Start.Add(-4 * time.Hour))
		},
			nil, fixture.Hour(17)}, // the annotation came later
		"another is written": {nil, func(t *testing.T,
			o *rooms.Rooms) {
			fixture.Annotate(t, o, "kubectl-edit", fixture.Start, eight)
		},
			fixture.Hour(20)},
		"another, and the first again": {nil, func(t *testing.T, o *rooms.Rooms) {
			fixture.Annotate(t, o, "kubectl-edit", fixture.Start, eight)
			fixture.Keeps(t, o)
			fixture.Annotate(t, o, "kubectl-edit", fixture.Start, six)
		}, fixture.Hour(18)},
		"something else is written by the same hand": {nil, func(t *testing.T, o *rooms.Rooms) {
			fixture.Annotate(t, o, "kubectl-create", fixture.Start, map[string]string{"example.com/note": "x"})
		}, fixture.Hour(17)},
		"a copied manifest": {func(job *kubeflow.PyTorchJob) {
			job.Annotations[shorthand.MomentAnnotation] = `{"job":"another","text":"6h","at":"2026-11-20T18:00:00Z"}`
		}, nil, fixture.Hour(17)},
		"it was kept": {func(job *kubeflow.PyTorchJob) {
			job.Annotations[shorthand.MomentAnnotation] = `{"job":"job-resnet","text":"6h","at":"2026-11-21T13:00:00Z"}`
		}, nil, fixture.Hour(13)},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.AnnotatedJob(six)
			if test.job != nil {
				test.job(job)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, job)
			ej := fixture.Keeps(t, o)
			if test.then != nil {
				test.then(t, o)
				ej = fixture.Keeps(t, o)
			}
			if ej == nil || ej.Spec.Deadline != test.want || ej.Spec.DeadlineAfter != "" {
				t.Fatalf("%+v, want %s", ej, test.want)
			}
			if kept, ok := shorthand.DecodeMoment("job-resnet",
				fixture.Get(t, o, "resnet", job).Annotations[shorthand.DeadlineAnnotation], job.Annotations); !ok ||
				v1alpha1.NewTime(kept) != test.want {
				t.Errorf("kept on the job: %v", job.Annotations)
			}
		})
	}
}

func TestAMomentThatNeedsNobodyToKeepItIsNotKept(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "2026-11-21 19:00 Europe/Berlin",
	}))
	if ej := fixture.Keeps(t, o); ej == nil || ej.Spec.Deadline != fixture.Hour(18) {
		t.Errorf("%+v", ej)
	}
	if _, kept := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}).Annotations[shorthand.MomentAnnotation]; kept {
		t.Error("it is kept")
	}
}

func TestATimeOfDayIsThatOfTheSettings(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{},
		fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "18:00"}))
	o.Settings.TimeZone = "Europe/Berlin"
	o.Furnish()
	if ej := fixture.Keeps(t, o); ej == nil || ej.Spec.Deadline != fixture.Hour(17) {
		t.Errorf("%+v", ej)
	}
	o.Settings.TimeZone = "" // what was found once stays, though nobody could read it now
	o.Furnish()
	if ej := fixture.Keeps(t, o); ej == nil || ej.Spec.Deadline != fixture.Hour(17) {
		t.Errorf("%+v", ej)
	}
}

func TestOnlyWhatIsWrittenOnTheJobComesFromIt(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "6h", shorthand.WorkersAnnotation: "1-8", shorthand.GuaranteeAnnotation: "besteffort",
	}))
	ej := fixture.Keeps(t, o)
	one, eight := int32(1), int32(8)
	want := v1alpha1.ElasticJobSpec{
		JobRef:   v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "resnet"},
		Deadline: fixture.Hour(17), Guarantee: "BestEffort", Workers: v1alpha1.WorkerRange{Min: &one, Max: &eight},
	}
	if diff := cmp.Diff(want, ej.Spec); diff != "" || len(ej.OwnerReferences) != 1 ||
		ej.Labels[shorthand.MadeLabel] == "" {
		t.Errorf("-want +got\n%s\n%+v", diff, ej.ObjectMeta)
	}
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{
		shorthand.WorkersAnnotation: "", shorthand.ProfileAnnotation: "resnet50",
	})
	want.Workers, want.Profile = v1alpha1.WorkerRange{}, "resnet50"
	if diff := cmp.Diff(want, fixture.Keeps(t, o).Spec); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Before, what somebody applied over the ElasticJob of an annotation was set back within seconds.
func TestWhatSomebodySetsOnTheElasticJobWinsFieldByField(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "6h", shorthand.WorkersAnnotation: "1-8", shorthand.ProfileAnnotation: "resnet50",
	}))
	fixture.Keeps(t, o)
	eight, four := int32(8), int32(4)
	edit(t, o, func(spec *v1alpha1.ElasticJobSpec) {
		spec.Deadline, spec.Workers.Max, spec.Progress.Total = fixture.Hour(20), &four, "90000"
	})
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{
		shorthand.DeadlineAnnotation: "7h", shorthand.WorkersAnnotation: "2-8",
	})
	ej := fixture.Keeps(t, o)
	two := int32(2)
	want := v1alpha1.ElasticJobSpec{
		JobRef:   v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "resnet"},
		Deadline: fixture.Hour(20), Profile: "resnet50", Workers: v1alpha1.WorkerRange{Min: &two, Max: &four},
		Progress: v1alpha1.ProgressSpec{Total: "90000"},
	}
	if diff := cmp.Diff(want, ej.Spec); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	message := fixture.StatusAsWritten(t.Context(), t, o, ej, nil).Message
	for _, text := range []string{
		"takt.dev/deadline (7h) is overruled by spec.deadline of this ElasticJob, which is 2026-11-21T20:00:00Z: write " +
			"the same in both, or take one of them away.",
		"takt.dev/workers (2-8) is overruled by spec.workers.max of this ElasticJob, which is 4: write the same in both, " +
			"or take one of them away.",
	} {
		if !strings.Contains(message, text) {
			t.Errorf("%q does not say %q", message, text)
		}
	}
	// What they take back is the job's to say again.
	edit(t, o, func(spec *v1alpha1.ElasticJobSpec) { spec.Deadline, spec.Workers.Max = "", nil })
	want.Deadline, want.Workers.Max = fixture.Hour(19), &eight
	if diff := cmp.Diff(want, fixture.Keeps(t, o).Spec); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	// And what they have set stays when nothing is written on the job any more.
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{
		shorthand.DeadlineAnnotation: "", shorthand.WorkersAnnotation: "", shorthand.ProfileAnnotation: "",
	})
	ej = fixture.Keeps(t, o)
	if ej == nil || ej.Spec.Deadline != "" || ej.Spec.Progress.Total != "90000" || ej.Labels[shorthand.MadeLabel] != "" {
		t.Errorf("%+v", ej)
	}
}

// It makes no difference which of the two was there first.
func TestAnElasticJobThatSomebodyWroteIsFilledUpFromTheJob(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "6h", shorthand.WorkersAnnotation: "1-8",
	}))
	four := int32(4)
	theirs := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Workers.Max, ej.UID = &four, "" })
	if err := o.Client.Create(t.Context(), theirs, client.FieldOwner("kubectl-create")); err != nil {
		t.Fatal(err)
	}
	ej := fixture.Keeps(t, o)
	if ej.Spec.Deadline != fixture.Hour(17) || *ej.Spec.Workers.Max != 4 || *ej.Spec.Workers.Min != 1 ||
		ej.Labels[shorthand.MadeLabel] != "" {
		t.Errorf("%+v", ej)
	}
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{
		shorthand.DeadlineAnnotation: "", shorthand.WorkersAnnotation: "",
	})
	ej = fixture.Keeps(t, o)
	if ej == nil || ej.Spec.Deadline != "" || *ej.Spec.Workers.Max != 4 || ej.Spec.Workers.Min != nil {
		t.Errorf("%+v", ej)
	}
}

func TestDeletingTheElasticJobLetsGoOfTheJobUntilItSaysSomethingElse(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{},
		fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	events := fixture.Listens(o)
	remove := func() {
		t.Helper()
		if err := o.Client.Delete(t.Context(), fixture.Keeps(t, o)); err != nil {
			t.Fatal(err)
		}
	}
	remove()
	if ej := fixture.Keeps(t, o); ej != nil {
		t.Errorf("it is back: %+v", ej)
	}
	if told := <-events; !strings.Contains(told, "Its ElasticJob was deleted") || len(events) > 0 {
		t.Errorf("told: %s, and %d more", told, len(events))
	}
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: "8h"})
	if ej := fixture.Keeps(t, o); ej == nil || ej.Spec.Deadline != fixture.Hour(20) {
		t.Errorf("other words are not heard: %+v", ej)
	}
	remove()
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start.Add(time.Hour),
		map[string]string{shorthand.TakenAnnotation: ""})
	if ej := fixture.Keeps(t, o); ej == nil || ej.Spec.Deadline != fixture.Hour(20) { // the moment that was found first
		t.Errorf("asked to look after it again: %+v", ej)
	}
	remove()
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: ""})
	fixture.Keeps(t, o)
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: "8h"})
	if ej := fixture.Keeps(t, o); ej == nil {
		t.Error("words that were gone are not heard when they come back")
	}
}

var errDown = errors.New("the process has ended")

// A process may end before and after each of its writes. The next one finds the same moment, and makes
// no ElasticJob too few.
func TestACrashBetweenTwoWritesOfTheShorthandIsHarmless(t *testing.T) {
	for deadAt := 1; ; deadAt++ {
		for _, done := range []bool{false, true} {
			writes, dead := 0, false
			o := fixture.Stopped(t,
				interceptor.Funcs{Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch,
					options ...client.PatchOption) error {
					if writes++; writes != deadAt {
						return c.Patch(ctx, object, patch, options...)
					}
					if dead = true; done {
						if err := c.Patch(ctx, object, patch, options...); err != nil {
							return err
						}
					}
					return errDown
				}}, fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
			of, _ := known.ByKind("PyTorchJob")
			for range 5 {
				if _, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet")); errors.Is(err, errDown) {
					o.Now = func() time.Time { return fixture.Start.Add(2 * time.Hour) } // after an outage
				} else if err != nil {
					t.Fatal(err)
				}
			}
			if ej := fixture.Keeps(t, o); ej == nil || ej.Spec.Deadline != fixture.Hour(17) {
				t.Errorf("write %d, done %t: %+v", deadAt, done, ej)
			}
			job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
			if job.Annotations[shorthand.TakenAnnotation] == "" {
				t.Errorf("write %d, done %t: it is not kept that the job is taken on", deadAt, done)
			}
			if !dead {
				if deadAt < 4 {
					t.Errorf("there are %d writes, want 3: the moment, the ElasticJob, that it was taken on", deadAt-1)
				}
				return
			}
		}
	}
}

func TestAJobThatNobodyMayWriteToHasItsElasticJobAllTheSame(t *testing.T) {
	guarded := func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch,
		options ...client.PatchOption) error {
		if _, isJob := object.(*kubeflow.PyTorchJob); isJob {
			return apierrors.NewForbidden(kubeflow.Resource("pytorchjobs"), object.GetName(), errors.New("guarded"))
		}
		return c.Patch(ctx, object, patch, options...)
	}
	o := fixture.Stopped(t, interceptor.Funcs{Patch: guarded},
		fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	o.Now = func() time.Time { return fixture.Start.Add(time.Hour) }
	if ej := fixture.Keeps(t, o); ej == nil || ej.Spec.Deadline != fixture.Hour(17) {
		t.Errorf("%+v", ej)
	}
}

// Where somebody sets a field in the very moment in which the job's word is applied, nothing is forced.
func TestAFieldThatSomebodyHasJustSetIsNotForced(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{},
		fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	fixture.Keeps(t, o)
	old := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{})
	edit(t, o, func(spec *v1alpha1.ElasticJobSpec) { spec.Deadline = fixture.Hour(20) })
	of, _ := known.ByKind("PyTorchJob")
	job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	k := o.Keeper(of)
	w := &keeping.Written{Object: job, Job: of.Read(job), Ej: old} // as a cache has it that is behind
	err := k.Apply(t.Context(), w, shorthand.Fields{shorthand.Deadline: string(fixture.Hour(18))}, true)
	if !apierrors.IsConflict(err) {
		t.Errorf("%v, want a conflict", err)
	}
	if got := fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}).Spec.Deadline; got != fixture.Hour(20) {
		t.Errorf("the deadline is %s", got)
	}
}

func TestTheCacheKeepsWhoseWordIsWhose(t *testing.T) {
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
		ej.ManagedFields = []metav1.ManagedFieldsEntry{
			{Manager: shorthand.Manager}, {Manager: "takt-operator", Subresource: "status"},
		}
	})
	if _, err := cached.TrimElasticJob(ej); err != nil || len(ej.ManagedFields) != 1 ||
		ej.ManagedFields[0].Manager != shorthand.Manager {
		t.Errorf("%v, %v", ej.ManagedFields, err)
	}
}

// What somebody expects becomes a part of the ElasticJob, and a half of it that somebody sets there stays whole.
func TestWhatIsExpectedOfAJob(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "6h", shorthand.ExpectedAnnotation: "2h at 4 workers",
	}))
	expects := func(want v1alpha1.Duration, workers int32) {
		t.Helper()
		if got := fixture.Keeps(t, o).Spec.Expected; got.Duration != want || got.Workers == nil || *got.Workers != workers {
			t.Errorf("it is expected to take %+v, want %s with %d", got, want, workers)
		}
	}
	expects("2h0m0s", 4)
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start,
		map[string]string{shorthand.ExpectedAnnotation: "3h at 4 workers"})
	expects("3h0m0s", 4)
	edit(t, o, func(spec *v1alpha1.ElasticJobSpec) { spec.Expected.Workers = new(int32(8)) })
	expects("3h0m0s", 8)
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{shorthand.ExpectedAnnotation: ""})
	expects("3h0m0s", 8)
}

// An event is forgotten after a while, and what it tells of may still be so.
func TestAFaultThatStaysIsToldAgain(t *testing.T) {
	of, _ := known.ByKind(kubeflow.PyTorchJobKind)
	for value, again := range map[string]time.Duration{"4": telling.EventLives, "": 0} {
		job := fixture.PyTorchJob("resnet", 1, func(j *kubeflow.PyTorchJob) {
			if value != "" {
				j.Annotations = map[string]string{"takt.dev/worker": value}
			}
		})
		o := fixture.Stopped(t, interceptor.Funcs{}, job)
		result, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request(client.ObjectKeyFromObject(job).Name))
		if err != nil || result.RequeueAfter != again {
			t.Errorf("%q: it is looked at again after %s, want %s: %v", value, result.RequeueAfter, again, err)
		}
	}
}

func TestAJobHasAnElasticJobIfItsPodsAreNumbered(t *testing.T) {
	of, _ := known.ByKind("Job")
	for mode, want := range map[batchv1.CompletionMode]int{batchv1.IndexedCompletion: 1, batchv1.NonIndexedCompletion: 0} {
		job := fixture.KubernetesJob(mode)
		o := fixture.Stopped(t, interceptor.Funcs{}, job)
		result, err := o.Keeper(of).Reconcile(t.Context(), fixture.Request("resnet"))
		if err != nil {
			t.Fatal(err)
		}
		var all v1alpha1.ElasticJobList
		if err := o.Client.List(t.Context(), &all); err != nil || len(all.Items) != want {
			t.Fatalf("%s: %d ElasticJobs, want %d: %v", mode, len(all.Items), want, err)
		}
		if again := result.RequeueAfter == telling.EventLives; again != (want == 0) {
			t.Errorf("%s: it is told again after %v", mode, result.RequeueAfter)
		}
		if want > 0 && all.Items[0].Spec.JobRef != (v1alpha1.JobReference{APIVersion: "batch/v1", Kind: "Job",
			Name: "resnet"}) {
			t.Errorf("it is for %+v", all.Items[0].Spec.JobRef)
		}
		if changes.JobMatters(of)(nil, job) != (want > 0) {
			t.Errorf("%s: it wakes the planner: %t", mode, want == 0)
		}
	}
}

func TestThePriorityOnAJobIsThatOfItsElasticJobUnlessSomebodyHasSetIt(t *testing.T) {
	words := map[string]string{shorthand.DeadlineAnnotation: "6h", shorthand.PriorityAnnotation: "10"}
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(words))
	if ej := fixture.Keeps(t, o); ej == nil || ej.Spec.Priority == nil || *ej.Spec.Priority != 10 {
		t.Fatalf("%+v", ej)
	}
	edit(t, o, func(spec *v1alpha1.ElasticJobSpec) { spec.Priority = new(int32(7)) })
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{shorthand.PriorityAnnotation: "1000"})
	if ej := fixture.Keeps(t, o); *ej.Spec.Priority != 7 {
		t.Errorf("what somebody has set is overruled by %d", *ej.Spec.Priority)
	}
}

// Whoever misspells that a job must not be stopped has it not stopped, also where another value was written before.
func TestAMisspeltWordThatSparesAJobSparesIt(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "6h", "takt.dev/interuptible": "false",
	}))
	spared := func(want bool) {
		t.Helper()
		ej := fixture.Keeps(t, o)
		if ej == nil {
			t.Fatal("it is not looked after")
		}
		if is := ej.Spec.Interruptible; (is != nil && !*is) != want {
			t.Errorf("it may be interrupted: %v, want spared: %t", is, want)
		}
	}
	spared(true)
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{
		shorthand.InterruptibleAnnotation: "true", "takt.dev/interuptible": "",
	})
	spared(false)
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{shorthand.InterruptibleAnnotation: "flase"})
	spared(true)
}

// Where somebody says on the ElasticJob that the job may be stopped, a slip on the job does not count, and is not told
// to.
func TestAMisspeltWordThatSparesAJobIsOverruled(t *testing.T) {
	for name, onPods := range map[string]bool{"on the job": false, "on its pods": true} {
		t.Run(name, func(t *testing.T) {
			job, key := fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}), "takt.dev/interuptible"
			if onPods {
				key = shorthand.InterruptibleAnnotation
				job.Spec.PyTorchReplicaSpecs["Worker"].Template.Annotations = map[string]string{key: "false"}
			} else {
				job.Annotations[key] = "false"
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, job)
			fixture.Keeps(t, o)
			// Somebody takes the field over, as by kubectl edit.
			edit(t, o, func(spec *v1alpha1.ElasticJobSpec) { spec.Interruptible = new(true) })
			ej := fixture.Keeps(t, o)
			if is := ej.Spec.Interruptible; is == nil || !*is {
				t.Fatalf("it may be interrupted: %v", is)
			}
			message := fixture.StatusAsWritten(t.Context(), t, o, ej, nil).Message
			if strings.Contains(message, "neither stopped nor restarted") || !strings.Contains(message, key+
				" (false) is overruled by spec.interruptible of this ElasticJob, which is true") {
				t.Errorf("it says %q", message)
			}
		})
	}
}

// The deadline that a queue gives counts from when the job came to it, also once somebody has deleted the ElasticJob
// and has another made.
func TestTheDeadlineOfAQueueOutlivesTheElasticJob(t *testing.T) {
	queue := &v1alpha1.TrainingQueue{
		ObjectMeta: metav1.ObjectMeta{Name: "default"},
		Spec:       v1alpha1.TrainingQueueSpec{Jobs: v1alpha1.ServiceClass{DeadlineAfter: "6h"}},
	}
	job := fixture.AnnotatedJob(nil)
	job.Labels = map[string]string{shorthand.QueueLabel: "default"}
	o := fixture.Stopped(t, interceptor.Funcs{}, queue, job)
	due := func(created time.Time) time.Time {
		t.Helper()
		ej := fixture.Keeps(t, o)
		ej.CreationTimestamp = metav1.NewTime(created) // which the fake API server does not set
		s, err := o.View.Look(t.Context(), ej)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := s.Deadline()
		return at
	}
	fixture.Keeps(t, o)
	first := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{})
	text, err := shorthand.EncodeSince(first.UID, "default", fixture.Start)
	if err != nil {
		t.Fatal(err)
	}
	if first.Annotations[shorthand.MomentAnnotation] == "" {
		t.Error("nothing is kept on the job")
	}
	fixture.Annotate(t, o, "clock", fixture.Start, map[string]string{shorthand.MomentAnnotation: text})
	if err := o.Client.Delete(t.Context(), fixture.Keeps(t, o)); err != nil {
		t.Fatal(err)
	}
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.TakenAnnotation: ""})
	if got, want := due(fixture.Start.Add(time.Hour)), fixture.Start.Add(6*time.Hour); !got.Equal(want) {
		t.Errorf("it is due at %v, want %v", got, want)
	}
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.MomentAnnotation: "{}"})
	if got, want := due(fixture.Start.Add(time.Hour)), fixture.Start.Add(7*time.Hour); !got.Equal(want) {
		t.Errorf("where nothing is kept, it is due at %v, want %v", got, want)
	}
}
