package capacity

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

const rdma = "rdma/hca"

// with has a node offer more than GPUs, CPU and memory.
func with(list ...string) func(*corev1.Node) {
	return func(n *corev1.Node) {
		maps.Copy(n.Status.Allocatable, amounts(list...))
	}
}

// TestFitsBesideExtras asks for resources other than GPUs, CPU and memory: nodes have no more of them than they say.
func TestFitsBesideExtras(t *testing.T) {
	gpu := string(nvidia)
	for name, test := range map[string]struct {
		nodes    []*corev1.Node
		pods     []*corev1.Pod
		template *corev1.PodTemplateSpec
		want     []Fit
	}{
		"adapters of a network are the limit": {
			nodes:    []*corev1.Node{someNode("a", with(rdma, "2"))},
			template: template(asking(gpu, "1", rdma, "1")),
			want:     []Fit{{Pool: "A100", Room: 2, Capacity: 2}},
		},
		"a limit stands for the request": {
			nodes: []*corev1.Node{someNode("a", with(rdma, "2"))},
			template: template(func(s *corev1.PodSpec) {
				s.Containers[0].Resources.Limits = amounts(rdma, "1")
			}),
			want: []Fit{{Pool: "A100", Room: 2, Capacity: 2}},
		},
		"others and ours hold some": {
			nodes: []*corev1.Node{someNode("a", with(rdma, "5"))},
			pods: []*corev1.Pod{somePod("p", "a", like(asking(rdma, "1"))), worker("q", "a", like(asking(rdma, "1"))),
				worker("r", "a", like(asking(rdma, "1")), terminating),
				somePod("s", "a", like(asking(rdma, "1")), phase(corev1.PodFailed))},
			template: template(asking(gpu, "1", rdma, "1")),
			want:     []Fit{{Pool: "A100", Room: 2, Capacity: 4}},
		},
		"only nodes that have any": {
			nodes:    []*corev1.Node{someNode("a", with(rdma, "8")), someNode("b")},
			template: template(asking(gpu, "1", rdma, "1")),
			want:     []Fit{{Pool: "A100", Room: 8, Capacity: 8}},
		},
		"no node has as many": {
			nodes:    []*corev1.Node{someNode("a", with(rdma, "1")), someNode("b")},
			template: template(asking(gpu, "1", rdma, "2")),
		},
		"what no node names is nobody's to count": {
			nodes:    []*corev1.Node{someNode("a")},
			template: template(asking(gpu, "1", rdma, "1")),
			want:     []Fit{{Pool: "A100", Room: 8, Capacity: 8}},
		},
		"huge pages": {
			nodes: []*corev1.Node{someNode("a", with("hugepages-2Mi", "4Gi"))},
			pods:  []*corev1.Pod{somePod("p", "a", like(asking("hugepages-2Mi", "1Gi")))},
			template: template(asking(gpu, "1"), func(s *corev1.PodSpec) {
				s.Resources = &corev1.ResourceRequirements{Requests: amounts("hugepages-2Mi", "1Gi")}
			}),
			want: []Fit{{Pool: "A100", Room: 3, Capacity: 3}},
		},
		"disk, with that of the runtime": {
			nodes: []*corev1.Node{someNode("a", with("ephemeral-storage", "100Gi"))},
			pods:  []*corev1.Pod{worker("p", "a", like(asking(gpu, "1", "ephemeral-storage", "30Gi")))},
			template: template(asking(gpu, "1", "ephemeral-storage", "20Gi"), func(s *corev1.PodSpec) {
				s.Overhead = amounts("ephemeral-storage", "5Gi")
			}),
			want: []Fit{{Pool: "A100", Room: 2, Capacity: 4}},
		},
		"a node that says nothing of its disk": {
			nodes:    []*corev1.Node{someNode("a"), someNode("b", with("ephemeral-storage", "20Gi"))},
			template: template(asking(gpu, "1", "ephemeral-storage", "20Gi")),
			want:     []Fit{{Pool: "A100", Room: 8 + 1, Capacity: 8 + 1}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(test.nodes, test.pods...)
			s.Fits(Worker{Template: template()}) // what is remembered of others is nothing to it
			for range 2 {
				if diff := cmp.Diff(test.want, s.Fits(Worker{Template: test.template})); diff != "" {
					t.Errorf("fits (-want +got):\n%s", diff)
				}
			}
		})
	}
}
