package install

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// pods are those of the job that has trained since before the upgrade.
func pods(t *testing.T) string {
	t.Helper()
	said, err := fresh.Kubectl(t.Context(), "--namespace", "live", "get", "pods", "--output",
		"jsonpath={range .items[*]}{.metadata.uid} {.status.phase} {end}")
	if err != nil || strings.Count(said, "Running") != 2 {
		t.Errorf("the job that trained since before the upgrade has these pods: %q (%v)", said, err)
	}
	return said
}

// stoppedByTakt is a job that Takt has suspended, with its ElasticJob. The UID comes from the API server.
const stoppedByTakt = `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: stopped, namespace: training, annotations: {takt.dev/held: until-admitted, takt.dev/deadline: 6h}}
spec:
  runPolicy: {suspend: true}
  pytorchReplicaSpecs:
    Worker:
      replicas: 1
      template:
        metadata: {labels: {takt.dev/epoch: "3", takt.dev/job: stopped}}
        spec: {containers: [{name: pytorch, image: "example.com/train:1", resources: {limits: {nvidia.com/gpu: 1}}}]}
---
apiVersion: takt.dev/v1alpha1
kind: ElasticJob
metadata: {name: stopped, namespace: training}
spec: {jobRef: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: stopped}}
`

// remove takes Takt out of the cluster, as the Job of config/removal does: with its rights, and those alone. No program
// runs in the pods of simulated nodes, so it runs here.
func remove(t *testing.T) {
	before := pods(t)
	apply(t, "config/removal")
	apply(t, "config/admission")
	if _, err := fresh.KubectlWith(t.Context(), stoppedByTakt, "apply", "--server-side", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	who := as(t, "takt-removal")
	for range 2 { // what is done already is no error
		said, err := exec.CommandContext(t.Context(), cluster.Program(operator), "remove", "--kubeconfig", who, "--within",
			"5m").CombinedOutput()
		if err != nil {
			t.Fatalf("%v, after it has said:\n%s", err, said)
		}
	}
	suspend, err := fresh.Kubectl(t.Context(), "-n", "training", "get", "pytorchjob", "stopped", "-o",
		`jsonpath={.spec.runPolicy.suspend}{.metadata.annotations.takt\.dev/held}{.spec.pytorchReplicaSpecs.Worker.template.metadata.labels}`)
	if err != nil || strings.Trim(suspend, "{}") != "false" {
		t.Errorf("the job says %q (%v)", suspend, err)
	}
	for _, kind := range []string{"elasticjobs", "resizes", "mutatingadmissionpolicies",
		"mutatingadmissionpolicybindings"} {
		if left, err := fresh.Kubectl(t.Context(), "get", kind, "-A", "-o", "name"); err != nil ||
			strings.Contains(left, "takt") || strings.Contains(left, "stopped") {
			t.Errorf("some %s are left: %q (%v)", kind, left, err)
		}
	}
	for _, folder := range []string{"config/scheduler/beside", "config/removal", "config/default"} {
		if _, err := fresh.Kubectl(t.Context(), "delete", "--ignore-not-found", "-k", folder); err != nil {
			t.Error(err)
		}
	}
	gone := regexp.MustCompile(
		`takt\.dev|/(takt-system|takt-operator|takt-operator-jobs|takt-removal|takt-edit|takt-view|takt-queues-view)$`)
	for _, kind := range []string{"customresourcedefinitions", "clusterroles", "clusterrolebindings", "priorityclasses",
		"namespaces"} {
		left, err := fresh.Kubectl(t.Context(), "get", kind, "--output", "name")
		if err != nil {
			t.Error(err)
		}
		for name := range strings.FieldsSeq(left) {
			if gone.MatchString(name) {
				t.Errorf("%s is left", name)
			}
		}
	}
	if now := pods(t); now != before {
		t.Errorf("the job that trained has these pods: %q, and had %q", now, before)
	}
}
