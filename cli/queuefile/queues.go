package queuefile

import (
	"slices"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/shares"
)

// Queues are those that share a cluster.
type Queues []*v1alpha1.TrainingQueue

// From are those that a cluster has.
func From(list []v1alpha1.TrainingQueue) (q Queues) {
	for i := range list {
		q = append(q, &list[i])
	}
	return q
}

// Named is a queue by its name. There always is one that is called default.
func (q Queues) Named(name string) (*v1alpha1.TrainingQueue, bool) {
	i := slices.IndexFunc(q, func(of *v1alpha1.TrainingQueue) bool { return of.Name == name })
	if i < 0 {
		return shares.Default(), name == shares.Default().Name
	}
	return q[i], true
}

// Shares are what each queue has of a cluster with so many GPUs, all of one kind.
func (q Queues) Shares(gpus int) []elastic.Queue {
	if q == nil {
		return nil
	}
	all := slices.Clone(q)
	if of := shares.Default(); !slices.ContainsFunc(q, func(q *v1alpha1.TrainingQueue) bool { return q.Name == of.Name }) {
		all = append(all, of)
	}
	return shares.Of(all, []elastic.Node{{GPUs: elastic.GPUs(gpus)}})
}
