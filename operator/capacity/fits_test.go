package capacity

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

func TestFits(t *testing.T) {
	const noSchedule = corev1.TaintEffectNoSchedule
	gpu := string(nvidia)
	for name, test := range map[string]struct {
		nodes    []*corev1.Node
		pods     []*corev1.Pod
		template *corev1.PodTemplateSpec
		want     []Fit
	}{
		"no template":        {nodes: []*corev1.Node{someNode("a")}},
		"no GPUs asked for":  {nodes: []*corev1.Node{someNode("a")}, template: template(asking("cpu", "1"))},
		"larger than a node": {nodes: []*corev1.Node{someNode("a"), someNode("b")}, template: template(asking(gpu, "9"))},
		"one product needs no selector": {
			nodes: []*corev1.Node{someNode("a"), someNode("b")}, template: template(asking(gpu, "3")),
			want: []Fit{{Pool: "A100", Room: 4, Capacity: 4}},
		},
		"room beside others and ours": {
			nodes: []*corev1.Node{someNode("a"), someNode("b")},
			pods: []*corev1.Pod{
				somePod("p", "a", like(asking(gpu, "3"))), worker("q", "a", like(asking(gpu, "2"))),
				worker("r", "b", like(asking(gpu, "4")), terminating), worker("s", ""),
			},
			template: template(asking(gpu, "2")),
			want:     []Fit{{Pool: "A100", Room: 1 + 2, Capacity: 2 + 4}},
		},
		"all held by others": {
			nodes: []*corev1.Node{someNode("a")}, pods: []*corev1.Pod{somePod("p", "a", like(asking(gpu, "8")))},
			template: template(),
			want:     []Fit{{Pool: "A100"}},
		},
		"CPU is the limit": {
			nodes: []*corev1.Node{someNode("a")}, pods: []*corev1.Pod{
				somePod("p", "a", like(asking("cpu", "4"))), worker("q", "a", like(asking("cpu", "1500m"))),
			},
			template: template(asking(gpu, "1", "cpu", "20")),
			want:     []Fit{{Pool: "A100", Room: 2, Capacity: 3}},
		},
		"memory is the limit": {
			nodes: []*corev1.Node{someNode("a")}, template: template(asking(gpu, "1", "memory", "200Gi")),
			want: []Fit{{Pool: "A100", Room: 2, Capacity: 2}},
		},
		"pods are the limit": {
			nodes: []*corev1.Node{someNode("a", offers(gpu, "8", "pods", "3"))},
			pods:  []*corev1.Pod{somePod("p", "a", like(asking()))}, template: template(),
			want: []Fit{{Pool: "A100", Room: 2, Capacity: 2}},
		},
		"a node that says nothing of CPU": {
			nodes: []*corev1.Node{someNode("a", offers(gpu, "8"))}, template: template(asking(gpu, "1", "cpu", "20")),
			want: []Fit{{Pool: "A100", Room: 8, Capacity: 8}},
		},
		"most free first, then by name": {
			nodes: []*corev1.Node{someNode("a", labelled(product, "V100")), someNode("b", labelled(product, "T4")),
				someNode("c"), someNode("d", labelled(product, "T4"))},
			pods: []*corev1.Pod{worker("p", "b")}, template: template(),
			want: []Fit{
				{Pool: "T4", Selector: map[string]string{product: "T4"}, Room: 15, Capacity: 16},
				{Pool: "A100", Selector: map[string]string{product: "A100"}, Room: 8, Capacity: 8},
				{Pool: "V100", Selector: map[string]string{product: "V100"}, Room: 8, Capacity: 8},
			},
		},
		"the template has chosen itself": {
			nodes:    []*corev1.Node{someNode("a", labelled(product, "V100")), someNode("b")},
			template: template(selecting(product, "V100")),
			want:     []Fit{{Pool: "V100", Room: 8, Capacity: 8}},
		},
		"who tolerates its taint for a while would have to leave again": {
			nodes: []*corev1.Node{someNode("a", tainted("dedicated", "team-a", corev1.TaintEffectNoExecute))},
			template: template(func(s *corev1.PodSpec) {
				s.Tolerations = []corev1.Toleration{
					{Key: "dedicated", Operator: corev1.TolerationOpExists, TolerationSeconds: new(int64(60))},
				}
			}),
		},
		"affinity": {
			nodes: []*corev1.Node{
				someNode("a", labelled("zone", "x")), someNode("b", labelled("zone", "y")), someNode("c", labelled("zone", "z")),
			},
			template: template(needing("zone", "x", "y")),
			want:     []Fit{{Pool: "A100", Room: 16, Capacity: 16}},
		},
		"on a node by its name": {
			nodes: []*corev1.Node{someNode("a"), someNode("b")},
			pods:  []*corev1.Pod{somePod("p", "a", like(asking(gpu, "7")))}, template: template(onNode("a")),
			want: []Fit{{Pool: "A100", Room: 1, Capacity: 1}},
		},
		"on a node by its name that it does not choose": {
			nodes:    []*corev1.Node{someNode("a"), someNode("b", labelled("zone", "x"))},
			template: template(onNode("a"), selecting("zone", "x")),
		},
		"on a node that is not there": {nodes: []*corev1.Node{someNode("a")}, template: template(onNode("b"))},
		"selected nowhere":            {nodes: []*corev1.Node{someNode("a")}, template: template(selecting("zone", "moon"))},
		"cordoned": {
			nodes: []*corev1.Node{someNode("a", cordoned), someNode("b")},
			pods:  []*corev1.Pod{worker("p", "a"), worker("q", "b")}, template: template(),
			want: []Fit{{Pool: "A100", Room: 7, Capacity: 8}},
		},
		"all cordoned for now": {
			nodes: []*corev1.Node{someNode("a", cordoned)}, template: template(), want: []Fit{{Pool: "A100"}},
		},
		"dedicated to others": {
			nodes:    []*corev1.Node{someNode("a"), someNode("b", tainted("dedicated", "team-b", noSchedule))},
			template: template(tolerating("dedicated", "team-a")),
			want:     []Fit{{Pool: "A100", Room: 8, Capacity: 8}},
		},
		"tolerated, but not labelled": {
			nodes:    []*corev1.Node{someNode("a"), someNode("b", tainted("dedicated", "team-a", noSchedule))},
			template: template(tolerating("dedicated", "team-a")),
			want: []Fit{{Pool: "A100", Room: 8, Capacity: 8},
				{Pool: "A100 (dedicated=team-a)", Room: 8, Capacity: 8}},
		},
		"tolerated and labelled": {
			nodes: []*corev1.Node{
				someNode("a", labelled("dedicated", "team-b")),
				someNode("b", tainted("dedicated", "team-a", noSchedule), labelled("dedicated", "team-a")),
				someNode("c", tainted("dedicated", "team-a", noSchedule), labelled("dedicated", "team-a")),
			},
			template: template(tolerating("dedicated", "team-a")),
			want: []Fit{
				{Pool: "A100 (dedicated=team-a)", Selector: map[string]string{"dedicated": "team-a"}, Room: 16, Capacity: 16},
				{Pool: "A100", Room: 8, Capacity: 8},
			},
		},
		"labelled like the others": {
			nodes: []*corev1.Node{
				someNode("a", labelled("dedicated", "team-a")),
				someNode("b", tainted("dedicated", "team-a", noSchedule), labelled("dedicated", "team-a")),
			},
			template: template(tolerating("dedicated", "team-a")),
			want: []Fit{{Pool: "A100", Room: 8, Capacity: 8},
				{Pool: "A100 (dedicated=team-a)", Room: 8, Capacity: 8}},
		},
		"another product is kept out by its label": {
			nodes: []*corev1.Node{someNode("a"), someNode("b", labelled(product, "T4"),
				tainted("dedicated", "team-a", noSchedule))}, template: template(tolerating("dedicated", "team-a")),
			want: []Fit{
				{Pool: "A100", Selector: map[string]string{product: "A100"}, Room: 8, Capacity: 8},
				{Pool: "T4 (dedicated=team-a)", Selector: map[string]string{product: "T4"}, Room: 8, Capacity: 8},
			},
		},
		"nodes without a product cannot be selected": {
			nodes: []*corev1.Node{someNode("a", unlabelled), someNode("b")}, template: template(),
			want: []Fit{{Pool: "", Room: 8, Capacity: 8},
				{Pool: "A100", Selector: map[string]string{product: "A100"}, Room: 8, Capacity: 8}},
		},
		"by the resource that it asks for": {
			nodes: []*corev1.Node{someNode("a"), someNode("b", unlabelled, offers(string(amd), "4"), func(n *corev1.Node) {
				n.Status.Capacity = nil
			})},
			template: template(asking(string(amd), "1")),
			want:     []Fit{{Pool: "(amd.com/gpu)", Room: 4, Capacity: 4}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(test.nodes, test.pods...)
			for range 2 { // the second time from memory
				if diff := cmp.Diff(test.want, s.Fits(Worker{Template: test.template})); diff != "" {
					t.Errorf("fits (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestMemory asks the same cluster of templates that differ in one thing only.
func TestMemory(t *testing.T) {
	nodes := []*corev1.Node{
		someNode("a", labelled("x", "y")), someNode("b", labelled("x", "z"), tainted("t", "v", corev1.TaintEffectNoSchedule)),
		someNode("c", labelled("xy", ""), labelled("zone", "x")), someNode("d"),
	}
	asked := read(nodes)
	notIn := func(s *corev1.PodSpec) {
		needing("zone", "x")(s)
		terms := s.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
		terms[0].MatchExpressions[0].Operator = corev1.NodeSelectorOpNotIn
	}
	field := func(s *corev1.PodSpec) {
		needing("metadata.name", "a")(s)
		term := &s.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0]
		term.MatchFields, term.MatchExpressions = term.MatchExpressions, nil
	}
	for name, template := range map[string]*corev1.PodTemplateSpec{
		"any": template(), "two": template(asking(string(nvidia), "2")),
		"CPU":    template(asking(string(nvidia), "1", "cpu", "60")),
		"memory": template(asking(string(nvidia), "1", "memory", "500Gi")), "other": template(asking(string(amd), "1")),
		"x=y": template(selecting("x", "y")), "x=z": template(selecting("x", "z")), "xy=": template(selecting("xy", "")),
		"tolerates v": template(tolerating("t", "v")), "tolerates w": template(tolerating("t", "w")),
		"in": template(needing("zone", "x")), "in others": template(needing("zone", "y")),
		"in both": template(needing("zone", "x", "y")),
		"not in":  template(notIn), "by name": template(field),
		"on a": template(onNode("a")), "on b": template(onNode("b"), tolerating("t", "v")),
		"label like the name": template(needing("metadata.name", "a")),
	} {
		w := Worker{Template: template}
		if diff := cmp.Diff(read(nodes).Fits(w), asked.Fits(w)); diff != "" {
			t.Errorf("%s (-afresh +from memory):\n%s", name, diff)
		}
	}
}
