package localcluster_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const pytorchJob = `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: %s}
spec:
  elasticPolicy: {rdzvBackend: c10d, minReplicas: 1, maxReplicas: 8}
  pytorchReplicaSpecs:
    Worker:
      replicas: 2
      restartPolicy: Never
      template:
        metadata: {annotations: {localcluster.takt.dev/stop-after: 0s%s}}
        spec:
          containers: [{name: pytorch, image: "example.com/train:1", resources: {limits: {nvidia.com/gpu: 1}}}]
`

const tfJob = `
apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: %s}
spec:
  tfReplicaSpecs:
    Worker:
      replicas: 2
      template:
        metadata: {annotations: {localcluster.takt.dev/stop-after: 0s%s}}
        spec:
          containers: [{name: tensorflow, image: "example.com/train:1", resources: {limits: {nvidia.com/gpu: 1}}}]
`

func TestTrainingJobsRun(t *testing.T) {
	c := shared(t)
	cases := map[string]struct {
		manifest, plural, annotations, want string
	}{
		"pytorch-done": {pytorchJob, "pytorchjobs", `, localcluster.takt.dev/run-for: 1s`, "Succeeded"},
		"pytorch-broken": {pytorchJob, "pytorchjobs",
			`, localcluster.takt.dev/run-for: 1s, localcluster.takt.dev/exit-code: "1"`, "Failed"},
		"tf-done": {tfJob, "tfjobs", `, localcluster.takt.dev/run-for: 1s`, "Succeeded"},
		"tf-broken": {tfJob, "tfjobs", `, localcluster.takt.dev/run-for: 1s, localcluster.takt.dev/exit-code: "1"`,
			"Failed"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			if output, err := c.kubectl(t, fmt.Sprintf(test.manifest, name, test.annotations), "apply", "-f", "-"); err != nil {
				t.Fatal(output)
			}
			eventually(t, name, func(ctx context.Context) error {
				job, err := c.dynamic(t).Resource(schema.GroupVersionResource{Group: "kubeflow.org", Version: "v1",
					Resource: test.plural}).
					Namespace(c.namespace).Get(ctx, name, metav1.GetOptions{})
				if err != nil {
					return err
				}
				conditions, _, _ := unstructured.NestedSlice(job.Object, "status", "conditions")
				for _, condition := range conditions {
					if is := condition.(map[string]any); is["type"] == test.want && is["status"] == "True" {
						return nil
					}
				}
				return fmt.Errorf("is not %s: %v", test.want, conditions)
			})
		})
	}
}

// The real training-operator grows a running job without touching its pods, and a suspended job
// has none.
func TestATrainingJobGrowsAndIsSuspended(t *testing.T) {
	c := shared(t)
	if output, err := c.kubectl(t, fmt.Sprintf(pytorchJob, "resnet", ""), "apply", "-f", "-"); err != nil {
		t.Fatal(output)
	}
	before := c.awaitWorkers(t, 2)

	patch := func(text string) {
		t.Helper()
		if output, err := c.kubectl(t, "", "patch", "pytorchjob", "resnet", "--type=merge", "-p", text); err != nil {
			t.Fatal(output)
		}
	}
	patch(`{"spec": {"pytorchReplicaSpecs": {"Worker": {"replicas": 4}}}}`)
	after := c.awaitWorkers(t, 4)
	for _, worker := range before {
		if !slices.Contains(after, worker) {
			t.Errorf("%s did not survive the growth: %v", worker, after)
		}
	}
	patch(`{"spec": {"runPolicy": {"suspend": true}}}`)
	c.awaitWorkers(t, 0)
}

// awaitWorkers waits until just so many workers run, and gives their names and identities.
func (c *testCluster) awaitWorkers(t *testing.T, want int) []string {
	t.Helper()
	var workers []string
	eventually(t, fmt.Sprintf("%d workers", want), func(ctx context.Context) error {
		pods, err := c.client.CoreV1().Pods(c.namespace).List(ctx, metav1.ListOptions{
			LabelSelector: "training.kubeflow.org/job-name=resnet",
		})
		if err != nil {
			return err
		}
		workers = nil
		for _, worker := range pods.Items {
			if worker.Status.Phase == corev1.PodRunning {
				workers = append(workers, worker.Name+" "+string(worker.UID))
			}
		}
		if len(workers) != want || len(pods.Items) != want {
			return fmt.Errorf("there are %d, and %d run", len(pods.Items), len(workers))
		}
		return nil
	})
	return workers
}

func TestTheWebhooksOfTheTrainingOperatorJudge(t *testing.T) {
	c := shared(t)
	bad := strings.Replace(fmt.Sprintf(pytorchJob, "bad", ""), "name: pytorch,", "name: other,", 1)
	output, err := c.kubectl(t, bad, "apply", "-f", "-")
	if err == nil || !strings.Contains(output, "validator.pytorchjob.training-operator.kubeflow.org") {
		t.Errorf("a job without a container named pytorch is answered with: %v\n%s", err, output)
	}
}

func TestComponentsHaveNoMoreRightsThanTheyNeed(t *testing.T) {
	c := shared(t)
	for _, name := range []string{"kwok", "training-operator", "kube-scheduler"} {
		config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(c.dir, "pki", name+".kubeconfig"))
		if err != nil {
			t.Fatal(err)
		}
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		err = client.CoreV1().Namespaces().Delete(t.Context(), "default", metav1.DeleteOptions{})
		if !apierrors.IsForbidden(err) {
			t.Errorf("%s may delete a namespace, or something else is wrong: %v", name, err)
		}
	}
}
