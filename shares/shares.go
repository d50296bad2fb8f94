package shares

import (
	"cmp"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// most is more GPUs than any cluster has, and as much as package elastic reckons with.
const most = 1 << 22

// Default is the queue of jobs that name none, as it is when nobody has made one of that name: with
// the defaults of the schema, open to every namespace.
func Default() *v1alpha1.TrainingQueue {
	none, one := int32(0), int32(1)
	priority := none
	return &v1alpha1.TrainingQueue{
		ObjectMeta: metav1.ObjectMeta{Name: "default"},
		Spec: v1alpha1.TrainingQueueSpec{
			Guaranteed: &none, Weight: &one, Priority: &priority, Borrowing: v1alpha1.BorrowingAllow,
		},
	}
}

// Of is what each queue has of each pool. A guarantee and a limit are given for all GPUs
// together, but a plan is made for one pool at a time: so they are divided, in proportion to the
// GPUs that each pool has, to whole ones by the largest remainders, all queues together; what a queue may borrow is
// divided in the same way, and a limit is the sum of both, so that it is never less than the
// guarantee. A queue that is guaranteed half of the GPUs is guaranteed half of every kind; one whose
// jobs all need the same kind cannot use its guarantee of the others.
func Of(queues []*v1alpha1.TrainingQueue, nodes []elastic.Node) []elastic.Queue {
	sizes := map[string]int64{}
	for _, n := range nodes {
		sizes[n.Pool] += int64(max(n.GPUs, 0))
	}
	if len(sizes) == 0 {
		sizes[""] = 0
	}
	var shares []elastic.Queue
	owed, owedBeyond := map[string]float64{}, map[string]float64{}
	for _, q := range slices.SortedFunc(slices.Values(queues), byName) {
		guaranteed := min(value(q.Spec.Guaranteed, 0), most)
		limit := min(value(q.Spec.Limit, most), most)
		guaranteed = min(guaranteed, limit) // as the schema demands
		guarantees, beyond := divide(guaranteed, sizes, owed), divide(limit-guaranteed, sizes, owedBeyond)
		for pool := range sizes {
			share := elastic.Queue{
				Name: q.Name, Pool: pool,
				Guaranteed:  elastic.GPUs(guarantees[pool]),
				Weight:      int(min(max(value(q.Spec.Weight, 1), 1), most)),
				NoBorrowing: q.Spec.Borrowing == v1alpha1.BorrowingForbid,
			}
			if q.Spec.Priority != nil {
				share.Priority = int(*q.Spec.Priority)
			}
			if q.Spec.Limit != nil {
				limit := elastic.GPUs(guarantees[pool] + beyond[pool])
				share.Limit = &limit
			}
			shares = append(shares, share)
		}
	}
	slices.SortFunc(shares, func(a, b elastic.Queue) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Pool, b.Pool))
	})
	return shares
}

func byName(a, b *v1alpha1.TrainingQueue) int { return cmp.Compare(a.Name, b.Name) }

// value is a number of a spec that is not negative.
func value(v *int32, unless int64) int64 {
	if v == nil {
		return unless
	}
	return max(int64(*v), 0)
}

// divide parts a number in proportion to sizes. Nothing is lost: if all sizes are 0, the first by name has it all.
// Neither numbers nor sizes are above 2^22, or not by so much that it matters. Owed is by how much each had less than
// its proportion of the numbers before, so that all of them together are near to it as well.
func divide(number int64, sizes map[string]int64, owed map[string]float64) map[string]int64 {
	type part struct {
		name      string
		remainder float64
	}
	sum := int64(0)
	for _, size := range sizes {
		sum += size
	}
	parts, left := make([]part, 0, len(sizes)), number
	of := make(map[string]int64, len(sizes))
	for name, size := range sizes {
		p := part{name: name}
		if sum > 0 {
			of[name] = number * size / sum
			owed[name] += float64(number*size%sum) / float64(sum)
			p.remainder = owed[name]
		}
		left -= of[name]
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.remainder, a.remainder), cmp.Compare(a.name, b.name))
	})
	if sum == 0 {
		of[parts[0].name] += left
		return of
	}
	for _, p := range parts[:left] {
		of[p.name]++
		owed[p.name]--
	}
	return of
}

// MayUse says whether jobs of a namespace with these labels may use a queue.
func MayUse(q *v1alpha1.TrainingQueue, namespaceLabels map[string]string) (bool, error) {
	chooses := q.Spec.NamespaceSelector
	if chooses == nil {
		return true, nil
	}
	if len(chooses.MatchLabels) == 0 && len(chooses.MatchExpressions) == 0 {
		return false, nil // elsewhere in Kubernetes this would choose all: the schema refuses it here
	}
	given := metav1.LabelSelector{MatchLabels: map[string]string{}}
	for key, value := range chooses.MatchLabels {
		given.MatchLabels[key] = string(value)
	}
	for _, r := range chooses.MatchExpressions {
		requirement := metav1.LabelSelectorRequirement{Key: r.Key, Operator: r.Operator}
		for _, value := range r.Values {
			requirement.Values = append(requirement.Values, string(value))
		}
		given.MatchExpressions = append(given.MatchExpressions, requirement)
	}
	selector, err := metav1.LabelSelectorAsSelector(&given)
	if err != nil {
		return false, fmt.Errorf("reading namespaceSelector of TrainingQueue %s: %w", q.Name, err)
	}
	return selector.Matches(labels.Set(namespaceLabels)), nil
}
