package telling

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

func TestAPlanTellsWhoHasWhatOfWhat(t *testing.T) {
	m := NewMetrics()
	queue := &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "research"}}
	queue.Spec.Guaranteed, queue.Spec.Limit = new(int32(8)), new(int32(12))
	costs := map[string]v1alpha1.QueueCostStatus{
		"research": {SoFar: "12.40", Expected: "30.00"}, "invented": {SoFar: "1.00"},
	}
	snapshot := elastic.Snapshot{
		Nodes: []elastic.Node{
			{Name: "a", Pool: "H100", GPUs: 8}, {Name: "b", Pool: "H100", GPUs: 4}, {Name: "c", Pool: "A100", GPUs: 2},
		},
		Demands: []elastic.Demand{{Pool: "H100", GPUs: 3}},
		Jobs:    []elastic.Job{{Queue: "research", GPUsPerWorker: 2}, {Queue: "research"}, {Queue: "invented"}},
	}
	m.Hold([]*v1alpha1.TrainingQueue{queue}, snapshot, elastic.Decision{Jobs: []elastic.Outcome{
		{Workers: 3, Verdict: elastic.OnTrack}, {Workers: 1, Verdict: elastic.OnTrack}, {Verdict: elastic.AtRisk},
	}}, []string{"research"}, costs)
	for name, test := range map[string]struct {
		got, want map[string]float64
	}{
		"gpus": {gathered(t, m.gpus), map[string]float64{
			`takt_gpus{queue="(others)", verdict="AtRisk"}`: 0, `takt_gpus{queue="research", verdict="OnTrack"}`: 7,
		}},
		"jobs": {gathered(t, m.Jobs), map[string]float64{
			`takt_jobs{queue="(others)", verdict="AtRisk"}`: 1, `takt_jobs{queue="research", verdict="OnTrack"}`: 2,
			`takt_jobs{queue="research", verdict="LeftAlone"}`: 1,
		}},
		"shares": {gathered(t, m.shares), map[string]float64{
			`takt_queue_gpus{queue="research", share="guaranteed"}`: 8, `takt_queue_gpus{queue="research", share="limit"}`: 12,
		}},
		"costs": {gathered(t, m.costs), map[string]float64{
			`takt_queue_cost{estimate="so_far", queue="research"}`:   12.4,
			`takt_queue_cost{estimate="expected", queue="research"}`: 30,
		}},
		"paid": {gathered(t, m.paid), map[string]float64{ // what is first seen at more than 0 has not risen
			`takt_deadline_cost_total{outcome="met", queue="research"}`:    0,
			`takt_deadline_cost_total{outcome="missed", queue="research"}`: 0,
			`takt_deadline_cost_total{outcome="met", queue="(others)"}`:    0,
			`takt_deadline_cost_total{outcome="missed", queue="(others)"}`: 0,
		}},
		"pools": {gathered(t, m.pools),
			map[string]float64{`takt_pool_gpus{pool="H100"}`: 12, `takt_pool_gpus{pool="A100"}`: 2}},
		"demands": {gathered(t, m.demands), map[string]float64{`takt_demanded_gpus{pool="H100"}`: 3}},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// What a node calls its GPUs is a label that somebody writes.
func TestPoolsAreBounded(t *testing.T) {
	m := NewMetrics()
	var snapshot elastic.Snapshot
	for i := range 10 * mostPools {
		snapshot.Nodes = append(snapshot.Nodes, elastic.Node{Pool: fmt.Sprint("kind-", i), GPUs: 1})
	}
	m.Hold(nil, snapshot, elastic.Decision{}, nil, nil)
	if got := gathered(t, m.pools); len(got) != mostPools+1 || got[`takt_pool_gpus{pool="(others)"}`] != 9*mostPools {
		t.Errorf("there are %d series, and (others) has %v", len(got), got[`takt_pool_gpus{pool="(others)"}`])
	}
}
