package submit

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/cli/golden"
)

const manifest = `apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: resnet
  annotations: {mine: stays}
spec:
  runPolicy: {backoffLimit: 3}
  pytorchReplicaSpecs: {Worker: {replicas: 1}}
`

const indexed = `apiVersion: batch/v1
kind: Job
metadata: {name: resnet}
spec: {completionMode: Indexed, completions: 2, parallelism: 2}
`

func TestWhatIsWishedIsWrittenOnTheJob(t *testing.T) {
	for name, wishes := range map[string]Wishes{
		"deadline": {Deadline: "6h"},
		"all": {Deadline: "6h", Queue: "research", Priority: "10", Workers: "1-8", Guarantee: "Promise",
			Profile: "resnet50", Expected: "6h at 4 workers"},
		"sizes":   {Deadline: "6h", Workers: "1,2,4,8"},
		"at_once": {Queue: "research", AtOnce: true},
	} {
		t.Run(name, func(t *testing.T) {
			job, err := Read(strings.NewReader(manifest))
			if err != nil {
				t.Fatal(err)
			}
			if err := wishes.Write(job, golden.Now); err != nil {
				t.Fatal(err)
			}
			text, err := yaml.Marshal(job.Object)
			if err != nil {
				t.Fatal(err)
			}
			golden.Equal(t, name, string(text))
		})
	}
}

// An Indexed Job says elsewhere that it is suspended.
func TestAnIndexedJobIsSubmitted(t *testing.T) {
	job, err := Read(strings.NewReader(indexed))
	if err != nil {
		t.Fatal(err)
	}
	if err := (Wishes{Deadline: "6h", After: "prepare pretrain"}).Write(job, golden.Now); err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(job.Object)
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "indexed", string(text))
}

// A job that was to start is marked: one that Takt leaves alone starts as it was written then, and waits for nobody.
// What somebody has suspended in the manifest is theirs.
func TestAJobThatWasToStartIsMarked(t *testing.T) {
	suspended := strings.Replace(manifest, "{backoffLimit: 3}", "{suspend: true}", 1)
	for name, c := range map[string]struct {
		manifest string
		wishes   Wishes
		want     bool
	}{
		"a job of Kubeflow":      {manifest, Wishes{Deadline: "6h"}, true},
		"an Indexed Job":         {indexed, Wishes{Deadline: "6h"}, true},
		"one that is suspended":  {suspended, Wishes{Deadline: "6h"}, false},
		"one that starts itself": {manifest, Wishes{Deadline: "6h", AtOnce: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			job, err := Read(strings.NewReader(c.manifest))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.wishes.Write(job, golden.Now); err != nil {
				t.Fatal(err)
			}
			if got := job.GetAnnotations()["takt.dev/held"] != ""; got != c.want {
				t.Errorf("it is marked: %v, want %v", got, c.want)
			}
		})
	}
}

func TestWhatCannotBeWishedIsRefused(t *testing.T) {
	for want, wishes := range map[string]Wishes{
		"give one with --deadline, such as 6h":            {},
		`--deadline is "6": a number has no`:              {Deadline: "6"},
		`--deadline is "2020-01-01T00:00:00Z", which has`: {Deadline: "2020-01-01T00:00:00Z"},
		`--queue is "Team A"`:                             {Queue: "Team A"},
		`--workers is "eight"`:                            {Deadline: "6h", Workers: "eight"},
		`--guarantee is "Maybe"`:                          {Deadline: "6h", Guarantee: "Maybe"},
	} {
		t.Run(want, func(t *testing.T) {
			job, err := Read(strings.NewReader(manifest))
			if err != nil {
				t.Fatal(err)
			}
			if err := wishes.Write(job, golden.Now); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the error is %v, want %q", err, want)
			}
		})
	}
}

func TestALabelOfKueueWithoutAValueSaysNothing(t *testing.T) {
	text := strings.Replace(manifest, "metadata:", "metadata:\n  labels: {kueue.x-k8s.io/queue-name: ''}", 1)
	if _, err := Read(strings.NewReader(text)); err != nil {
		t.Errorf("the job is refused: %v", err)
	}
}

func TestWhatIsNoJobIsRefused(t *testing.T) {
	for want, text := range map[string]string{
		"the manifest is empty":                "---\n",
		"the manifest has 2 objects":           manifest + "---\n" + manifest,
		"the manifest is a Pod of v1":          "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n",
		"the manifest is a thing without kind": "metadata: {name: a}\n",
		"the Job is not Indexed":               strings.Replace(indexed, "completionMode: Indexed, ", "", 1),
		"the job has no name":                  strings.Replace(manifest, "  name: resnet\n", "", 1),
		"the label kueue.x-k8s.io/queue-name: q": strings.Replace(manifest, "metadata:",
			"metadata:\n  labels: {kueue.x-k8s.io/queue-name: q}", 1),
		"spec.runPolicy.managedBy: kueue.x-k8s.io/multikueue": strings.Replace(manifest, "backoffLimit: 3",
			"managedBy: kueue.x-k8s.io/multikueue", 1),
		"spec.managedBy: others":                   strings.Replace(indexed, "spec: {", "spec: {managedBy: others, ", 1),
		"the manifest cannot be read: error conve": "a: [",
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the error is %v, want %q", err, want)
			}
		})
	}
}
