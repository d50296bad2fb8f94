package operator

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/keeping"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/telling"
)

// annotatedJob was made an hour ago with these annotations, and its API server has kept that.
func annotatedJob(annotations map[string]string) *kubeflow.PyTorchJob {
	return pytorchJob("resnet", 1, func(job *kubeflow.PyTorchJob) {
		job.Annotations = maps.Clone(annotations)
		job.ManagedFields = []metav1.ManagedFieldsEntry{writtenBy("kubectl-create", job.CreationTimestamp.Time, annotations)}
	})
}

func writtenBy(manager string, at time.Time, annotations map[string]string) metav1.ManagedFieldsEntry {
	set := map[string]any{}
	for key := range annotations {
		set["f:"+key] = map[string]any{}
	}
	fields, err := json.Marshal(map[string]any{"f:metadata": map[string]any{"f:annotations": set}})
	if err != nil {
		panic(err)
	}
	return metav1.ManagedFieldsEntry{
		Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "kubeflow.org/v1",
		FieldsType: "FieldsV1",
		Time:       new(metav1.NewTime(at)), FieldsV1: metav1.NewFieldsV1(string(fields)),
	}
}

// keeps has the keeper look at the job until there is nothing to do, and returns the ElasticJob; nil for none.
func keeps(t *testing.T, o *rooms.Rooms) *v1alpha1.ElasticJob {
	t.Helper()
	of, _ := known.ByKind("PyTorchJob")
	for range 3 {
		if _, err := o.Keeper(of).Reconcile(t.Context(), request("resnet")); err != nil {
			t.Fatal(err)
		}
	}
	ej := &v1alpha1.ElasticJob{}
	if err := o.Client.Get(t.Context(), request("resnet").NamespacedName, ej); err != nil {
		return nil
	}
	return ej
}

// annotate writes annotations on the job as somebody does; an empty one is taken off.
func annotate(t *testing.T, o *rooms.Rooms, manager string, at time.Time, annotations map[string]string) {
	t.Helper()
	job := get(t, o, "resnet", &kubeflow.PyTorchJob{})
	for key, value := range annotations {
		if delete(job.Annotations, key); value != "" {
			metav1.SetMetaDataAnnotation(&job.ObjectMeta, key, value)
		}
	}
	if err := o.Client.Update(t.Context(), job, client.FieldOwner(manager)); err != nil {
		t.Fatal(err)
	}
	job = get(t, o, "resnet", &kubeflow.PyTorchJob{})
	for i := range job.ManagedFields { // the fake API server has another clock
		if job.ManagedFields[i].Manager == manager {
			job.ManagedFields[i].Time = new(metav1.NewTime(at))
		}
	}
	if err := o.Client.Update(t.Context(), job, client.FieldOwner("clock")); err != nil {
		t.Fatal(err)
	}
}

func edit(t *testing.T, o *rooms.Rooms, change func(*v1alpha1.ElasticJobSpec)) {
	t.Helper()
	ej := get(t, o, "resnet", &v1alpha1.ElasticJob{})
	change(&ej.Spec)
	if err := o.Client.Update(t.Context(), ej, client.FieldOwner("kubectl-edit")); err != nil {
		t.Fatal(err)
	}
}

func at(hour int) v1alpha1.Time {
	return v1alpha1.NewTime(start.Add(time.Duration(hour-12) * time.Hour))
}

func TestADeadlineCountsFromWhenItWasWritten(t *testing.T) {
	six := map[string]string{shorthand.DeadlineAnnotation: "6h"}
	eight := map[string]string{shorthand.DeadlineAnnotation: "8h"}
	for name, test := range map[string]struct {
		job  func(*kubeflow.PyTorchJob)
		then func(*testing.T, *rooms.Rooms)
		want v1alpha1.Time
	}{
		"with the job": {nil, nil, at(17)},
		"later": {func(job *kubeflow.PyTorchJob) {
			job.ManagedFields = []metav1.ManagedFieldsEntry{writtenBy("kubectl-annotate", start.Add(-time.Minute), six)}
		}, nil, v1alpha1.NewTime(start.Add(6*time.Hour - time.Minute))},
		"nobody knows when": {func(job *kubeflow.PyTorchJob) { job.ManagedFields = nil }, nil, at(18)},
		"by a clock that is ahead": {func(job *kubeflow.PyTorchJob) {
			job.ManagedFields = []metav1.ManagedFieldsEntry{writtenBy("kubectl-annotate", start.Add(time.Minute), six)}
		}, nil, at(18)},
		"seen again after an outage": {nil, func(_ *testing.T, o *rooms.Rooms) {
			o.Now = func() time.Time { return start.Add(3 * time.Hour) }
		}, at(17)},
		"seen for the first time after an outage": {func(job *kubeflow.PyTorchJob) {
			job.CreationTimestamp = metav1.NewTime(start.Add(-4 * time.Hour))
		},
			nil, at(17)}, // the annotation came later
		"another is written": {nil, func(t *testing.T, o *rooms.Rooms) { annotate(t, o, "kubectl-edit", start, eight) },
			at(20)},
		"another, and the first again": {nil, func(t *testing.T, o *rooms.Rooms) {
			annotate(t, o, "kubectl-edit", start, eight)
			keeps(t, o)
			annotate(t, o, "kubectl-edit", start, six)
		}, at(18)},
		"something else is written by the same hand": {nil, func(t *testing.T, o *rooms.Rooms) {
			annotate(t, o, "kubectl-create", start, map[string]string{"example.com/note": "x"})
		}, at(17)},
		"a copied manifest": {func(job *kubeflow.PyTorchJob) {
			job.Annotations[shorthand.MomentAnnotation] = `{"job":"another","text":"6h","at":"2026-11-20T18:00:00Z"}`
		}, nil, at(17)},
		"it was kept": {func(job *kubeflow.PyTorchJob) {
			job.Annotations[shorthand.MomentAnnotation] = `{"job":"job-resnet","text":"6h","at":"2026-11-21T13:00:00Z"}`
		}, nil, at(13)},
	} {
		t.Run(name, func(t *testing.T) {
			job := annotatedJob(six)
			if test.job != nil {
				test.job(job)
			}
			o := stopped(t, interceptor.Funcs{}, job)
			ej := keeps(t, o)
			if test.then != nil {
				test.then(t, o)
				ej = keeps(t, o)
			}
			if ej == nil || ej.Spec.Deadline != test.want || ej.Spec.DeadlineAfter != "" {
				t.Fatalf("%+v, want %s", ej, test.want)
			}
			if kept, ok := shorthand.DecodeMoment("job-resnet",
				get(t, o, "resnet", job).Annotations[shorthand.DeadlineAnnotation], job.Annotations); !ok ||
				v1alpha1.NewTime(kept) != test.want {
				t.Errorf("kept on the job: %v", job.Annotations)
			}
		})
	}
}

func TestAMomentThatNeedsNobodyToKeepItIsNotKept(t *testing.T) {
	o := stopped(t, interceptor.Funcs{}, annotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "2026-11-21 19:00 Europe/Berlin",
	}))
	if ej := keeps(t, o); ej == nil || ej.Spec.Deadline != at(18) {
		t.Errorf("%+v", ej)
	}
	if _, kept := get(t, o, "resnet", &kubeflow.PyTorchJob{}).Annotations[shorthand.MomentAnnotation]; kept {
		t.Error("it is kept")
	}
}

func TestATimeOfDayIsThatOfTheSettings(t *testing.T) {
	o := stopped(t, interceptor.Funcs{}, annotatedJob(map[string]string{shorthand.DeadlineAnnotation: "18:00"}))
	o.Settings.TimeZone = "Europe/Berlin"
	o.Furnish()
	if ej := keeps(t, o); ej == nil || ej.Spec.Deadline != at(17) {
		t.Errorf("%+v", ej)
	}
	o.Settings.TimeZone = "" // what was found once stays, though nobody could read it now
	o.Furnish()
	if ej := keeps(t, o); ej == nil || ej.Spec.Deadline != at(17) {
		t.Errorf("%+v", ej)
	}
}

func TestOnlyWhatIsWrittenOnTheJobComesFromIt(t *testing.T) {
	o := stopped(t, interceptor.Funcs{}, annotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "6h", shorthand.WorkersAnnotation: "1-8", shorthand.GuaranteeAnnotation: "besteffort",
	}))
	ej := keeps(t, o)
	one, eight := int32(1), int32(8)
	want := v1alpha1.ElasticJobSpec{
		JobRef:   v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "resnet"},
		Deadline: at(17), Guarantee: "BestEffort", Workers: v1alpha1.WorkerRange{Min: &one, Max: &eight},
	}
	if diff := cmp.Diff(want, ej.Spec); diff != "" || len(ej.OwnerReferences) != 1 ||
		ej.Labels[shorthand.MadeLabel] == "" {
		t.Errorf("-want +got\n%s\n%+v", diff, ej.ObjectMeta)
	}
	annotate(t, o, "kubectl-edit", start, map[string]string{
		shorthand.WorkersAnnotation: "", shorthand.ProfileAnnotation: "resnet50",
	})
	want.Workers, want.Profile = v1alpha1.WorkerRange{}, "resnet50"
	if diff := cmp.Diff(want, keeps(t, o).Spec); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Before, what somebody applied over the ElasticJob of an annotation was set back within seconds.
func TestWhatSomebodySetsOnTheElasticJobWinsFieldByField(t *testing.T) {
	o := stopped(t, interceptor.Funcs{}, annotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "6h", shorthand.WorkersAnnotation: "1-8", shorthand.ProfileAnnotation: "resnet50",
	}))
	keeps(t, o)
	eight, four := int32(8), int32(4)
	edit(t, o, func(spec *v1alpha1.ElasticJobSpec) {
		spec.Deadline, spec.Workers.Max, spec.Progress.Total = at(20), &four, "90000"
	})
	annotate(t, o, "kubectl-edit", start, map[string]string{
		shorthand.DeadlineAnnotation: "7h", shorthand.WorkersAnnotation: "2-8",
	})
	ej := keeps(t, o)
	two := int32(2)
	want := v1alpha1.ElasticJobSpec{
		JobRef:   v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "resnet"},
		Deadline: at(20), Profile: "resnet50", Workers: v1alpha1.WorkerRange{Min: &two, Max: &four},
		Progress: v1alpha1.ProgressSpec{Total: "90000"},
	}
	if diff := cmp.Diff(want, ej.Spec); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	message := statusAsWritten(t.Context(), t, o, ej, nil).Message
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
	want.Deadline, want.Workers.Max = at(19), &eight
	if diff := cmp.Diff(want, keeps(t, o).Spec); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	// And what they have set stays when nothing is written on the job any more.
	annotate(t, o, "kubectl-edit", start, map[string]string{
		shorthand.DeadlineAnnotation: "", shorthand.WorkersAnnotation: "", shorthand.ProfileAnnotation: "",
	})
	ej = keeps(t, o)
	if ej == nil || ej.Spec.Deadline != "" || ej.Spec.Progress.Total != "90000" || ej.Labels[shorthand.MadeLabel] != "" {
		t.Errorf("%+v", ej)
	}
}

// It makes no difference which of the two was there first.
func TestAnElasticJobThatSomebodyWroteIsFilledUpFromTheJob(t *testing.T) {
	o := stopped(t, interceptor.Funcs{}, annotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "6h", shorthand.WorkersAnnotation: "1-8",
	}))
	four := int32(4)
	theirs := elasticJob("resnet", func(ej *v1alpha1.ElasticJob) { ej.Spec.Workers.Max, ej.UID = &four, "" })
	if err := o.Client.Create(t.Context(), theirs, client.FieldOwner("kubectl-create")); err != nil {
		t.Fatal(err)
	}
	ej := keeps(t, o)
	if ej.Spec.Deadline != at(17) || *ej.Spec.Workers.Max != 4 || *ej.Spec.Workers.Min != 1 ||
		ej.Labels[shorthand.MadeLabel] != "" {
		t.Errorf("%+v", ej)
	}
	annotate(t, o, "kubectl-edit", start, map[string]string{
		shorthand.DeadlineAnnotation: "", shorthand.WorkersAnnotation: "",
	})
	ej = keeps(t, o)
	if ej == nil || ej.Spec.Deadline != "" || *ej.Spec.Workers.Max != 4 || ej.Spec.Workers.Min != nil {
		t.Errorf("%+v", ej)
	}
}

func TestDeletingTheElasticJobLetsGoOfTheJobUntilItSaysSomethingElse(t *testing.T) {
	o := stopped(t, interceptor.Funcs{}, annotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	sink := events.NewFakeRecorder(10)
	o.Events = telling.NewRecorder(sink, o.Now)
	o.Furnish()
	remove := func() {
		t.Helper()
		if err := o.Client.Delete(t.Context(), keeps(t, o)); err != nil {
			t.Fatal(err)
		}
	}
	remove()
	if ej := keeps(t, o); ej != nil {
		t.Errorf("it is back: %+v", ej)
	}
	if told := <-sink.Events; !strings.Contains(told, "Its ElasticJob was deleted") || len(sink.Events) > 0 {
		t.Errorf("told: %s, and %d more", told, len(sink.Events))
	}
	annotate(t, o, "kubectl-edit", start, map[string]string{shorthand.DeadlineAnnotation: "8h"})
	if ej := keeps(t, o); ej == nil || ej.Spec.Deadline != at(20) {
		t.Errorf("other words are not heard: %+v", ej)
	}
	remove()
	annotate(t, o, "kubectl-annotate", start.Add(time.Hour), map[string]string{shorthand.TakenAnnotation: ""})
	if ej := keeps(t, o); ej == nil || ej.Spec.Deadline != at(20) { // the moment that was found first
		t.Errorf("asked to look after it again: %+v", ej)
	}
	remove()
	annotate(t, o, "kubectl-annotate", start, map[string]string{shorthand.DeadlineAnnotation: ""})
	keeps(t, o)
	annotate(t, o, "kubectl-annotate", start, map[string]string{shorthand.DeadlineAnnotation: "8h"})
	if ej := keeps(t, o); ej == nil {
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
			o := stopped(t,
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
				}}, annotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
			of, _ := known.ByKind("PyTorchJob")
			for range 5 {
				if _, err := o.Keeper(of).Reconcile(t.Context(), request("resnet")); errors.Is(err, errDown) {
					o.Now = func() time.Time { return start.Add(2 * time.Hour) } // after an outage
				} else if err != nil {
					t.Fatal(err)
				}
			}
			if ej := keeps(t, o); ej == nil || ej.Spec.Deadline != at(17) {
				t.Errorf("write %d, done %t: %+v", deadAt, done, ej)
			}
			job := get(t, o, "resnet", &kubeflow.PyTorchJob{})
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
	o := stopped(t, interceptor.Funcs{Patch: guarded}, annotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	o.Now = func() time.Time { return start.Add(time.Hour) }
	if ej := keeps(t, o); ej == nil || ej.Spec.Deadline != at(17) {
		t.Errorf("%+v", ej)
	}
}

// Where somebody sets a field in the very moment in which the job's word is applied, nothing is forced.
func TestAFieldThatSomebodyHasJustSetIsNotForced(t *testing.T) {
	o := stopped(t, interceptor.Funcs{}, annotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"}))
	keeps(t, o)
	old := get(t, o, "resnet", &v1alpha1.ElasticJob{})
	edit(t, o, func(spec *v1alpha1.ElasticJobSpec) { spec.Deadline = at(20) })
	of, _ := known.ByKind("PyTorchJob")
	job := get(t, o, "resnet", &kubeflow.PyTorchJob{})
	k := o.Keeper(of)
	w := &keeping.Written{Object: job, Job: of.Read(job), Ej: old} // as a cache has it that is behind
	err := k.Apply(t.Context(), w, shorthand.Fields{shorthand.Deadline: string(at(18))}, true)
	if !apierrors.IsConflict(err) {
		t.Errorf("%v, want a conflict", err)
	}
	if got := get(t, o, "resnet", &v1alpha1.ElasticJob{}).Spec.Deadline; got != at(20) {
		t.Errorf("the deadline is %s", got)
	}
}

func TestTheCacheKeepsWhoseWordIsWhose(t *testing.T) {
	ej := elasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
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
	o := stopped(t, interceptor.Funcs{}, annotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "6h", shorthand.ExpectedAnnotation: "2h at 4 workers",
	}))
	expects := func(want v1alpha1.Duration, workers int32) {
		t.Helper()
		if got := keeps(t, o).Spec.Expected; got.Duration != want || got.Workers == nil || *got.Workers != workers {
			t.Errorf("it is expected to take %+v, want %s with %d", got, want, workers)
		}
	}
	expects("2h0m0s", 4)
	annotate(t, o, "kubectl-edit", start, map[string]string{shorthand.ExpectedAnnotation: "3h at 4 workers"})
	expects("3h0m0s", 4)
	edit(t, o, func(spec *v1alpha1.ElasticJobSpec) { spec.Expected.Workers = new(int32(8)) })
	expects("3h0m0s", 8)
	annotate(t, o, "kubectl-edit", start, map[string]string{shorthand.ExpectedAnnotation: ""})
	expects("3h0m0s", 8)
}
