package main

import (
	"context"
	_ "embed"
	"path/filepath"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// trained is what is shown where there is root: nodes with kubelet and containerd, and processes that train with
// PyTorch. With one worker a step takes a second, and starting the workers anew takes fifteen.
var trained = story{on: "two real nodes of two GPUs", real: true, parts: []part{
	{
		name: "search", most: 4, gpus: 1, steps: 2000,
		says: "It has no deadline: it takes what is free, and gives it back.",
	},
	{
		name: "resnet", after: 40 * time.Second, deadline: 5 * time.Minute, most: 2, gpus: 1, steps: 120,
		says: "It has time: one worker will do.",
	},
	{
		name: "llama", after: 50 * time.Second, deadline: 3 * time.Minute, infeasible: true, most: 4, gpus: 1, steps: 4000,
		says: "No size that it may have does so much in so little time.",
	},
	{
		name: "bert", after: 90 * time.Second, deadline: 5 * time.Minute, most: 4, gpus: 1, steps: 320,
		says: "It is in a hurry, and others have all GPUs.",
	},
}}

// trainedSettings are those of the operator on real nodes.
//
//go:embed takt-real.yaml
var trainedSettings []byte

// script is what all jobs run: a normal elastic training that knows nothing of Takt.
const script = "e2e/suites/real/testdata/train.py"

// code is the ConfigMap that has the script.
const code = "code"

// furnish gives a cluster what its jobs train with.
func furnish(ctx context.Context, c *cluster.Cluster) error {
	if err := c.GiveTraining(ctx); err != nil {
		return err
	}
	_, err := c.Kubectl(ctx, "create", "configmap", code, "--from-file", filepath.Join(cluster.Root(), script))
	return err
}

// trains is the PyTorchJob of a part that trains. The nodes are on this machine, so that a folder of it is the file
// system that they share.
func (p part) trains(folder string) *unstructured.Unstructured {
	job := p.job(map[string]any{
		"image": cluster.TrainImage, "imagePullPolicy": "Never",
		"command": []any{
			"torchrun", "/code/train.py", "--steps=" + strconv.Itoa(p.steps), "--sample-seconds=0.02",
			"--checkpoint=/data/run.pt",
		},
		"volumeMounts": []any{
			map[string]any{"name": code, "mountPath": "/code"}, map[string]any{"name": "data", "mountPath": "/data"},
		},
	}, map[string]string{})
	set := func(value any, path ...string) { _ = unstructured.SetNestedField(job.Object, value, path...) }
	set("1", "spec", "nprocPerNode")
	set([]any{
		map[string]any{"name": code, "configMap": map[string]any{"name": code}},
		map[string]any{"name": "data", "hostPath": map[string]any{
			"path": filepath.Join(folder, "data", p.name), "type": "DirectoryOrCreate",
		}},
	}, "spec", "pytorchReplicaSpecs", "Worker", "template", "spec", "volumes")
	return job
}
