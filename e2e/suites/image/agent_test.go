package image

import (
	"strings"
	"testing"
)

// wrapped says what its workers run, and no more: nothing of the agent.
const wrapped = `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: wrapped, annotations: {takt.dev/deadline: 1h}}
spec:
  runPolicy: {suspend: true}
  pytorchReplicaSpecs:
    Worker:
      replicas: 2
      restartPolicy: OnFailure
      template:
        spec:
          schedulerName: takt-scheduler
          containers:
          - {name: pytorch, image: "` + trainImage + `", command: [/train, "160"], resources: {limits: {nvidia.com/gpu: 1}}}
`

// trainWithAgent has Takt put the agent that it was installed with into the pods of a job, which it takes to its end.
func trainWithAgent(t *testing.T, agent reference) {
	namespace := real.Namespace(t)
	if _, err := real.KubectlWith(t.Context(), wrapped, "--namespace", namespace, "apply", "--server-side", "-f",
		"-"); err != nil {
		t.Fatal(err)
	}
	kubectl(t, "--namespace", namespace, "wait", "--for=create", "--timeout", enough, "elasticjob/wrapped")
	// Once it has ended, its output may tell the rest.
	kubectl(t, "--namespace", namespace, "wait", "--for=jsonpath={.status.progress.source}=Agent", "--timeout", enough,
		"elasticjob/wrapped")
	kubectl(t, "--namespace", namespace, "wait", "--for=condition=Succeeded", "--timeout", enough, "elasticjob/wrapped")
	image := agent.name + ":" + agent.tag
	for what, want := range map[string]string{
		"elasticjob/wrapped={.status.verdict}":                          "Met",
		"pytorchjob/wrapped={.status.replicaStatuses.Worker.succeeded}": "2",
		"pod/wrapped-worker-0={.spec.initContainers[*].image}":          image,
		"pod/wrapped-worker-1={.spec.initContainers[*].image}":          image,
	} {
		object, path, _ := strings.Cut(what, "=")
		if got := kubectl(t, "--namespace", namespace, "get", object, "--output", "jsonpath="+path); got != want {
			t.Errorf("%s of %s is %q, want %q", path, object, got, want)
		}
	}
}
