package capacity

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic"
)

func at(second int64) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.CreationTimestamp = metav1.Unix(second, 0) }
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
		"tried in vain, or not tried yet": {
			pods: []*corev1.Pod{somePod("p", ""), somePod("q", "", func(p *corev1.Pod) {
				p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable}}
			})},
			want: []elastic.Demand{{Pool: "A100", GPUs: 2}},
		},
		"ours":                {pods: []*corev1.Pod{worker("p", "")}},
		"gated":               {pods: []*corev1.Pod{somePod("p", "", gated)}},
		"terminating":         {pods: []*corev1.Pod{somePod("p", "", terminating)}},
		"ended":               {pods: []*corev1.Pod{somePod("p", "", phase(corev1.PodFailed))}},
		"no GPUs":             {pods: []*corev1.Pod{somePod("p", "", like(asking("cpu", "1")))}},
		"placed already":      {pods: []*corev1.Pod{somePod("p", "a1", phase(corev1.PodPending))}},
		"fits nowhere":        {pods: []*corev1.Pod{somePod("p", "", like(asking(gpu, "9")))}},
		"too much memory":     {pods: []*corev1.Pod{somePod("p", "", like(asking(gpu, "1", "memory", "1Ti")))}},
		"selects nothing":     {pods: []*corev1.Pod{somePod("p", "", like(selecting("zone", "moon")))}},
		"selects a pool":      {pods: []*corev1.Pod{somePod("p", "", like(selecting(product, "T4")))}, want: []elastic.Demand{{Pool: "T4", GPUs: 1}}},
		"nominated to a pool": {pods: []*corev1.Pod{somePod("p", "", func(p *corev1.Pod) { p.Status.NominatedNodeName = "t" })}, want: []elastic.Demand{{Pool: "T4", GPUs: 1}}},
		"nominated where it cannot run": {
			pods: []*corev1.Pod{somePod("p", "", func(p *corev1.Pod) { p.Status.NominatedNodeName = "d" })}, want: []elastic.Demand{{Pool: "A100", GPUs: 1}},
		},
		"the next pool, once the first is all asked for": {
			pods: []*corev1.Pod{somePod("p", "", like(asking(gpu, "8"))), somePod("q", "", like(asking(gpu, "8"))), somePod("r", "", like(asking(gpu, "8"))), somePod("s", "")},
			want: []elastic.Demand{{Pool: "A100", GPUs: 17}, {Pool: "T4", GPUs: 8}},
		},
		"the oldest first": { // by name, p and q would have A100, and r T4
			pods: []*corev1.Pod{
				somePod("p", "", like(asking(gpu, "8")), at(3)), somePod("q", "", like(asking(gpu, "8")), at(2)), somePod("r", "", like(asking(gpu, "4")), at(1)),
			},
			want: []elastic.Demand{{Pool: "A100", GPUs: 12}, {Pool: "T4", GPUs: 8}},
		},
		"no more than is there for us": {
			pods: []*corev1.Pod{somePod("x", "t", like(asking(gpu, "8"))), somePod("p", "", like(selecting(product, "T4")))},
			want: []elastic.Demand{{Pool: "T4", GPUs: 1}},
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
