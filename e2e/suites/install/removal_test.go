package install

import (
	"bytes"
	"strings"
	"testing"
	"time"

	runtimeclient "sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/operator/removal"
)

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

// remove takes Takt out of the cluster, as its command does.
func remove(t *testing.T) {
	apply(t, "config/admission")
	if _, err := fresh.KubectlWith(t.Context(), stoppedByTakt, "apply", "--server-side", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	scheme, err := removal.Scheme()
	if err != nil {
		t.Fatal(err)
	}
	c, err := runtimeclient.New(fresh.Config(), runtimeclient.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // what is done already is no error
		var said bytes.Buffer
		options := removal.Options{Namespace: "takt-system", Name: operator, Within: 5 * time.Minute, Say: &said}
		if err := removal.Run(t.Context(), c, options); err != nil {
			t.Fatalf("%v, after it has said:\n%s", err, &said)
		}
	}
	suspend, err := fresh.Kubectl(t.Context(), "-n", "training", "get", "pytorchjob", "stopped", "-o",
		`jsonpath={.spec.runPolicy.suspend}{.metadata.annotations.takt\.dev/held}{.spec.pytorchReplicaSpecs.Worker.template.metadata.labels}`)
	if err != nil || strings.Trim(suspend, "{}") != "false" {
		t.Errorf("the job says %q (%v)", suspend, err)
	}
	for _, kind := range []string{"elasticjobs", "resizes", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings"} {
		if left, err := fresh.Kubectl(t.Context(), "get", kind, "-A", "-o", "name"); err != nil || strings.Contains(left, "takt") || strings.Contains(left, "stopped") {
			t.Errorf("some %s are left: %q (%v)", kind, left, err)
		}
	}
}
