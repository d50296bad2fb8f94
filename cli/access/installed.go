package access

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Serves says whether the cluster has a kind.
func (c *Cluster) Serves(kind schema.GroupVersionKind) bool {
	_, err := c.Client.RESTMapper().RESTMapping(kind.GroupKind(), kind.Version)
	return err == nil
}

// Ready says what would keep a job of this queue from ever being started, if it does not start by itself.
func (c *Cluster) Ready(ctx context.Context, queue string, byItself bool) error {
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
	if queue == "default" { // it is there without anybody having made it
		return nil
	}
	err := c.Client.Get(ctx, client.ObjectKey{Name: queue}, &v1alpha1.TrainingQueue{})
	if !apierrors.IsNotFound(err) {
		return c.Explain(err)
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
