package capacity

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic"
)

func at(second int64) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.CreationTimestamp = metav1.Unix(second, 0) }
}

// told changes what the scheduler says of a pod that it cannot place.
func told(change func(*corev1.PodCondition)) func(*corev1.Pod) {
	return func(p *corev1.Pod) { change(&p.Status.Conditions[0]) }
}

// of gives a pod a priority.
func of(priority int32) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Priority = &priority }
}

func TestDemands(t *testing.T) {
	gpu := string(nvidia)
	nodes := []*corev1.Node{
		someNode("a1"), someNode("a2"), someNode("t", labelled(product, "T4")),
		someNode("d", tainted("dedicated", "team-a", corev1.TaintEffectNoSchedule)),
	}
	for name, test := range map[string]struct {
		pods []*corev1.Pod
		want []elastic.Demand
	}{
		"none": {},
		"its scheduler says that it lacks GPUs": {
			pods: []*corev1.Pod{somePod("p", ""), somePod("q", "", of(0))}, want: []elastic.Demand{{Pool: "A100", GPUs: 2}},
		},
		"not tried yet": {pods: []*corev1.Pod{somePod("p", "", func(p *corev1.Pod) { p.Status.Conditions = nil })}},
		"it lacks something else": {pods: []*corev1.Pod{somePod("p", "", told(func(c *corev1.PodCondition) {
			c.Message = `0/9 nodes are available: persistentvolumeclaim "dat" not found.`
		}))}},
		"it lacks other GPUs than it asks for": {pods: []*corev1.Pod{somePod("p", "", like(asking(string(amd), "1")))}},
		"only just": {pods: []*corev1.Pod{somePod("p", "",
			told(func(c *corev1.PodCondition) { c.LastTransitionTime = metav1.NewTime(noon.Add(-9 * time.Second)) }))}},
		"less urgent than all that names none": {pods: []*corev1.Pod{somePod("p", "", of(-1))}},
		"ours":                                 {pods: []*corev1.Pod{worker("p", "")}},
		"gated":                                {pods: []*corev1.Pod{somePod("p", "", gated)}},
		"terminating":                          {pods: []*corev1.Pod{somePod("p", "", terminating)}},
		"ended":                                {pods: []*corev1.Pod{somePod("p", "", phase(corev1.PodFailed))}},
		"no GPUs":                              {pods: []*corev1.Pod{somePod("p", "", like(asking("cpu", "1")))}},
		"placed already":                       {pods: []*corev1.Pod{somePod("p", "a1", phase(corev1.PodPending))}},
		"fits nowhere":                         {pods: []*corev1.Pod{somePod("p", "", like(asking(gpu, "9")))}},
		"too much memory": {
			pods: []*corev1.Pod{somePod("p", "", like(asking(gpu, "1", "memory", "1Ti")))},
		},
		"selects nothing": {pods: []*corev1.Pod{somePod("p", "", like(selecting("zone", "moon")))}},
		"selects a pool": {
			pods: []*corev1.Pod{somePod("p", "", like(selecting(product, "T4")))}, want: []elastic.Demand{{Pool: "T4", GPUs: 1}},
		},
		"nominated to a pool": {pods: []*corev1.Pod{somePod("p", "",
			func(p *corev1.Pod) { p.Status.NominatedNodeName, p.Status.Conditions = "t", nil })}, want: []elastic.Demand{
			{Pool: "T4", GPUs: 1},
		}},
		"nominated where it cannot run": {
			pods: []*corev1.Pod{somePod("p", "", func(p *corev1.Pod) { p.Status.NominatedNodeName = "d" })},
			want: []elastic.Demand{{Pool: "A100", GPUs: 1}},
		},
		"the next pool, once the first is all asked for": {
			pods: []*corev1.Pod{somePod("p", "", like(asking(gpu, "8"))), somePod("q", "", like(asking(gpu, "8"))),
				somePod("r", "", like(asking(gpu, "8"))), somePod("s", "")},
			want: []elastic.Demand{{Pool: "A100", GPUs: 17, Pods: []elastic.Pod{{GPUs: 8}, {GPUs: 8}}},
				{Pool: "T4", GPUs: 8, Pods: []elastic.Pod{{GPUs: 8}}}},
		},
		"others stay on each node that it would need as a whole": {
			pods: []*corev1.Pod{
				somePod("x", "a1"), somePod("y", "a2"),
				somePod("p", "", like(asking(gpu, "8"), selecting(product, "A100"))), somePod("q", "", like(asking(gpu, "7"))),
			},
			want: []elastic.Demand{{Pool: "A100", GPUs: 7, Pods: []elastic.Pod{{GPUs: 7}}}},
		},
		"the oldest first": { // by name, p and q would have A100, and r T4
			pods: []*corev1.Pod{
				somePod("p", "", like(asking(gpu, "8")), at(3)), somePod("q", "", like(asking(gpu, "8")), at(2)),
				somePod("r", "", like(asking(gpu, "4")), at(1)),
			},
			want: []elastic.Demand{{Pool: "A100", GPUs: 12, Pods: []elastic.Pod{{GPUs: 4}, {GPUs: 8}}},
				{Pool: "T4", GPUs: 8, Pods: []elastic.Pod{{GPUs: 8}}}},
		},
		"others have all of it": {
			pods: []*corev1.Pod{somePod("x", "t", like(asking(gpu, "8"))), somePod("p", "", like(selecting(product, "T4")))},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 { // in whatever order
				if diff := cmp.Diff(test.want, read(nodes, test.pods...).Demands); diff != "" {
					t.Errorf("demands (-want +got):\n%s", diff)
				}
				slices.Reverse(test.pods)
			}
		})
	}
}

// TestNominatedToANodeWithoutGPUs does not take the pool of no node for the pool without a name.
func TestNominatedToANodeWithoutGPUs(t *testing.T) {
	pod := somePod("p", "", func(p *corev1.Pod) { p.Status.NominatedNodeName = "elsewhere" })
	s := read([]*corev1.Node{someNode("a"), someNode("b", unlabelled, offers(string(nvidia), "2"))}, pod)
	if diff := cmp.Diff([]elastic.Demand{{Pool: "A100", GPUs: 1}}, s.Demands); diff != "" {
		t.Errorf("demands (-want +got):\n%s", diff)
	}
}

// As many GPUs that are free here and there are room that it does not use, too: it may never get them on one node.
func TestPodsWhoseRoomIsOnSeveralNodes(t *testing.T) {
	two := like(asking(string(nvidia), "2"))
	seven := like(asking(string(nvidia), "7"))
	nodes := []*corev1.Node{someNode("a"), someNode("b")}
	s := read(nodes, worker("v", "a", seven), worker("w", "b", seven), somePod("p", "", two))
	if len(s.Roomy) != 1 || s.HasRoom(s.Roomy[0]) {
		t.Errorf("they have room: %v", s.Roomy)
	}
	s = read(nodes, worker("v", "a", seven), somePod("p", "", two))
	if len(s.Roomy) != 1 || !s.HasRoom(s.Roomy[0]) {
		t.Errorf("they have room: %v", s.Roomy)
	}
}

// What has room beside all others needs none to be made; that it is kept free is not for ever.
func TestPodsThatHaveRoomAndDoNotUseIt(t *testing.T) {
	nodes := []*corev1.Node{someNode("a")}
	full := []*corev1.Pod{worker("w", "a", like(asking(string(nvidia), "6"))), somePod("p", "", at(1)),
		somePod("q", "", at(2)), somePod("r", "", at(3))}
	var roomy []string
	s := read(nodes, full...)
	for _, pod := range s.Roomy {
		roomy = append(roomy, pod.Name)
	}
	if diff := cmp.Diff([]string{"p", "q"}, roomy); diff != "" {
		t.Errorf("they have room (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]elastic.Demand{{Pool: "A100", GPUs: 3}}, s.Demands); diff != "" {
		t.Errorf("demands (-want +got):\n%s", diff)
	}
	idle := Read(Cluster{Now: noon, Nodes: nodes, Pods: full, Ours: ours,
		Idle: func(p *corev1.Pod) bool { return p.Name == "p" }}, options)
	if diff := cmp.Diff([]elastic.Demand{{Pool: "A100", GPUs: 2}}, idle.Demands); diff != "" {
		t.Errorf("without one that does not use its room (-want +got):\n%s", diff)
	}
}
