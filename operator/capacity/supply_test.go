package capacity

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

func TestNodes(t *testing.T) {
	gpu := string(nvidia)
	for name, test := range map[string]struct {
		node *corev1.Node
		pods []*corev1.Pod
		want []elastic.Node
		// leaving is how many of these are not free yet.
		leaving elastic.GPUs
	}{
		"empty": {node: someNode("n"), want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 8}}},
		"no GPUs": {
			node: someNode("n", func(n *corev1.Node) { n.Status = corev1.NodeStatus{Allocatable: amounts("cpu", "4")} }),
		},
		"no product": {node: someNode("n", unlabelled), want: []elastic.Node{{Name: "n", GPUs: 8}}},
		"others hold their GPUs": {
			node: someNode("n"),
			pods: []*corev1.Pod{somePod("a", "n"), somePod("c", "n", phase(corev1.PodPending))},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 6}},
		},
		"what others are about to leave is coming": {
			node: someNode("n"),
			pods: []*corev1.Pod{somePod("a", "n"), somePod("b", "n", goneBy(noon.Add(30*time.Second))),
				somePod("c", "n", goneBy(noon.Add(-50*time.Second)))},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 7}}, leaving: 2,
		},
		"what others should have left long ago is not": {
			node: someNode("n"),
			pods: []*corev1.Pod{somePod("a", "n"), somePod("b", "n", goneBy(noon.Add(-time.Minute)))},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 6}},
		},
		"nor what they may have for long yet": {
			node: someNode("n"),
			pods: []*corev1.Pod{somePod("a", "n"), somePod("b", "n", goneBy(noon.Add(time.Hour)))},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 6}},
		},
		"nor what another pod of theirs is to have": {
			node: someNode("n"),
			pods: []*corev1.Pod{
				somePod("a", "n", goneBy(noon), func(p *corev1.Pod) { p.Labels = map[string]string{"replaced": "yes"} }),
			},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 7}},
		},
		"nothing is coming on a node that does not answer": {
			node: someNode("n", notReady),
			pods: []*corev1.Pod{worker("a", "n"), somePod("b", "n", goneBy(noon))},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 1}},
		},
		"more is leaving than there is": {
			node: someNode("n", offers(gpu, "1")), pods: []*corev1.Pod{
				somePod("a", "n", goneBy(noon)), somePod("b", "n", goneBy(noon)),
			},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 1}}, leaving: 1,
		},
		"those that have ended do not": {
			node: someNode("n"),
			pods: []*corev1.Pod{somePod("a", "n", phase(corev1.PodSucceeded)), somePod("b", "n", phase(corev1.PodFailed))},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 8}},
		},
		"those on other nodes do not": {
			node: someNode("n"), pods: []*corev1.Pod{somePod("a", "m")},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 8}},
		},
		"what is ours is handed out": {
			node: someNode("n"), pods: []*corev1.Pod{worker("a", "n"), worker("b", "n", terminating)},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 8}},
		},
		"fewer than others hold": {
			node: someNode("n", offers(gpu, "1")), pods: []*corev1.Pod{somePod("a", "n"), somePod("b", "n")},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 0}},
		},
		"told to go: it keeps its pool, and has what is held": {
			node: someNode("n", tainted("cloud/goes", "", corev1.TaintEffectNoSchedule)), pods: []*corev1.Pod{worker("a", "n")},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 1}},
		},
		"told to go by a condition": {
			node: someNode("n", func(n *corev1.Node) {
				n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: "Preempted", Status: "True"})
			}),
			pods: []*corev1.Pod{worker("a", "n")}, want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 1}},
		},
		"not told to go any more": {
			node: someNode("n", func(n *corev1.Node) {
				n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: "Preempted", Status: "False"})
			}),
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 8}},
		},
		"cordoned": {
			node: someNode("n", cordoned),
			pods: []*corev1.Pod{somePod("a", "n"), worker("b", "n"), worker("c", "n"), worker("d", "n", terminating)},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 2}},
		},
		"not ready": {node: someNode("n", notReady), pods: []*corev1.Pod{worker("b", "n")}, want: []elastic.Node{{
			Name: "n", Pool: "A100", GPUs: 1,
		}}},
		"not ready yet": {node: someNode("n", func(n *corev1.Node) { n.Status.Conditions = nil }), want: []elastic.Node{{
			Name: "n", Pool: "A100",
		}}},
		"being deleted": {node: someNode("n", deleted), pods: []*corev1.Pod{worker("b", "n")}, want: []elastic.Node{{
			Name: "n", Pool: "A100", GPUs: 1,
		}}},
		"GPUs gone away": {node: someNode("n", offers(gpu, "0")), pods: []*corev1.Pod{worker("b", "n")},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 1}}},
		"back, and its taint is not off yet": {
			node: someNode("n", unreachable, answers(corev1.ConditionTrue, time.Minute)),
			pods: []*corev1.Pod{
				worker("a", "n"), worker("b", "n", terminating), somePod("c", "n"), somePod("d", "n", goneBy(noon)),
			},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 6}}, leaving: 4,
		},
		"back for long, and its taint stays": {
			node: someNode("n", unreachable, answers(corev1.ConditionTrue, time.Hour)), pods: []*corev1.Pod{worker("a", "n")},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 1}},
		},
		"it has just broken": {
			node: someNode("n", tainted(corev1.TaintNodeNotReady, "", corev1.TaintEffectNoExecute),
				answers(corev1.ConditionFalse, time.Second)),
			pods: []*corev1.Pod{worker("a", "n")}, want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 1}},
		},
		"back by a clock that is wrong": {
			node: someNode("n", unreachable, answers(corev1.ConditionTrue, -time.Hour)), pods: []*corev1.Pod{worker("a", "n")},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 1}},
		},
		"it does not answer since a moment ago": {
			node: someNode("n", unreachable, answers(corev1.ConditionUnknown, time.Second)), want: []elastic.Node{
				{Name: "n", Pool: "A100"},
			},
		},
		"back, and about to be removed": {
			node: someNode("n", unreachable, tainted("karpenter.sh/disrupted", "", corev1.TaintEffectNoSchedule),
				answers(corev1.ConditionTrue, time.Minute)),
			want: []elastic.Node{{Name: "n", Pool: "A100"}},
		},
		"back, and cordoned": {
			node: someNode("n", unreachable, cordoned, answers(corev1.ConditionTrue, time.Minute)), want: []elastic.Node{
				{Name: "n", Pool: "A100"},
			},
		},
		"back, and its GPUs are not": {
			node: someNode("n", unreachable, offers(gpu, "0"), answers(corev1.ConditionTrue, time.Minute)), want: []elastic.Node{
				{Name: "n", Pool: "A100"},
			},
		},
		"new": {
			node: someNode("n", tainted("node.cloudprovider.kubernetes.io/uninitialized", "true", corev1.TaintEffectNoSchedule),
				answers(corev1.ConditionFalse, time.Second)),
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 8}}, leaving: 8,
		},
		"a kubelet that has just started has no GPUs, and its pods run": {
			node: someNode("n", noneLeft), pods: []*corev1.Pod{worker("b", "n")}, want: []elastic.Node{
				{Name: "n", Pool: "A100", GPUs: 1},
			},
		},
		"nothing but the name of GPUs is left": {node: someNode("n", noneLeft), pods: []*corev1.Pod{somePod("b", "n")}},
		"GPUs not offered": {
			node: someNode("n", offers("cpu", "4")), want: []elastic.Node{{Name: "n", Pool: "A100"}},
		},
		"taint of Kubernetes": {
			node: someNode("n", tainted("node.kubernetes.io/disk-pressure", "", corev1.TaintEffectNoSchedule)),
			pods: []*corev1.Pod{worker("b", "n")},
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 1}},
		},
		"memory pressure": {
			node: someNode("n", tainted("node.kubernetes.io/memory-pressure", "", corev1.TaintEffectNoSchedule)),
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 8}},
		},
		"about to be scaled down": {
			node: someNode("n", tainted("ToBeDeletedByClusterAutoscaler", "1763716000", corev1.TaintEffectNoSchedule)),
			want: []elastic.Node{{Name: "n", Pool: "A100"}},
		},
		"taint of GPU nodes": {
			node: someNode("n", tainted("nvidia.com/gpu", "present", corev1.TaintEffectNoSchedule)),
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 8}},
		},
		"mild taint": {
			node: someNode("n", tainted("dedicated", "team-a", corev1.TaintEffectPreferNoSchedule)),
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 8}},
		},
		"dedicated": {
			node: someNode("n", tainted("dedicated", "team-a", corev1.TaintEffectNoSchedule),
				tainted("costly", "", corev1.TaintEffectNoExecute)),
			want: []elastic.Node{{Name: "n", Pool: "A100 (costly:NoExecute, dedicated=team-a)", GPUs: 8}},
		},
		"dedicated, no product": {
			node: someNode("n", unlabelled, tainted("dedicated", "team-a", corev1.TaintEffectNoSchedule)),
			want: []elastic.Node{{Name: "n", Pool: "(dedicated=team-a)", GPUs: 8}},
		},
		"other resource": {
			node: someNode("n", unlabelled, func(n *corev1.Node) {
				n.Status.Allocatable, n.Status.Capacity = amounts(string(amd), "4"), nil
			}),
			pods: []*corev1.Pod{somePod("a", "n", like(asking(string(amd), "2"))), somePod("b", "n")},
			want: []elastic.Node{{Name: "n", Pool: "(amd.com/gpu)", GPUs: 2}},
		},
		"two resources": {
			node: someNode("n", offers(string(amd), "4", gpu, "2")),
			want: []elastic.Node{{Name: "n", Pool: "A100", GPUs: 2}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := read([]*corev1.Node{test.node}, test.pods...)
			if diff := cmp.Diff(test.want, s.Nodes); diff != "" {
				t.Errorf("nodes (-want +got):\n%s", diff)
			}
			if len(s.Demands) > 0 {
				t.Errorf("demands = %v, want none", s.Demands)
			}
			pool, ok := s.PoolOf("n")
			if got := s.Coming(pool); got != test.leaving {
				t.Errorf("%d GPUs are leaving, want %d", got, test.leaving)
			}
			if wantOK := len(test.want) > 0; ok != wantOK || ok && pool != test.want[0].Pool {
				t.Errorf("PoolOf = %q, %t", pool, ok)
			}
		})
	}
}

func TestNodesAndPoolsAreInOrder(t *testing.T) {
	s := read([]*corev1.Node{someNode("c"), someNode("a", labelled(product, "V100")), someNode("b")})
	if diff := cmp.Diff([]elastic.Node{{Name: "a", Pool: "V100", GPUs: 8}, {Name: "b", Pool: "A100", GPUs: 8},
		{Name: "c", Pool: "A100", GPUs: 8}}, s.Nodes); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	var pools []string
	for _, p := range s.pools {
		pools = append(pools, p.name)
	}
	if diff := cmp.Diff([]string{"A100", "V100"}, pools); diff != "" {
		t.Errorf("pools (-want +got):\n%s", diff)
	}
	if pool, ok := s.PoolOf("nowhere"); ok {
		t.Errorf("PoolOf(nowhere) = %q", pool)
	}
}

func TestNodesThatAreNotChosenAreNotThere(t *testing.T) {
	o := options
	o.NodeSelector = map[string]string{"takt": "yes"}
	s := Read(Cluster{
		Nodes: []*corev1.Node{someNode("a"), someNode("b", labelled("takt", "yes"))},
		Pods:  []*corev1.Pod{somePod("p", "", like(selecting("kubernetes.io/hostname", "a")))},
	}, o)
	if diff := cmp.Diff([]elastic.Node{{Name: "b", Pool: "A100", GPUs: 8}}, s.Nodes); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	want := []Fit{{Pool: "A100", Selector: o.NodeSelector, Room: 8, Capacity: 8}}
	if diff := cmp.Diff(want, s.Fits(Worker{Template: template()})); diff != "" {
		t.Errorf("fits (-want +got):\n%s", diff)
	}
	if len(s.Demands) > 0 {
		t.Errorf("demands = %v, want none", s.Demands)
	}
}
