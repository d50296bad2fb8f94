package planning

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/settings"
)

// What pods have that Takt does not look after is bounded, by what is set and by what queues are guaranteed.
func TestWhatJobsLeaveToOtherPods(t *testing.T) {
	node := eightGPUs("node")
	held := outsiderPod("holds")
	held.Spec.NodeName, held.Status.Phase = "node", corev1.PodRunning
	pods := []*corev1.Pod{held}
	for range 5 {
		pods = append(pods, outsiderPod("waits"))
	}
	supply := capacity.Read(capacity.Cluster{Now: present, Nodes: []*corev1.Node{node}, Pods: pods}, capacity.Options{
		Resources: []corev1.ResourceName{"nvidia.com/gpu"}, After: time.Second,
	})
	queues := []elastic.Queue{{Name: "research", Guaranteed: 6}, {Name: "idle", Guaranteed: 8}}
	jobs := []elastic.Job{{Queue: "research", GPUsPerWorker: 2, Sizes: []elastic.Size{{Workers: 1}, {Workers: 2}}}}
	for name, c := range map[string]struct {
		set  settings.Outsiders
		want elastic.GPUs
	}{
		"all but what a queue is guaranteed and can use": {settings.Outsiders{}, 3},
		"also of that":               {settings.Outsiders{OverGuarantees: true}, 5},
		"a bound":                    {settings.Outsiders{Most: map[string]int64{"*": 2}}, 2},
		"a bound of the pool itself": {settings.Outsiders{Most: map[string]int64{"*": 2, "": 1}}, 1},
		"none":                       {settings.Outsiders{Most: map[string]int64{"": 0}}, 0},
		"a reserve, of which one is in use": {
			settings.Outsiders{Reserve: map[string]int64{"": 6}, Most: map[string]int64{"": 0}}, 5,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := elastic.GPUs(0)
			for _, d := range demands(c.set, supply, queues, jobs) {
				got += d.GPUs
			}
			if got != c.want {
				t.Errorf("%d GPUs, want %d", got, c.want)
			}
		})
	}
}
