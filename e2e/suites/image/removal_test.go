package image

import (
	"strings"
	"testing"
)

// waiting waits for Takt, and cannot be started: no node has so many GPUs.
const waiting = `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: waiting, namespace: default, annotations: {takt.dev/deadline: 1h}}
spec:
  runPolicy: {suspend: true}
  pytorchReplicaSpecs:
    Worker:
      replicas: 1
      restartPolicy: OnFailure
      template: {spec: {containers: [{name: pytorch, image: "` + trainImage + `", resources: {limits: {nvidia.com/gpu: 3}}}]}}
`

// wait makes the job that waits for Takt, and returns once Takt looks after it.
func wait(t *testing.T) {
	t.Helper()
	if _, err := real.KubectlWith(t.Context(), waiting, "apply", "--server-side", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	kubectl(t, "wait", "--for=jsonpath={.status.verdict}", "--timeout", enough, "elasticjob/waiting")
	if got := suspended(t); got != "true" {
		t.Fatalf("a job for which there is no room is suspended: %q", got)
	}
}

func suspended(t *testing.T) string {
	t.Helper()
	return kubectl(t, "get", "pytorchjob/waiting", "--output", "jsonpath={.spec.runPolicy.suspend}")
}

// letGo judges that the job does not wait for Takt any more, and that Takt is gone; then it deletes the job.
func letGo(t *testing.T) {
	t.Helper()
	if got := suspended(t); got != "false" {
		t.Errorf("the job that waited for Takt is suspended: %q", got)
	}
	if left := kubectl(t, "get", "clusterroles,clusterrolebindings,priorityclasses", "--output",
		"name"); strings.Contains(left, "/takt-operator") || strings.Contains(left, "/takt-removal") {
		t.Errorf("of Takt these are left:\n%s", left)
	}
	kubectl(t, "delete", "pytorchjob", "waiting")
}
