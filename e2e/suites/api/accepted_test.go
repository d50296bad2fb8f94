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
	"github.com/takt-dev/takt/e2e/lib/cluster"
)

func TestGoodObjectsAreAccepted(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"the least there can be":       elasticJob(goodJob),
		"a deadline in the past":       elasticJob(goodJob + "\ndeadline: '2001-01-01T00:00:00Z'"),
		"a deadline with another zone": elasticJob(goodJob + "\ndeadline: '2026-11-21T18:00:00.5+05:30'"),
		"a deadline on a leap day":     elasticJob(goodJob + "\ndeadline: '2028-02-29T18:00:00Z'"),
		"a duration of several units":  elasticJob(goodJob + "\ndeadlineAfter: 1h30m"),
		"a duration with a fraction":   elasticJob(goodJob + "\ndeadlineAfter: 1.5h"),
		"a duration of 1000 hours":     elasticJob(goodJob + "\ndeadlineAfter: 1000h"),
		"min 0":                        elasticJob(goodJob + "\nworkers: {min: 0, max: 1}"),
		"what is expected":             elasticJob(goodJob + "\nexpected: {duration: 1h30m, workers: 4}"),
		"only max":                     elasticJob(goodJob + "\nworkers: {max: 8}"),
		"only some sizes":              elasticJob(goodJob + "\nworkers: {sizes: [1, 2, 4, 8]}"),
		"sizes within bounds":          elasticJob(goodJob + "\nworkers: {sizes: [1, 2, 4, 8], min: 2, max: 5}"),
		"sizes that are multiples":     elasticJob(goodJob + "\nworkers: {sizes: [4, 8, 10], multipleOf: 4}"),
		"multiples":                    elasticJob(goodJob + "\nworkers: {min: 8, max: 64, multipleOf: 8}"),
		"multiples, without bounds":    elasticJob(goodJob + "\nworkers: {multipleOf: 8}"),
		"a multiple from 0":            elasticJob(goodJob + "\nworkers: {min: 0, max: 8, multipleOf: 8}"),
		"an Indexed Job":               elasticJob("jobRef: {apiVersion: batch/v1, kind: Job, name: bert}"),
		"an Indexed Job with a long name that begins with a digit": elasticJob("jobRef: {apiVersion: batch/v1, kind: Job, " +
			"name: 20261127-" + strings.Repeat("b", 49) + "}"),
		"a TFJob":                   elasticJob("jobRef: {apiVersion: kubeflow.org/v1, kind: TFJob, name: bert}"),
		"progress of steps":         elasticJob(goodJob + "\nprogress: {total: '1000'}"),
		"progress of any container": elasticJob(goodJob + "\nprogress: {container: pytorch, port: 8080, path: /stats}"),
		"progress from logs":        elasticJob(goodJob + "\nprogress: {source: Logs, container: pytorch, total: '90'}"),
		"progress from a metric": elasticJob(goodJob +
			"\nprogress: {source: Prometheus, metric: steps, total: '0.5', port: 8080, path: '/stats?a=b'}"),
		"progress from two metrics": elasticJob(goodJob +
			"\nprogress: {source: CustomMetrics, metric: train/steps.done, totalMetric: train_steps_planned}"),
		"one of low priority":       elasticJob(goodJob + "\npriority: -1000"),
		"one that goes a day later": elasticJob(goodJob + "\nttlAfterFinished: 24h"),
		"progress from the agent":   elasticJob(goodJob + "\nprogress: {source: Agent}"),
		"names of 63 characters": "kind: ElasticJob\nmetadata: {name: " + strings.Repeat("a", 63) + "}\nspec: {" +
			goodJob + "}",
		"a resize that starts a job":     resize("elasticJob: resnet, epoch: 1, from: 0, to: 2, mode: Live, reason: Started"),
		"a resize that stops a job":      resize("elasticJob: resnet, epoch: 1, from: 2, to: 0, mode: Cold, reason: Stopped"),
		"a resize that settles for less": resize(goodResize + ", acceptable: 3"),
		"a resize with sizes": resize("elasticJob: resnet, epoch: 1, from: 2, to: 8, mode: Live, reason: " +
			"DeadlineRisk, acceptable: 4, sizes: [4, 8]"),
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

// What Go makes of times, durations and numbers must be accepted.
func TestTypedValuesAreAccepted(t *testing.T) {
	t.Parallel()
	c := connect(t)
	job := &v1alpha1.ElasticJob{
		ObjectMeta: metav1.ObjectMeta{Name: "typed", Namespace: cluster.Shared().Namespace(t)},
		Spec: v1alpha1.ElasticJobSpec{
			JobRef: v1alpha1.JobReference{APIVersion: "kubeflow.org/v1", Kind: "TFJob", Name: "bert"},
		},
	}
	if err := c.Create(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	for _, moment := range []time.Time{time.Unix(0, 0), time.Unix(1, 999),
		time.Date(2026, 11, 21, 18, 0, 0, 0, time.FixedZone("", 5*3600+1800))} {
		job.Status.Deadline = v1alpha1.NewTime(moment)
		if err := c.Status().Update(t.Context(), job); err != nil {
			t.Error(err)
		}
	}
	for _, duration := range []time.Duration{
		time.Millisecond, 1500 * time.Millisecond, 59 * time.Second, 90 * time.Minute, 6 * time.Hour,
		100*24*time.Hour + time.Minute + 5*time.Second,
	} {
		job.Spec.DeadlineAfter = v1alpha1.NewDuration(duration)
		if err := c.Update(t.Context(), job); err != nil {
			t.Error(err)
		}
	}
	profile := &v1alpha1.TrainingProfile{ObjectMeta: metav1.ObjectMeta{Name: "typed", Namespace: job.Namespace}}
	if err := c.Create(t.Context(), profile); err != nil {
		t.Fatal(err)
	}
	for _, speed := range []float64{1e-12, 0.034, 12.5, 1.0 / 3, 1e14} {
		profile.Status.Speeds = []v1alpha1.MeasuredSpeed{{
			Run: "resnet-1f9c", GPU: "A100", Workers: 1, Nodes: 1, Count: 1, PerSecond: v1alpha1.NewDecimal(speed),
			UpdatedAt: v1alpha1.NewTime(time.Unix(0, 0)),
		}}
		if err := c.Status().Update(t.Context(), profile); err != nil {
			t.Error(err)
		}
	}
}

// A client in Go reads an object, changes its metadata and writes it back whole. Nothing in it may
// have come to differ on the way, or an object that cannot change could never be labelled.
func TestTypedObjectsCanBeWrittenBack(t *testing.T) {
	t.Parallel()
	c := connect(t)
	namespace := cluster.Shared().Namespace(t)
	share := createQueue(t, c, "kind: TrainingQueue\nmetadata: {generateName: test-}\nspec: {guaranteed: 1}")
	cases := map[string]struct {
		typed    client.Object
		manifest string
	}{
		"ElasticJob with deadline": {
			&v1alpha1.ElasticJob{}, elasticJob(goodJob + "\ndeadline: '2026-11-21T18:00:00.5+05:30'"),
		},
		"ElasticJob with duration": {
			&v1alpha1.ElasticJob{}, strings.Replace(elasticJob(goodJob+"\ndeadlineAfter: 90m"), "refused", "other", 1),
		},
		"Resize":          {&v1alpha1.Resize{}, resize(goodResize)},
		"TrainingProfile": {&v1alpha1.TrainingProfile{}, "kind: TrainingProfile\nmetadata: {name: profile}"},
		"TrainingQueue":   {&v1alpha1.TrainingQueue{}, ""},
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
			if test.typed.GetGeneration() != generation {
				t.Error("writing it back has changed its spec")
			}
		})
	}
}

func TestDefaultsAreFilledIn(t *testing.T) {
	t.Parallel()
	c := connect(t)
	namespace := cluster.Shared().Namespace(t)

	job := object(t, elasticJob(goodJob), namespace)
	if err := c.Create(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	wantJob := map[string]any{
		"jobRef": map[string]any{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "name": "resnet"},
		"queue":  "default",
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
	t.Parallel()
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
