package planning

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/view"
)

// quotaCap is the size beyond which a quota does not let a job grow; why is empty if none does.
type quotaCap struct {
	most elastic.Workers
	why  string
}

// observeBudgets finds what quotas leave in each namespace that has jobs.
func (p *Planner) observeBudgets(ctx context.Context, sc *Scene) (err error) {
	sc.budgets = map[string]*capacity.Budget{}
	for _, s := range slices.Concat(sc.Subjects, sc.Held) {
		if in := s.ElasticJob.Namespace; sc.budgets[in] == nil {
			if sc.budgets[in], err = p.budget(ctx, in); err != nil {
				return err
			}
		}
	}
	return nil
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

// capped is the size that the quotas of its namespace allow a job, and never less than it has or is
// about to have.
func capped(s *view.Subject, sc *Scene, job *elastic.Job) quotaCap {
	left, limited, why := sc.budgets[s.ElasticJob.Namespace].Left(charged(s))
	if !limited {
		return quotaCap{}
	}
	if s.Size() == 0 && left > 0 {
		left += job.Leaders // which are among its workers, and take no GPU
	}
	return quotaCap{max(job.Workers, elastic.Workers(s.Size())+left), why}
}

// charged is what a worker of a job takes of a quota. It is seen of the last, unless that is a leader.
func charged(s *view.Subject) capacity.Charged {
	w := capacity.Charged{Template: s.Job.Worker}
	if n := len(s.Pods); n > 0 && (s.Job.Alone || resize.Workers(s.Pods[n-1].Index) >= s.Job.Fixed) {
		w.Running = s.Pods[n-1].Pod
	}
	return w
}
