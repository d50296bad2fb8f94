package capacity

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

// What workers take more of than their part of a node's GPUs is scarce, and then it is reckoned with for all workers.
func TestWhatIsScarce(t *testing.T) {
	gpu := string(nvidia)
	hungry, modest := asking(gpu, "1", "cpu", "30"), asking(gpu, "1", "cpu", "2")
	onPort := listening(true, corev1.ContainerPort{ContainerPort: 29500})
	type room = map[string]int64
	for name, test := range map[string]struct {
		pods  []*corev1.Pod
		asked func(*corev1.PodSpec)
		want  room // of node a
		takes room // what a modest worker does
	}{
		"nothing":    {asked: modest},
		"the CPUs":   {asked: hungry, want: room{"cpu": 64000}, takes: room{"cpu": 2000}},
		"the memory": {asked: asking(gpu, "1", "memory", "200Gi"), want: room{"memory": 512 << 30}},
		"the CPUs, and others hold some": {
			pods:  []*corev1.Pod{somePod("p", "a", like(asking("cpu", "4")))},
			asked: hungry, want: room{"cpu": 60000}, takes: room{"cpu": 2000},
		},
		"the CPUs, and ours hold some": {
			pods:  []*corev1.Pod{worker("p", "a", like(hungry))},
			asked: hungry, want: room{"cpu": 64000}, takes: room{"cpu": 2000},
		},
		"the CPUs, and ours hold more than others leave": {
			pods:  []*corev1.Pod{worker("p", "a", like(hungry)), somePod("q", "a", like(asking("cpu", "50")))},
			asked: hungry, want: room{"cpu": 30000}, takes: room{"cpu": 2000},
		},
		"a port of the node": {asked: onPort, want: room{"port/TCP/29500": 1}},
		"a port of the node, which one of ours has": {
			pods: []*corev1.Pod{worker("p", "a", like(onPort))}, asked: onPort, want: room{"port/TCP/29500": 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := read([]*corev1.Node{someNode("a"), someNode("closed", cordoned)}, test.pods...)
			s.Fits(Worker{Template: template(test.asked), Namespace: "team-a"})
			nodes := []elastic.Node{{Name: "a"}, {Name: "closed"}, {Name: "a in other"}}
			s.Rooms(nodes)
			if diff := cmp.Diff(test.want, nodes[0].Room); diff != "" {
				t.Errorf("room (-want +got):\n%s", diff)
			}
			if nodes[1].Room != nil || nodes[2].Room != nil {
				t.Errorf("nodes that take no new workers have rooms: %v", nodes)
			}
			if ports := s.Takes(Worker{Template: template(onPort)}); (ports["port/TCP/29500"] == 1) != (name[:6] == "a port") {
				t.Errorf("a worker on a port takes %v", ports)
			}
			if diff := cmp.Diff(test.takes, s.Takes(Worker{Template: template(modest)})); diff != "" {
				t.Errorf("a worker takes (-want +got):\n%s", diff)
			}
		})
	}
}
