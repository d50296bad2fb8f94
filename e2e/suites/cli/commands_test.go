package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/elastic"
)

// Each command is called as a person would, on jobs that train.
func TestEachCommandTellsOfJobsThatTrain(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	eight := int32(8)
	queue := h.Queue("research", v1alpha1.TrainingQueueSpec{Guaranteed: &eight})
	pace := training.Speed{Base: 10, Scaling: 0.9}
	h.PyTorchJob("resnet", world.Job{
		Workers: 1, Max: 4, Suspended: true, Queue: queue, Deadline: "1d", Training: world.Steps(60000, pace),
	})
	h.PyTorchJob("sweep", world.Job{Workers: 2, Max: 8, Suspended: true, Queue: queue})
	h.Eventually("resnet is judged, and sweep runs", world.Later, func() error {
		st := h.Job("resnet").Status
		if st.Verdict != v1alpha1.VerdictOnTrack || st.Prediction.ETA == "" || st.Workers.Running == 0 ||
			len(h.Resizes("resnet")) == 0 || h.Job("sweep").Status.Workers.Running == 0 {
			return fmt.Errorf("it is %s with %d workers: %s", st.Verdict, st.Workers.Running, st.Message)
		}
		return nil
	})
	at := []string{"--operator-namespace", h.Namespace}

	h.wants(h.takt("list"), "NAME", "resnet", "sweep", "OnTrack", queue)
	h.wants(h.takt("list", "-A", "-o", "wide"), "NAMESPACE", h.Namespace, "PyTorchJob/resnet", "MESSAGE")
	h.wants(h.takt("queues"), queue, "GUARANTEED")
	h.wants(h.takt("timeline", "resnet"), "resnet: PyTorchJob/resnet", "workers", "deadline ", "resnet-1", "Started")
	h.wants(h.takt(append([]string{"why", "resnet"}, at...)...), "Why this size", "Its deadline", "Who holds the GPUs",
		h.Namespace+"/sweep", "8 GPUs")
	h.wants(h.takt(append([]string{"whatif", "resnet", "--deadline", "1m"}, at...)...), "as it is", "as asked",
		"Infeasible")
	h.wants(h.takt(append([]string{"whatif", "sweep", "--workers", "1", "--gpus", "+8"}, at...)...), "sweep",
		"Nothing was changed")

	h.wants(h.takt(append([]string{"whatif", "resnet", "--workers", "1-6"}, at...)...), "It may have 4 workers at most",
		"takt.dev/workers: 1-6")

	listed := h.takt("list", "-o", "json")
	var jobs v1alpha1.ElasticJobList
	if err := json.Unmarshal([]byte(listed.out), &jobs); err != nil || len(jobs.Items) != 2 ||
		jobs.Items[0].Kind != "ElasticJob" {
		t.Errorf("the list as JSON has %d jobs (%v)", len(jobs.Items), err)
	}
	file := h.snapshot(at)
	h.wants(h.takt("plan", "--file", file), h.Namespace+"/resnet")
	h.wants(h.takt("why", "resnet", "--snapshot", file), "Who holds the GPUs", h.Namespace+"/sweep")
	h.wants(h.takt("whatif", h.Namespace+"/resnet", "--gpus", "64", "--snapshot", file), "resnet would end")
	if completed := h.takt("__complete", "why", "r"); !strings.HasPrefix(completed.out, "resnet\tPyTorchJob/resnet") {
		t.Errorf("the name is completed as %q", completed.out)
	}
}

// snapshot writes the snapshot into a file, from the pod that leads and from the address of the operator.
func (h *home) snapshot(at []string) string {
	h.t.Helper()
	file := filepath.Join(h.t.TempDir(), "snapshot.json")
	text := h.takt(append([]string{"snapshot"}, at...)...)
	var s elastic.Snapshot
	if err := json.Unmarshal([]byte(text.out), &s); err != nil || len(s.Jobs) != 2 {
		h.t.Fatalf("the snapshot has %d jobs (%v): %s", len(s.Jobs), err, text.errors)
	}
	if err := os.WriteFile(file, []byte(text.out), 0o600); err != nil {
		h.t.Fatal(err)
	}
	h.wants(h.takt(append([]string{"snapshot", "--operator", "https://" + h.address}, at...)...), h.Namespace+"/resnet")
	return file
}

// exists says whether a job has its ElasticJob.
func (h *home) exists(name string) error {
	return h.Client.Get(h.t.Context(), client.ObjectKey{Namespace: h.Namespace, Name: name}, &v1alpha1.ElasticJob{})
}

const manifest = `apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: bert
spec:
  elasticPolicy: {rdzvBackend: c10d, minReplicas: 1, maxReplicas: 2}
  pytorchReplicaSpecs:
    Worker:
      replicas: 1
      restartPolicy: OnFailure
      template:
        spec:
          containers:
          - name: pytorch
            image: training
            command: [torchrun, train.py]
            resources: {limits: {nvidia.com/gpu: 1}}
`

const indexed = `apiVersion: batch/v1
kind: Job
metadata:
  name: sweep
spec:
  completionMode: Indexed
  completions: 1
  parallelism: 1
  template:
    spec:
      restartPolicy: OnFailure
      containers:
      - name: train
        image: training
        command: [torchrun, --rdzv-backend=c10d, train.py]
        resources: {limits: {nvidia.com/gpu: 1}}
`

func TestAJobIsSubmittedSuspendedAndResumed(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	at := []string{"--operator-namespace", h.Namespace}
	h.wants(h.taktWith(manifest, "submit", "-f", "-", "--deadline", "6h", "--dry-run"), "takt.dev/deadline: 6h",
		"suspend: true")
	h.wants(h.taktWith(manifest, "submit", "-f", "-", "--deadline", "6h", "--dry-run=server"), "would be created")
	h.refuses(h.taktWith(manifest, "submit", "-f", "-", "--deadline", "6x"), 2, `"x" is no unit`)
	h.refuses(h.taktWith(manifest, "submit", "-f", "-", "--queue", "nowhere"), 1, "there is no TrainingQueue nowhere")
	h.refuses(h.taktWith(manifest, "submit", "-f", "-"), 2, "--deadline, such as 6h")
	h.wants(h.taktWith(manifest, "submit", "-f", "-", "--deadline", "6h", "--workers", "1-2"),
		"PyTorchJob/bert is created", "takt why bert")
	h.refuses(h.taktWith(manifest, "submit", "-f", "-", "--deadline", "6h"), 1, "already exists")

	// The pods of this manifest tolerate no taint of the world, so the job waits until Takt has started it.
	h.Eventually("Takt has taken the job on", world.Soon, func() error {
		return h.exists("bert")
	})
	h.wants(h.taktWith(indexed, "submit", "-f", "-", "--deadline", "6h", "--after", "bert", "--dry-run=server"),
		"Job/sweep would be created")
	h.PyTorchJob("resnet", world.Job{Workers: 1, Max: 4, Suspended: true, Deadline: "2h"})
	h.IndexedJob("sweep", world.Job{Workers: 1, Max: 2, Suspended: true, Deadline: "2h"})
	h.suspendsAndResumes("resnet", at)
	h.suspendsAndResumes("sweep", at)
}

// suspendsAndResumes does so to a job that is about to run.
func (h *home) suspendsAndResumes(name string, at []string) {
	h.Eventually(name+" runs", world.Later, func() error { return world.Want("runs", h.Running(name) > 0, true) })
	h.wants(h.takt("suspend", name), name+" is suspended")
	h.Eventually("its workers are gone, by the hand of a person", world.Soon, func() error {
		c := meta.FindStatusCondition(h.Job(name).Status.Conditions, v1alpha1.ConditionSuspended)
		if c == nil {
			return errors.New("nothing is said of that yet")
		}
		return world.Want("reason", c.Reason, v1alpha1.ReasonSuspendedByUser)
	})
	h.wants(h.takt("suspend", name), "is suspended already")
	h.wants(h.takt(append([]string{"why", name}, at...)...), "takt resume "+name)
	h.wants(h.takt("resume", name), "Takt goes on with it")
	h.Eventually(name+" runs again", world.Later, func() error {
		return world.Want("runs", h.Running(name) > 0, true)
	})
	h.wants(h.takt("resume", name), "is not suspended")
}

func TestTheDoctorFindsWhatIsBroken(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	// Others have misspelt jobs of their own.
	at := []string{"--namespace", h.Namespace, "--operator-namespace", h.Namespace}
	h.PyTorchJob("resnet", world.Job{Workers: 1, Max: 4, Suspended: true, Deadline: "2h"})
	h.Eventually("resnet runs", world.Later, func() error { return world.Want("runs", h.Running("resnet") > 0, true) })
	h.Eventually("the doctor finds the operator well", world.Soon, func() error {
		well := h.takt(append([]string{"doctor"}, at...)...)
		for _, part := range []string{"kinds of Takt: ElasticJob, Resize", "takt-operator: ", " leads.",
			"snapshot: you may see", "your rights: all 5"} {
			if !strings.Contains(well.out, part) {
				return fmt.Errorf("it does not say %q", part)
			}
		}
		return nil
	})
	h.PyTorchJob("misspelt", world.Job{
		Workers: 1, Suspended: true, Annotations: map[string]string{"takt.dev/deadlin": "6h"},
	})
	h.Eventually("what is misspelt was seen", world.Soon, func() error {
		return h.exists("misspelt")
	})
	h.Eventually("the doctor has found it", world.Soon, func() error {
		sick := h.takt(append([]string{"doctor"}, at...)...)
		if sick.code != 3 || sick.errors != "" || !strings.Contains(sick.out, "broken  "+h.Namespace+"/misspelt: ") ||
			!strings.Contains(sick.out, "write takt.dev/deadline") {
			return fmt.Errorf("it ends with %d: %s%s", sick.code, sick.out, sick.errors)
		}
		return nil
	})
	h.StopOperator()
	h.Eventually("the doctor misses the operator", world.Soon, func() error {
		sick := h.takt(append([]string{"doctor"}, at...)...)
		if sick.code != 3 || !strings.Contains(sick.out, "broken  takt-operator: nobody ") {
			return fmt.Errorf("it ends with %d: %s", sick.code, sick.out)
		}
		return nil
	})
	h.refuses(h.takt(append([]string{"snapshot"}, at...)...), 1, "takt-operator does not run")
	h.refuses(h.taktWith(manifest, append([]string{"submit", "-f", "-", "--deadline", "6h"}, at...)...), 1,
		"nobody would start the job")
}

// What is asked in vain is explained, in one line.
func TestWhatCannotBeDoneIsExplained(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.PyTorchJob("alone", world.Job{Workers: 1, Suspended: true})
	h.refuses(h.takt("why", "nobody"), 1, "there is no ElasticJob nobody in namespace "+h.Namespace)
	h.refuses(h.takt("why", "alone"), 1, "Takt does not look after PyTorchJob/alone")
	h.refuses(h.takt("why"), 2, "the job is missing")
	h.refuses(h.takt("whatif", "alone"), 2, "what would be different?")
	h.refuses(h.takt("snapshot", "--operator-namespace", "nowhere"), 1, "no takt-operator leads in namespace nowhere")
	h.refuses(h.takt("list", "--server", "https://127.0.0.1:1"), 1, "does not answer")
	h.refuses(h.takt("list", "--context", "none"), 1, `the kubeconfig has no context "none"`)
	h.refuses(h.takt("list", "--token", "wrong", "--kubeconfig", h.nobody()), 1, "does not know you")
	none := h.takt("list")
	if none.code != 0 || !strings.Contains(none.errors, "Takt looks after no job in namespace "+h.Namespace) {
		t.Errorf("of no job it says %q", none.errors)
	}
}

// nobody is a kubeconfig that names the cluster and no user.
func (h *home) nobody() string {
	h.t.Helper()
	config := filepath.Join(h.t.TempDir(), "nobody")
	text := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: %q, "+
		"insecure-skip-tls-verify: true}}]\n"+
		"users: [{name: u, user: {}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n",
		cluster.Shared().Config().Host)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return config
}

func TestItIsAPluginOfKubectl(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	folder := t.TempDir()
	for _, name := range []string{"kubectl-takt", "kubectl_complete-takt"} {
		if err := os.Symlink(cluster.Program("takt"), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	environment := append(h.environment(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	help := call(t, cluster.Program("kubectl"), "", environment, []string{"takt", "why", "--help"})
	if help.code != 0 || !strings.Contains(help.out, "kubectl takt why JOB") ||
		!strings.Contains(help.out, "  kubectl takt why resnet") {
		t.Errorf("as a plugin it ends with %d, and its help is\n%s%s", help.code, help.out, help.errors)
	}
	completed := call(t, filepath.Join(folder, "kubectl_complete-takt"), "", environment, []string{"que"})
	if !strings.HasPrefix(completed.out, "queues\t") {
		t.Errorf("as a plugin it completes %q", completed.out)
	}
}
