package access

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/records"
)

// Records are what the operator keeps of jobs that have ended, of all namespaces, and how many of them make no sense.
func (c *Cluster) Records(ctx context.Context) (all []records.Record, bad int, err error) {
	var list corev1.ConfigMapList
	in := c.operator.namespace
	err = c.Client.List(ctx, &list, client.InNamespace(in), client.HasLabels{v1alpha1.RecordsLabel})
	switch {
	case apierrors.IsForbidden(err):
		return nil, 0, fmt.Errorf("you may not read what takt-operator keeps of jobs in namespace %s, as they are those "+
			"of all tenants: "+
			"ask whoever runs the cluster for takt trace, or for the right to list configmaps there", in)
	case err != nil:
		return nil, 0, c.Explain(err)
	case len(list.Items) == 0:
		return nil, 0, fmt.Errorf("takt-operator has kept nothing of jobs in namespace %s yet: it does so once one has "+
			"ended, unless records.keep is 0 in its settings. Name another namespace with --operator-namespace; takt "+
			"doctor says what is installed", in)
	}
	for i := range list.Items {
		of, wrong := records.Decode(list.Items[i].BinaryData[v1alpha1.RecordsKey])
		all, bad = append(all, of...), bad+wrong
	}
	return all, bad, nil
}
