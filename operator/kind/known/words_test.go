package known

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/shorthand"
)

// running are jobs of each kind that train with one worker, and that can be resized while they do.
var running = map[string]string{
	"PyTorchJob": `{"spec": {"elasticPolicy": {"minReplicas": 1, "maxReplicas": 4, "maxRestarts": 100},
		"pytorchReplicaSpecs": {"Worker": {"replicas": 1, "restartPolicy": "OnFailure", "template": {}}}}}`,
	"TFJob": `{"spec": {"enableDynamicWorker": true, "tfReplicaSpecs": {"PS": {"replicas": 1, "template": {}},
		"Worker": {"replicas": 1, "restartPolicy": "OnFailure", "template": {}}}}}`,
	"Job": `{"spec": {"completionMode": "Indexed", "parallelism": 1, "completions": 1,
		"template": {"spec": {"containers": [{"command": ["torchrun", "--nnodes=1:4", "--max-restarts=100",
		"--rdzv-backend=c10d", "train.py"]}]}}}}`,
}

// Nobody is told that what Takt itself has written on a job is misspelt.
func TestWhatTaktWritesOnAJobIsNotMisspelt(t *testing.T) {
	for _, of := range Kinds() {
		for name, ask := range map[string]resize.Ask{
			"grows": {Epoch: 2, Stage: resize.Forward, Workers: 4, At: time.Unix(0, 0)},
			"stops": {Epoch: 2, Stage: resize.Forward, Workers: 1, Suspended: true, At: time.Unix(0, 0)},
		} {
			t.Run(of.GroupVersionKind().Kind+" "+name, func(t *testing.T) {
				job := of.New()
				if err := json.Unmarshal([]byte(running[of.GroupVersionKind().Kind]), job); err != nil {
					t.Fatal(err)
				}
				job.SetName("resnet")
				job.SetUID("1")
				job.SetResourceVersion("1")
				patch, err := of.Patch(job, ask, kind.Target{ElasticJob: "resnet", Least: 1, Most: 4, ReturnsTo: 1})
				if err != nil {
					t.Fatal(err)
				}
				var patched struct {
					Metadata struct{ Labels, Annotations map[string]string }
				}
				if err := json.Unmarshal(patch, &patched); err != nil || len(patched.Metadata.Annotations) == 0 {
					t.Fatalf("nothing is written on it: %s (%v)", patch, err)
				}
				for _, fault := range shorthand.Read(patched.Metadata.Labels, patched.Metadata.Annotations, nil).Faults {
					t.Error(fault.Sentence)
				}
			})
		}
	}
}
