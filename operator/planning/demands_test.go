package planning

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/settings"
)

// What is set for a pool counts before what is set for all, and what pods have is part of their reserve.
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
	for name, c := range map[string]struct {
		set  settings.Outsiders
		want elastic.GPUs
	}{
		"all that they wait for":     {settings.Outsiders{}, 5},
		"a bound":                    {settings.Outsiders{Most: map[string]int64{"*": 2}}, 2},
		"a bound of the pool itself": {settings.Outsiders{Most: map[string]int64{"*": 2, "": 1}}, 1},
		"a reserve, of which one is in use": {
			settings.Outsiders{Reserve: map[string]int64{"": 7}, Most: map[string]int64{"": 0}}, 6,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := elastic.GPUs(0)
			for _, d := range demands(c.set, supply, elastic.Snapshot{Nodes: supply.Nodes}) {
				got += d.GPUs
			}
			if got != c.want {
				t.Errorf("%d GPUs, want %d", got, c.want)
			}
		})
	}
}
