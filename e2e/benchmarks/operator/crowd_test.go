package operator

import (
	"context"
	"fmt"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// crowd is a namespace with many jobs that run. They say once how far they are, and then no more.
type crowd struct {
	namespace string
	client    client.Client
	jobs      int
	waiting   int // of them, beyond what the nodes have room for
}

const gpusPerNode = 8

// gather makes a crowd, and waits until all run that have room. Each job has one worker with a GPU,
// may have two, and every third has a deadline.
func gather(b *testing.B, namespace string, jobs, waiting int) *crowd {
	b.Helper()
	c, err := client.New(cluster.Shared().Config(), client.Options{})
	if err != nil {
		b.Fatal(err)
	}
	all := &crowd{namespace: namespace, client: c, jobs: jobs, waiting: waiting}
	ctx := b.Context()
	if err := c.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}); err != nil &&
		!apierrors.IsAlreadyExists(err) {
		b.Fatal(err)
	}
	makers, making := errgroup.WithContext(ctx)
	makers.SetLimit(16)
	for i := range (jobs - waiting + gpusPerNode - 1) / gpusPerNode {
		makers.Go(func() error { return made(c.Create(making, all.node(i))) })
	}
	for i := range jobs {
		makers.Go(func() error { return made(c.Create(making, all.job(i, i >= jobs-waiting))) })
	}
	if err := makers.Wait(); err != nil {
		b.Fatal(err)
	}
	eventually(b, "the crowd runs", 20*time.Minute, func() error {
		var pods corev1.PodList
		if err := c.List(ctx, &pods, client.InNamespace(namespace)); err != nil {
			return err
		}
		running := 0
		for i := range pods.Items {
			if pods.Items[i].Status.Phase == corev1.PodRunning {
				running++
			}
		}
		if running < jobs-waiting {
			return fmt.Errorf("%d of %d run", running, jobs-waiting)
		}
		return nil
	})
	return all
}

func made(err error) error {
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

func (c *crowd) node(i int) *corev1.Node {
	resources := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("128"), corev1.ResourceMemory: resource.MustParse("1Ti"),
		corev1.ResourcePods: resource.MustParse("110"),
		"nvidia.com/gpu":    *resource.NewQuantity(gpusPerNode, resource.DecimalSI),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("%s-%d", c.namespace, i), Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"},
			Labels: map[string]string{"crowd": c.namespace, "nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"},
		},
		Status: corev1.NodeStatus{Capacity: resources, Allocatable: resources},
	}
}

func (c *crowd) job(i int, suspended bool) *unstructured.Unstructured {
	notes := map[string]any{
		"takt.dev/profile":          fmt.Sprintf("code-%d", i%50),
		training.ProgressAnnotation: progress(1000),
	}
	if i%3 == 0 {
		notes["takt.dev/deadline"] = "48h"
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{
			"namespace": c.namespace, "name": fmt.Sprintf("job-%04d", i), "annotations": notes,
			"labels": map[string]any{"takt.dev/queue": "default"},
		},
		"spec": map[string]any{
			"runPolicy": map[string]any{"suspend": suspended},
			"elasticPolicy": map[string]any{
				"rdzvBackend": "c10d", "minReplicas": int64(1), "maxReplicas": int64(2), "maxRestarts": int64(100),
			},
			"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{
				"replicas": int64(1), "restartPolicy": "OnFailure",
				"template": map[string]any{"spec": map[string]any{
					"nodeSelector": map[string]any{"crowd": c.namespace},
					"containers": []any{map[string]any{
						"name": "pytorch", "image": "example.com/train:1", "command": []any{"python", "train.py"},
						"env": []any{
							map[string]any{"name": "DATA", "value": "/data/imagenet"},
							map[string]any{"name": "NCCL_DEBUG", "value": "INFO"},
						},
						"resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "1", "cpu": "8", "memory": "64Gi"}},
					}},
				}},
			}},
		},
	}}
}

func progress(steps int) string {
	return fmt.Sprintf("%d/100000 steps at %s", steps, time.Now().UTC().Format(time.RFC3339))
}

// advance lets all jobs get on for a while, at one speed, and then no more. They report one after the
// other, and each so often.
func (c *crowd) advance(ctx context.Context, times int, every time.Duration) error {
	begin, count := time.Now(), c.jobs-c.waiting
	writers, writing := errgroup.WithContext(ctx)
	writers.SetLimit(16)
	for n := range times * count {
		world.Until(writing, begin.Add(every+time.Duration(n)*every/time.Duration(count)))
		if writing.Err() != nil {
			break
		}
		writers.Go(func() error {
			steps := 1000 + int(10*time.Since(begin).Seconds())
			patch := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, training.ProgressAnnotation, progress(steps))
			return c.client.Patch(writing, c.job(n%count, false), client.RawPatch(types.MergePatchType, patch))
		})
	}
	return writers.Wait()
}

// leave takes all of it away, so that the next operator has nothing of it to look after.
func (c *crowd) leave(b *testing.B) {
	b.Helper()
	ctx := context.WithoutCancel(b.Context())
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: c.namespace}}
	if err := c.client.Delete(ctx, namespace); err != nil {
		b.Fatal(err)
	}
	eventually(b, "the crowd has left", 10*time.Minute, func() error {
		switch err := c.client.Get(ctx, client.ObjectKeyFromObject(namespace), namespace); {
		case apierrors.IsNotFound(err):
			return nil
		case err != nil:
			return err
		}
		return fmt.Errorf("namespace %s is %s", c.namespace, namespace.Status.Phase)
	})
	if err := c.client.DeleteAllOf(ctx, &corev1.Node{}, client.MatchingLabels{"crowd": c.namespace}); err != nil {
		b.Fatal(err)
	}
}

// known waits until every job of the crowd has a verdict.
func (c *crowd) known(b *testing.B) {
	b.Helper()
	all, err := client.New(cluster.Shared().Config(), client.Options{Scheme: scheme()})
	if err != nil {
		b.Fatal(err)
	}
	eventually(b, "Takt knows all jobs", 15*time.Minute, func() error {
		var ejs v1alpha1.ElasticJobList
		if err := all.List(b.Context(), &ejs, client.InNamespace(c.namespace)); err != nil {
			return err
		}
		judged := 0
		for i := range ejs.Items {
			if ejs.Items[i].Status.Verdict != "" {
				judged++
			}
		}
		for i := range ejs.Items {
			if c := meta.FindStatusCondition(ejs.Items[i].Status.Conditions, v1alpha1.ConditionAdmitted); c != nil &&
				c.Status == metav1.ConditionFalse && ejs.Items[i].Status.Workers.Running > 0 {
				b.Fatalf("%s is left alone: %s", ejs.Items[i].Name, c.Message)
			}
		}
		if judged < c.jobs {
			return fmt.Errorf("%d of %d have a verdict", judged, c.jobs)
		}
		return nil
	})
}

// eventually looks every few seconds, for what is looked at is large.
func eventually(b *testing.B, what string, limit time.Duration, check func() error) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), limit)
	defer cancel()
	for {
		err := check()
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			b.Fatalf("it did not come about within %v that %s: %v", limit, what, err)
		}
		world.Until(ctx, time.Now().Add(3*time.Second))
	}
}

// scheme knows the kinds of Takt.
func scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(s); err != nil {
		panic(err)
	}
	return s
}
