package install

import (
	"context"
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// suspended creates a job on the API server, without keeping it, and gives what it then says of its
// suspension.
func suspended(t *testing.T, kind, metadata, policy string) (string, error) {
	t.Helper()
	replicas := map[string]string{"PyTorchJob": "pytorchReplicaSpecs", "TFJob": "tfReplicaSpecs"}[kind]
	container := map[string]string{"PyTorchJob": "pytorch", "TFJob": "tensorflow"}[kind]
	job := fmt.Sprintf(`{apiVersion: kubeflow.org/v1, kind: %s, metadata: {name: admitted, namespace: default%s},
  spec: {%s%s: {Worker: {template: {spec: {containers: [{name: %s, image: "example.com/train:1", resources: {limits: {nvidia.com/gpu: 1}}}]}}}}}}`,
		kind, metadata, policy, replicas, container)
	return fresh.KubectlWith(t.Context(), job, "create", "--dry-run=server", "-f", "-",
		"-o", "jsonpath={.spec.runPolicy.suspend}")
}

const ours = `, labels: {takt.dev/queue: research}`

// become waits until a new job of Takt is suspended so: policies are compiled in their own time, and the kind, too, is
// there only after a while.
func become(t *testing.T, want string) {
	t.Helper()
	var last string
	if err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, time.Minute, true,
		func(context.Context) (done bool, _ error) {
			said, err := suspended(t, "PyTorchJob", ours, "")
			last = fmt.Sprintf("suspend is %q (%v)", said, err)
			return err == nil && said == want, nil
		}); err != nil {
		t.Fatalf("want suspend %q: %s", want, last)
	}
}

func TestJobsOfTaktWaitUntilTheyAreAdmitted(t *testing.T) {
	apply(t, "config/manager") // its namespace
	apply(t, "config/admission")
	become(t, "true")
	marked, err := fresh.KubectlWith(t.Context(), `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: admitted, namespace: default, annotations: {takt.dev/deadline: 6h}},
  spec: {pytorchReplicaSpecs: {Worker: {template: {spec: {containers: [{name: pytorch, image: "example.com/train:1", resources: {limits: {nvidia.com/gpu: 1}}}]}}}}}}`,
		"create", "--dry-run=server", "-f", "-", "-o", `jsonpath={.metadata.annotations.takt\.dev/held}`)
	if err != nil || marked != "until-admitted" {
		t.Errorf("it is marked %q (%v)", marked, err)
	}
	for name, test := range map[string]struct{ kind, metadata, policy, want string }{
		"by its queue":          {"TFJob", ours, "", "true"},
		"by its deadline":       {"PyTorchJob", `, annotations: {takt.dev/deadline: 6h}`, "", "true"},
		"beside other policy":   {"PyTorchJob", ours, "runPolicy: {backoffLimit: 3}, ", "true"},
		"some sizes":            {"PyTorchJob", ours + `, annotations: {takt.dev/workers: "1, 2,4,8"}`, "", "true"},
		"multiples":             {"PyTorchJob", ours + `, annotations: {takt.dev/workers: 8-64 by 8}`, "", "true"},
		"misspelt sizes":        {"PyTorchJob", ours + `, annotations: {takt.dev/workers: "1,2-4"}`, "", ""},
		"the end of a month":    {"PyTorchJob", `, annotations: {takt.dev/deadline: "2027-01-31T12:00Z"}`, "", "true"},
		"of no concern":         {"PyTorchJob", "", "", ""},
		"misspelt":              {"PyTorchJob", `, annotations: {takt.dev/deadline: six}`, "", ""},
		"other annotations":     {"PyTorchJob", `, annotations: {example.com/a: b}`, "", ""},
		"told to start":         {"PyTorchJob", ours, "runPolicy: {suspend: false}, ", "true"},
		"a job of Kueue":        {"PyTorchJob", `, labels: {takt.dev/queue: a, kueue.x-k8s.io/queue-name: b}`, "", ""},
		"a job of MultiKueue":   {"PyTorchJob", ours, "runPolicy: {managedBy: kueue.x-k8s.io/multikueue}, ", "false"},
		"suspended by its user": {"PyTorchJob", "", "runPolicy: {suspend: true}, ", "true"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := suspended(t, test.kind, test.metadata, test.policy); err != nil || got != test.want {
				t.Errorf("suspend is %q (%v), want %q", got, err, test.want)
			}
		})
	}
}

func TestTheAdmissionPolicyGoesWithTheNamespaceOfTakt(t *testing.T) {
	apply(t, "config/manager")
	apply(t, "config/admission")
	become(t, "true")
	if _, err := fresh.Kubectl(t.Context(), "--namespace", "takt-system", "delete", "configmap",
		"takt-admission"); err != nil {
		t.Fatal(err)
	}
	become(t, "")
}
