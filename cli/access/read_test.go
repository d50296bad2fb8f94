package access

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/shorthand"
)

// A job without an ElasticJob is told what is in the way, and not to write what is written there already.
func TestWhyAJobIsNotLookedAfter(t *testing.T) {
	deadline := map[string]string{"takt.dev/deadline": "6h"}
	taken, err := shorthand.EncodeTaken("1", shorthand.Read(nil, deadline, nil))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		labels, annotations map[string]string
		want                string
	}{
		"nothing is written": {nil, nil, "kubectl -n team annotate pytorchjob resnet takt.dev/deadline=6h"},
		"a deadline":         {nil, deadline, "takt doctor says whether takt-operator runs"},
		"a queue":            {map[string]string{"takt.dev/queue": "research"}, nil, "takt doctor says"},
		"a misspelt key":     {nil, map[string]string{"takt.dev/deadlin": "6h"}, "takt doctor says"},
		"its ElasticJob was deleted": {
			nil, map[string]string{"takt.dev/deadline": "6h", "takt.dev/taken": taken},
			"kubectl -n team annotate pytorchjob resnet takt.dev/taken-",
		},
		"other words than those of the ElasticJob that was deleted": {
			nil, map[string]string{"takt.dev/deadline": "7h", "takt.dev/taken": taken}, "takt doctor says",
		},
	} {
		t.Run(name, func(t *testing.T) {
			job := &unstructured.Unstructured{Object: map[string]any{"kind": "PyTorchJob"}}
			job.SetNamespace("team")
			job.SetName("resnet")
			job.SetUID(types.UID("1"))
			job.SetLabels(c.labels)
			job.SetAnnotations(c.annotations)
			if err := notLookedAfter(job, true); !strings.Contains(err.Error(), c.want) {
				t.Errorf("it says %q, want %q", err, c.want)
			}
			if err := notLookedAfter(job, false); !strings.Contains(err.Error(), "completionMode: Indexed") {
				t.Errorf("of a Job that is not Indexed it says %q", err)
			}
		})
	}
}

// Takt itself writes jobs with their namespaces: what is typed after that must be no other job.
func TestWhichJobIsMeant(t *testing.T) {
	for typed, want := range map[string]string{
		"resnet":                          "home/resnet",
		"elasticjob/resnet":               "home/resnet",
		"ej/resnet":                       "home/resnet",
		"elasticjobs.takt.dev/resnet":     "home/resnet",
		"PyTorchJob/resnet":               "home/resnet",
		"pytorchjobs.kubeflow.org/resnet": "home/resnet",
		"jobs/resnet":                     "home/resnet",
		"team-b/gpt":                      "team-b/gpt",
		"home/resnet":                     "home/resnet",
	} {
		got, err := (&Cluster{Namespace: "home"}).meant(typed)
		if err != nil || got.String() != want {
			t.Errorf("%s means %s (%v), want %s", typed, got, err, want)
		}
	}
	chosen := &Cluster{Namespace: "home", Chosen: true}
	if got, err := chosen.meant("home/resnet"); err != nil || got.String() != "home/resnet" {
		t.Errorf("the same namespace said twice means %s (%v)", got, err)
	}
	for typed, want := range map[string]string{
		"team-b/gpt": "-n names home", "/gpt": "is no job", "team-b/": "is no job", "ej/team-b/gpt": "is no job",
	} {
		if _, err := chosen.meant(typed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("of %s with -n home it says %v, want %q", typed, err, want)
		}
	}
}

// A namespace may be called as a kind is.
func TestAJobThatMayBeAnotherIsNotGuessed(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	of := func(namespace, name string) *v1alpha1.ElasticJob {
		return &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	}
	c := &Cluster{Namespace: "home", Client: fake.NewClientBuilder().WithScheme(scheme).WithObjects(of("home", "resnet"),
		of("home", "gpt"), of("jobs", "resnet"), of("jobs", "bert")).Build()}
	for _, typed := range []string{"jobs/resnet", "jobs/bert"} {
		if _, err := c.Job(t.Context(), typed); err == nil || !strings.Contains(err.Error(), "with -n") {
			t.Errorf("of %s it says %v", typed, err)
		}
	}
	for typed, want := range map[string]string{"jobs/gpt": "home", "resnet": "home", "ej/resnet": "home"} {
		if job, err := c.Job(t.Context(), typed); err != nil || job.Namespace != want {
			t.Errorf("%s: %v (%v), want that of %s", typed, job, err, want)
		}
	}
	for _, namespace := range []string{"home", "jobs"} {
		c.Namespace, c.Chosen = namespace, true
		if job, err := c.Job(t.Context(), "jobs/resnet"); err != nil || job.Namespace != namespace {
			t.Errorf("with -n %s it is %v (%v)", namespace, job, err)
		}
	}
}
