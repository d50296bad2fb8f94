package main

import (
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/takt-dev/takt/e2e/lib/training"
)

// namespace is where the jobs of the demo are, so that kubectl needs no -n.
const namespace = metav1.NamespaceDefault

// story is what is played: on which nodes, and which jobs come.
type story struct {
	on    string // the nodes, in words
	parts []part
	real  bool // its nodes are real, and its jobs train
}

// part is a job of the story.
type part struct {
	name string
	// after is when it is submitted, reckoned from the beginning, and deadline how long it may take
	// from then on; zero for a job that has none.
	after, deadline time.Duration
	// infeasible says that its deadline cannot be met, by design.
	infeasible bool
	most       int           // workers
	gpus       int           // of each worker
	training   training.Spec // as it is played
	steps      int           // of one that trains
	says       string        // what is worth watching about it
}

// simulated is what is played where nothing but the control plane is real: two workers of four GPUs fill a node, and
// sixteen the cluster. What a job needs for its deadline leaves it a good part of its time, so that a slow machine does
// not change the end.
var simulated = story{on: "eight simulated nodes of eight GPUs", parts: []part{
	{
		name: "search", most: 16, gpus: 4, training: trains(2400),
		says: "It has no deadline: it takes what is free, and gives it back.",
	},
	{
		name: "resnet", after: 2 * time.Second, deadline: 110 * time.Second, most: 8, gpus: 4, training: trains(1000),
		says: "It has time: a few workers will do.",
	},
	{
		name: "llama", after: 4 * time.Second, deadline: 80 * time.Second, infeasible: true, most: 8, gpus: 4,
		training: trains(8000),
		says:     "No size that it may have does so much in so little time.",
	},
	{
		name: "bert", after: 20 * time.Second, deadline: 95 * time.Second, most: 8, gpus: 4, training: trains(1500),
		says: "It is in a hurry, and others have nearly all GPUs.",
	},
	{
		name: "whisper", after: 36 * time.Second, deadline: 80 * time.Second, most: 4, gpus: 4, training: trains(720),
		says: "It comes last, and needs two workers though all are taken.",
	},
}}

// trains is a training of eight steps a second with one worker, and a little less with every further
// one. It takes a second and a half to restart, and saves its state every two seconds.
func trains(steps float64) training.Spec {
	return training.Spec{
		Total: steps, StepsPerSecond: training.Speed{Base: 8, Scaling: 0.92},
		Restart:         metav1.Duration{Duration: 1500 * time.Millisecond},
		CheckpointEvery: metav1.Duration{Duration: 2 * time.Second},
	}
}

// job is the PyTorchJob of a part of the story. What it trains with is kept in a folder, if anything.
func (s story) job(p part, folder string) *unstructured.Unstructured {
	if s.real {
		return p.trains(folder)
	}
	job := p.job(map[string]any{
		"image": "example.com/" + p.name + ":1", "command": []any{"torchrun", "train.py"},
	}, map[string]string{training.SimulateAnnotation: p.training.String()})
	_ = unstructured.SetNestedStringMap(job.Object, map[string]string{"localcluster.takt.dev/stop-after": "1s"},
		"spec", "pytorchReplicaSpecs", "Worker", "template", "metadata", "annotations")
	return job
}

// job is a PyTorchJob. That it is elastic, and by when it must be finished, is all that it says to Takt, which starts
// it.
func (p part) job(container map[string]any, notes map[string]string) *unstructured.Unstructured {
	container["name"] = "pytorch"
	container["resources"] = map[string]any{"limits": map[string]any{"nvidia.com/gpu": strconv.Itoa(p.gpus)}}
	job := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"runPolicy": map[string]any{"suspend": true},
		"elasticPolicy": map[string]any{
			"rdzvBackend": "c10d", "minReplicas": int64(1), "maxReplicas": int64(p.most), "maxRestarts": int64(100),
		},
		"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{
			"replicas":      int64(1),
			"restartPolicy": "OnFailure",
			"template":      map[string]any{"spec": map[string]any{"containers": []any{container}}},
		}},
	}}}
	job.SetGroupVersionKind(pytorchJob)
	job.SetNamespace(namespace)
	job.SetName(p.name)
	job.SetLabels(map[string]string{"takt.dev/queue": "default"})
	if p.deadline > 0 {
		notes["takt.dev/deadline"] = p.deadline.String()
	}
	job.SetAnnotations(notes)
	return job
}

var pytorchJob = schema.GroupVersionKind{Group: "kubeflow.org", Version: "v1", Kind: "PyTorchJob"}
