package access

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/shares"
)

// Serves says whether the cluster has a kind.
func (c *Cluster) Serves(kind schema.GroupVersionKind) bool {
	_, err := c.Client.RESTMapper().RESTMapping(kind.GroupKind(), kind.Version)
	return err == nil
}

// Ready says what would keep a job of this queue, in a namespace, from ever being started, if it does not start by
// itself.
func (c *Cluster) Ready(ctx context.Context, namespace, queue string, byItself bool) error {
	own := v1alpha1.GroupVersion.WithKind("ElasticJob")
	if _, err := c.Client.RESTMapper().RESTMapping(own.GroupKind(), own.Version); err != nil {
		return c.Explain(err)
	}
	if lease, err := c.Core.CoordinationV1().Leases(c.operator.namespace).Get(ctx, operatorName,
		metav1.GetOptions{}); err == nil && !byItself {
		if _, alive := Holder(lease, time.Now()); !alive {
			return fmt.Errorf("takt-operator does not run, so nobody would start the job: see takt doctor, or submit it with " +
				"--at-once, to start by itself")
		}
	}
	var chosen v1alpha1.TrainingQueue
	err := c.Client.Get(ctx, client.ObjectKey{Name: queue}, &chosen)
	switch {
	case err == nil && c.shut(ctx, namespace, &chosen):
		return fmt.Errorf("namespace %s may not use TrainingQueue %s, as its namespaceSelector does not choose it: name "+
			"another with --queue, or ask whoever runs the cluster; takt queues -o wide says who may use which", namespace,
			queue)
	case err == nil:
		return nil
	case !apierrors.IsNotFound(err):
		return c.Explain(err)
	case queue == shares.Default().Name: // it is there without anybody having made it
		return nil
	}
	queues, err := c.Queues(ctx)
	if err != nil || len(queues) == 0 {
		return fmt.Errorf("there is no TrainingQueue %s, nor any other: leave --queue out, or create it", queue)
	}
	var names []string
	for _, q := range queues {
		names = append(names, q.Name)
	}
	return fmt.Errorf("there is no TrainingQueue %s: name one of %s", queue, few(names))
}

// shut says that a namespace may not use a queue. Labels that nobody may read here are left to the operator: whoever
// may not see a namespace may submit jobs there. So is a queue that makes no sense, as its own status tells.
func (c *Cluster) shut(ctx context.Context, namespace string, queue *v1alpha1.TrainingQueue) bool {
	if queue.Spec.NamespaceSelector == nil {
		return false
	}
	var in corev1.Namespace
	if c.Client.Get(ctx, client.ObjectKey{Name: namespace}, &in) != nil {
		return false
	}
	may, wrong := shares.MayUse(queue, in.Labels)
	return !may && wrong == nil
}

// Absent are those of some jobs of a namespace that are not there, neither as ElasticJobs nor as jobs that Takt has not
// come to yet. What cannot be seen may be there.
func (c *Cluster) Absent(ctx context.Context, namespace string, names []string) (absent []string) {
	for _, name := range names {
		key := client.ObjectKey{Namespace: namespace, Name: name}
		there := !apierrors.IsNotFound(c.Client.Get(ctx, key, &v1alpha1.ElasticJob{}))
		there = there || slices.ContainsFunc(written.Kinds, func(kind written.Kind) bool {
			job := &unstructured.Unstructured{}
			job.SetGroupVersionKind(kind.GroupVersionKind)
			err := c.Client.Get(ctx, key, job)
			return err == nil || apierrors.IsForbidden(err)
		})
		if !there {
			absent = append(absent, name)
		}
	}
	return absent
}
