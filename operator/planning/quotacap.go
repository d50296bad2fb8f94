package planning

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
)

// quotaCap is the size beyond which a quota does not let a job grow; why is empty if none does.
type quotaCap struct {
	most elastic.Workers
	why  string
}

// budget is what the quotas of a namespace leave.
func (p *Planner) budget(ctx context.Context, namespace string) (*capacity.Budget, error) {
	var quotas corev1.ResourceQuotaList
	if err := p.Client.List(ctx, &quotas, client.InNamespace(namespace)); err != nil {
		return nil, fmt.Errorf("listing the quotas of namespace %s: %w", namespace, err)
	}
	all := make([]*corev1.ResourceQuota, len(quotas.Items))
	for i := range quotas.Items {
		all[i] = &quotas.Items[i]
	}
	return capacity.NewBudget(all), nil
}
