package indexedjob

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

var (
	created = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	asked   = created.Add(time.Hour)
	ended   = created.Add(3 * time.Hour)
	target  = kind.Target{ElasticJob: "bert", Least: 1, Most: 8}
)

// running is an elastic Job of two workers that runs.
func running(change ...func(*batchv1.Job)) *batchv1.Job {
	b := &batchv1.Job{
		TypeMeta: metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "team", Name: "bert", UID: "u-1", ResourceVersion: "41", CreationTimestamp: metav1.NewTime(created),
			Annotations: map[string]string{"takt.dev/deadline": "6h"},
		},
		Spec: batchv1.JobSpec{
			CompletionMode: new(batchv1.IndexedCompletion), Parallelism: new(int32(2)), Completions: new(int32(2)),
			BackoffLimit: new(int32(6)), Suspend: new(false),
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "training"}},
				Spec: corev1.PodSpec{
					NodeSelector: map[string]string{"disk": "fast"},
					Containers: []corev1.Container{{Name: "train", Command: []string{
						"torchrun", "--nnodes=1:8", "--max-restarts=100", "--rdzv-backend=c10d", "train.py",
					}}},
				},
			},
		},
		Status: batchv1.JobStatus{Active: 2, StartTime: new(metav1.NewTime(created))},
	}
	for _, f := range change {
		f(b)
	}
	return b
}

// rests is a Job that was suspended before, and that Kubernetes has brought to rest.
func rests(b *batchv1.Job) {
	b.Spec.Suspend = new(true)
	b.Status = batchv1.JobStatus{
		Conditions: []batchv1.JobCondition{{Type: batchv1.JobSuspended, Status: corev1.ConditionTrue}},
	}
}

func command(words ...string) func(*batchv1.Job) {
	return func(b *batchv1.Job) { b.Spec.Template.Spec.Containers[0].Command = words }
}

func forward(workers resize.Workers) resize.Ask {
	return resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: workers, At: asked}
}

// resized patches a Job as a resize does.
func resized(t *testing.T, b *batchv1.Job, ask resize.Ask) *batchv1.Job {
	t.Helper()
	patch, err := job{}.Patch(b, ask, target)
	if err != nil {
		t.Fatal(err)
	}
	return patched(t, b, &batchv1.Job{}, patch)
}

// patched is an object after a patch, as the API server applies it.
func patched[T any](t *testing.T, object, into T, patch []byte) T {
	t.Helper()
	before, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	after, err := jsonpatch.MergePatch(before, patch)
	if err != nil {
		t.Fatalf("%v, in %s", err, patch)
	}
	if err := json.Unmarshal(after, into); err != nil {
		t.Fatalf("%v, in %s", err, after)
	}
	return into
}

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
