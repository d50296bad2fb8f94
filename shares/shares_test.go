package shares

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

func someQueue(name string, spec v1alpha1.TrainingQueueSpec) *v1alpha1.TrainingQueue {
	return &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: spec}
}

func TestShares(t *testing.T) {
	gpus := func(n elastic.GPUs) *elastic.GPUs { return &n }
	for name, test := range map[string]struct {
		queues []*v1alpha1.TrainingQueue
		nodes  []elastic.Node
		want   []elastic.Queue
	}{
		"one pool": {
			queues: []*v1alpha1.TrainingQueue{
				someQueue("research", v1alpha1.TrainingQueueSpec{
					Guaranteed: new(int32(6)), Limit: new(int32(9)), Weight: new(int32(2)), Priority: new(int32(-1)),
					Borrowing: v1alpha1.BorrowingForbid,
				}),
				Default(),
			},
			nodes: []elastic.Node{{Name: "a", Pool: "A100", GPUs: 8}, {Name: "b", Pool: "A100", GPUs: 4}},
			want: []elastic.Queue{
				{Name: "default", Pool: "A100", Weight: 1},
				{Name: "research", Pool: "A100", Guaranteed: 6, Limit: gpus(9), Weight: 2, Priority: -1, NoBorrowing: true},
			},
		},
		"no nodes": {queues: []*v1alpha1.TrainingQueue{someQueue("q",
			v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(6))})}, want: []elastic.Queue{
			{Name: "q", Guaranteed: 6, Weight: 1},
		}},
		"nothing given": {queues: []*v1alpha1.TrainingQueue{someQueue("q", v1alpha1.TrainingQueueSpec{})},
			nodes: []elastic.Node{{GPUs: 1}}, want: []elastic.Queue{{Name: "q", Weight: 1}}},
		"closed": {queues: []*v1alpha1.TrainingQueue{someQueue("q", v1alpha1.TrainingQueueSpec{Limit: new(int32(0))})},
			nodes: []elastic.Node{{GPUs: 1}}, want: []elastic.Queue{{Name: "q", Weight: 1, Limit: gpus(0)}}},
		"more than is known": {queues: []*v1alpha1.TrainingQueue{someQueue("q", v1alpha1.TrainingQueueSpec{
			Guaranteed: new(int32(1 << 30)), Limit: new(int32(1 << 30)), Weight: new(int32(1 << 30)),
		})},
			nodes: []elastic.Node{{GPUs: 1}}, want: []elastic.Queue{
				{Name: "q", Guaranteed: most, Limit: gpus(most), Weight: most},
			}},
		"divided by size, the rest to the largest remainder": {
			queues: []*v1alpha1.TrainingQueue{
				someQueue("q", v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(5)), Limit: new(int32(8))}),
			},
			// 5 × 16, 8 and 4 of 28 are 2.86, 1.43 and 0.71; 3 × these are 1.71, 0.86 and 0.43.
			nodes: []elastic.Node{{Name: "a", Pool: "A", GPUs: 8}, {Name: "b", Pool: "B", GPUs: 8},
				{Name: "c", Pool: "C", GPUs: 4}, {Name: "d", Pool: "A", GPUs: 8}},
			want: []elastic.Queue{
				{Name: "q", Pool: "A", Guaranteed: 3, Limit: gpus(5), Weight: 1},
				{Name: "q", Pool: "B", Guaranteed: 1, Limit: gpus(2), Weight: 1},
				{Name: "q", Pool: "C", Guaranteed: 1, Limit: gpus(1), Weight: 1},
			},
		},
		"guaranteed more than it may have": {
			queues: []*v1alpha1.TrainingQueue{
				someQueue("q", v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(5)), Limit: new(int32(3))}),
			},
			nodes: []elastic.Node{{GPUs: 8}}, want: []elastic.Queue{{Name: "q", Guaranteed: 3, Limit: gpus(3), Weight: 1}},
		},
		"all held by others": {
			queues: []*v1alpha1.TrainingQueue{someQueue("q", v1alpha1.TrainingQueueSpec{Guaranteed: new(int32(3))})},
			nodes:  []elastic.Node{{Name: "b", Pool: "B"}, {Name: "a", Pool: "A"}},
			want:   []elastic.Queue{{Name: "q", Pool: "A", Guaranteed: 3, Weight: 1}, {Name: "q", Pool: "B", Weight: 1}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := Of(test.queues, test.nodes)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("queues (-want +got):\n%s", diff)
			}
			if err := (elastic.Snapshot{Nodes: test.nodes, Queues: got}).Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestQueuesLoseNothing divides at random: the parts add up, and no limit is below its guarantee.
func TestQueuesLoseNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var nodes []elastic.Node
		for n := range 1 + r.IntN(6) {
			nodes = append(nodes, elastic.Node{Name: fmt.Sprint(n), Pool: fmt.Sprint(r.IntN(4)), GPUs: elastic.GPUs(r.IntN(9))})
		}
		guaranteed := r.Int32N(40)
		limit := guaranteed + r.Int32N(40)
		shares := Of([]*v1alpha1.TrainingQueue{someQueue("q",
			v1alpha1.TrainingQueueSpec{Guaranteed: &guaranteed, Limit: &limit})}, nodes)
		var guarantees, limits elastic.GPUs
		for _, s := range shares {
			guarantees, limits = guarantees+s.Guaranteed, limits+*s.Limit
			if s.Guaranteed < 0 || *s.Limit < s.Guaranteed {
				t.Fatalf("%+v with limit %d", s, *s.Limit)
			}
		}
		if guarantees != elastic.GPUs(guaranteed) || limits != elastic.GPUs(limit) {
			t.Fatalf("parts add up to %d and %d, want %d and %d: %+v", guarantees, limits, guaranteed, limit, shares)
		}
	}
}

func TestMayUse(t *testing.T) {
	for name, test := range map[string]struct {
		chooses *v1alpha1.NamespaceSelector
		labels  map[string]string
		want    bool
		wantErr string
	}{
		"everyone": {want: true},
		"empty":    {chooses: &v1alpha1.NamespaceSelector{}},
		"by label": {chooses: &v1alpha1.NamespaceSelector{MatchLabels: map[string]v1alpha1.LabelValue{"team": "a"}},
			labels: map[string]string{"team": "a"}, want: true},
		"other label": {chooses: &v1alpha1.NamespaceSelector{MatchLabels: map[string]v1alpha1.LabelValue{"team": "a"}},
			labels: map[string]string{"team": "b"}},
		"by condition": {chooses: &v1alpha1.NamespaceSelector{MatchExpressions: []v1alpha1.NamespaceRequirement{{Key: "team",
			Operator: metav1.LabelSelectorOpIn, Values: []v1alpha1.LabelValue{"a", "b"}}}},
			labels: map[string]string{"team": "b"}, want: true},
		"both must match": {chooses: &v1alpha1.NamespaceSelector{
			MatchLabels:      map[string]v1alpha1.LabelValue{"team": "a"},
			MatchExpressions: []v1alpha1.NamespaceRequirement{{Key: "old", Operator: metav1.LabelSelectorOpDoesNotExist}},
		}, labels: map[string]string{"team": "a", "old": ""}},
		"senseless": {
			chooses: &v1alpha1.NamespaceSelector{
				MatchExpressions: []v1alpha1.NamespaceRequirement{{Key: "team", Operator: "Near"}},
			},
			wantErr: `reading namespaceSelector of TrainingQueue q: "Near" is not a valid label selector operator`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := MayUse(someQueue("q", v1alpha1.TrainingQueueSpec{NamespaceSelector: test.chooses}), test.labels)
			if got != test.want {
				t.Errorf("MayUse = %t, want %t", got, test.want)
			}
			if test.wantErr == "" && err != nil || test.wantErr != "" && (err == nil || err.Error() != test.wantErr) {
				t.Errorf("error %v, want %q", err, test.wantErr)
			}
		})
	}
}
