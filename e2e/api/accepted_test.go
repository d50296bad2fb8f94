package api

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/cluster"
)

func TestGoodObjectsAreAccepted(t *testing.T) {
	cases := map[string]string{
		"the least there can be":         elasticJob(goodJob),
		"a deadline in the past":         elasticJob(goodJob + "\ndeadline: '2001-01-01T00:00:00Z'"),
		"a deadline with another zone":   elasticJob(goodJob + "\ndeadline: '2026-11-21T18:00:00.5+05:30'"),
		"a deadline on a leap day":       elasticJob(goodJob + "\ndeadline: '2028-02-29T18:00:00Z'"),
		"a duration of several units":    elasticJob(goodJob + "\ndeadlineAfter: 1h30m"),
		"a duration with a fraction":     elasticJob(goodJob + "\ndeadlineAfter: 1.5h"),
		"a duration of 1000 hours":       elasticJob(goodJob + "\ndeadlineAfter: 1000h"),
		"min 0":                          elasticJob(goodJob + "\nworkers: {min: 0, max: 1}"),
		"only max":                       elasticJob(goodJob + "\nworkers: {max: 8}"),
		"a TFJob":                        elasticJob("jobRef: {apiVersion: kubeflow.org/v1, kind: TFJob, name: bert}"),
		"names of 63 characters":         "kind: ElasticJob\nmetadata: {name: " + strings.Repeat("a", 63) + "}\nspec: {" + goodJob + "}",
		"a resize that starts a job":     resize("elasticJob: resnet, epoch: 1, from: 0, to: 2, mode: Live, reason: Started"),
		"a resize that stops a job":      resize("elasticJob: resnet, epoch: 1, from: 2, to: 0, mode: Cold, reason: Stopped"),
		"a resize that settles for less": resize(goodResize + ", acceptable: 3"),
	}
	c := connect(t)
	for name, manifest := range cases {
		t.Run(name, func(t *testing.T) {
			if err := c.Create(t.Context(), object(t, manifest, cluster.Shared().Namespace(t))); err != nil {
				t.Error(err)
			}
		})
	}
}

// What Go writes must come back as it was: the schema is stricter with times and durations than
// Go is, and must not be stricter than what Go prints.
func TestTypedObjectsComeBackAsTheyWere(t *testing.T) {
	c := connect(t)
	for _, duration := range []time.Duration{
		time.Nanosecond, 800 * time.Microsecond, 1500 * time.Millisecond, 59 * time.Second, 90 * time.Minute, 6 * time.Hour,
		100*24*time.Hour + time.Minute + 5*time.Second,
	} {
		t.Run(duration.String(), func(t *testing.T) {
			want := v1alpha1.ElasticJob{
				ObjectMeta: metav1.ObjectMeta{Name: "typed", Namespace: cluster.Shared().Namespace(t)},
				Spec: v1alpha1.ElasticJobSpec{
					JobRef:        v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "TFJob", Name: "bert"},
					Queue:         "default",
					DeadlineAfter: &metav1.Duration{Duration: duration},
					Guarantee:     v1alpha1.GuaranteePromise,
					Workers:       v1alpha1.WorkerRange{Min: new(int32(1)), Max: new(int32(8))},
				},
			}
			if err := c.Create(t.Context(), want.DeepCopy()); err != nil {
				t.Fatal(err)
			}
			var got v1alpha1.ElasticJob
			if err := c.Get(t.Context(), client.ObjectKeyFromObject(&want), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.Spec, got.Spec); diff != "" {
				t.Errorf("-written +read:\n%s", diff)
			}
		})
	}
}

// A client in Go reads an object, changes its metadata and writes it back whole. Nothing in it may
// have come to differ on the way, or an object that cannot change could never be labelled.
func TestTypedObjectsCanBeWrittenBack(t *testing.T) {
	c := connect(t)
	namespace := cluster.Shared().Namespace(t)
	share := createQueue(t, c, "kind: TrainingQueue\nmetadata: {generateName: test-}\nspec: {guaranteed: 1}")
	cases := map[string]struct {
		typed    client.Object
		manifest string
	}{
		"ElasticJob with deadline": {&v1alpha1.ElasticJob{}, elasticJob(goodJob + "\ndeadline: '2026-11-21T18:00:00.5+05:30'")},
		"ElasticJob with duration": {&v1alpha1.ElasticJob{}, strings.Replace(elasticJob(goodJob+"\ndeadlineAfter: 90m"), "refused", "other", 1)},
		"Resize":                   {&v1alpha1.Resize{}, resize(goodResize)},
		"TrainingProfile":          {&v1alpha1.TrainingProfile{}, "kind: TrainingProfile\nmetadata: {name: profile}"},
		"TrainingQueue":            {&v1alpha1.TrainingQueue{}, ""},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			key := client.ObjectKeyFromObject(share)
			if test.manifest != "" {
				stored := object(t, test.manifest, namespace)
				if err := c.Create(t.Context(), stored); err != nil {
					t.Fatal(err)
				}
				key = client.ObjectKeyFromObject(stored)
			}
			if err := c.Get(t.Context(), key, test.typed); err != nil {
				t.Fatal(err)
			}
			generation := test.typed.GetGeneration()
			test.typed.SetLabels(map[string]string{"seen": "true"})
			if err := c.Update(t.Context(), test.typed); err != nil {
				t.Fatal(err)
			}
			if name == "Resize" && test.typed.GetGeneration() != generation {
				t.Error("writing it back has changed its spec")
			}
		})
	}
}

func TestDefaultsAreFilledIn(t *testing.T) {
	c := connect(t)
	namespace := cluster.Shared().Namespace(t)

	job := object(t, elasticJob(goodJob), namespace)
	if err := c.Create(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	wantJob := map[string]any{
		"jobRef":    map[string]any{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "name": "resnet"},
		"queue":     "default",
		"guarantee": "Promise",
	}
	if diff := cmp.Diff(wantJob, job.Object["spec"]); diff != "" {
		t.Errorf("ElasticJob: -want +got:\n%s", diff)
	}

	share := createQueue(t, c, "kind: TrainingQueue\nmetadata: {generateName: test-}\nspec: {}")
	wantShare := map[string]any{"guaranteed": int64(0), "weight": int64(1), "priority": int64(0), "borrowing": "Allow"}
	if diff := cmp.Diff(wantShare, share.Object["spec"]); diff != "" {
		t.Errorf("TrainingQueue: -want +got:\n%s", diff)
	}

	change := object(t, resize(goodResize), namespace)
	if err := c.Create(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	if within, _, _ := unstructured.NestedInt64(change.Object, "spec", "placeWithinSeconds"); within != 120 {
		t.Errorf("Resize: placeWithinSeconds is %d, want 120", within)
	}
}

// createQueue makes a TrainingQueue, which is in no namespace, and deletes it after the test.
func createQueue(t *testing.T, c client.Client, manifest string) *unstructured.Unstructured {
	t.Helper()
	share := object(t, manifest, "")
	if err := c.Create(t.Context(), share); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Delete(cluster.AfterTest(t), share); err != nil {
			t.Error(err)
		}
	})
	return share
}

func TestSamplesApplyCleanly(t *testing.T) {
	cases := map[string]struct {
		source []string
		kinds  []string
	}{
		"those that people apply": {
			[]string{"-k", "config/samples"}, []string{"elasticjob", "trainingqueue", "trainingprofile", "pytorchjob"},
		},
		"the one that Takt writes": {[]string{"-f", "config/samples/resize.yaml"}, []string{"resize"}},
	}
	kubectl := cluster.Shared().Kubectl
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			target := slices.Concat(test.source, []string{"--namespace", cluster.Shared().Namespace(t)})
			output, err := kubectl(t.Context(), append([]string{"apply", "--server-side"}, target...)...)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if _, err := kubectl(cluster.AfterTest(t), append([]string{"delete"}, target...)...); err != nil {
					t.Error(err)
				}
			})
			for _, kind := range test.kinds {
				if !strings.Contains("\n"+output, "\n"+kind+".") {
					t.Errorf("no %s among the samples:\n%s", kind, output)
				}
			}
			if strings.Contains(strings.ToLower(output), "warning") {
				t.Errorf("a sample is applied with a warning:\n%s", output)
			}
		})
	}
}
