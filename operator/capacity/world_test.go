package capacity

import (
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	nvidia  = corev1.ResourceName("nvidia.com/gpu")
	amd     = corev1.ResourceName("amd.com/gpu")
	product = "nvidia.com/gpu.product"
)

var options = Options{
	Resources: []corev1.ResourceName{nvidia, amd}, ProductLabel: product,
	After: 10 * time.Second, LeaveWithin: time.Minute,
	LeavingTaints: []string{"cloud/goes"}, LeavingConditions: []string{"Preempted"},
}

// amounts are resources, name by name.
func amounts(list ...string) corev1.ResourceList {
	l := corev1.ResourceList{}
	for i := 0; i < len(list); i += 2 {
		l[corev1.ResourceName(list[i])] = resource.MustParse(list[i+1])
	}
	return l
}

// someNode is a node that is ready, with eight GPUs of one product.
func someNode(name string, changes ...func(*corev1.Node)) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{product: "A100"}}}
	n.Status.Allocatable = amounts(string(nvidia), "8", "cpu", "64", "memory", "512Gi", "pods", "110")
	n.Status.Capacity = maps.Clone(n.Status.Allocatable)
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	for _, change := range changes {
		change(n)
	}
	return n
}

func labelled(key, value string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Labels[key] = value }
}

func unlabelled(n *corev1.Node) { n.Labels = nil }

func tainted(key, value string, effect corev1.TaintEffect) func(*corev1.Node) {
	return func(n *corev1.Node) {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: key, Value: value, Effect: effect})
	}
}

func offers(list ...string) func(*corev1.Node) {
	return func(n *corev1.Node) { n.Status.Allocatable = amounts(list...) }
}

func cordoned(n *corev1.Node) { n.Spec.Unschedulable = true }

func notReady(n *corev1.Node) { n.Status.Conditions[0].Status = corev1.ConditionUnknown }

// answers is what a node says of itself, and for how long.
func answers(ready corev1.ConditionStatus, ago time.Duration) func(*corev1.Node) {
	return func(n *corev1.Node) {
		n.Status.Conditions[0].Status, n.Status.Conditions[0].LastTransitionTime = ready, metav1.NewTime(noon.Add(-ago))
	}
}

// noneLeft is what a kubelet says before the driver of its GPUs has come to it.
func noneLeft(n *corev1.Node) {
	n.Status.Allocatable = amounts(string(nvidia), "0", "cpu", "64")
	n.Status.Capacity = n.Status.Allocatable
}

func unreachable(n *corev1.Node) {
	tainted(corev1.TaintNodeUnreachable, "", corev1.TaintEffectNoExecute)(n)
}

func deleted(n *corev1.Node) { n.DeletionTimestamp = &metav1.Time{} }

// spec is that of a pod of one container with these requests.
func spec(requests ...string) corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{
		Name: "main", Resources: corev1.ResourceRequirements{Requests: amounts(requests...)},
	}}}
}

func template(changes ...func(*corev1.PodSpec)) *corev1.PodTemplateSpec {
	t := &corev1.PodTemplateSpec{Spec: spec(string(nvidia), "1")}
	for _, change := range changes {
		change(&t.Spec)
	}
	return t
}

func asking(requests ...string) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) { s.Containers = spec(requests...).Containers }
}

func tolerating(key, value string) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) {
		s.Tolerations = append(s.Tolerations, corev1.Toleration{Key: key, Value: value})
	}
}

func selecting(key, value string) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) { s.NodeSelector = map[string]string{key: value} }
}

func onNode(name string) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) { s.NodeName = name }
}

func needing(key string, values ...string) func(*corev1.PodSpec) {
	return func(s *corev1.PodSpec) {
		s.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
				MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}},
			}}},
		}}
	}
}

// somePod is a pod of someone else that runs on a node, or waits if that is empty.
func somePod(name, node string, changes ...func(*corev1.Pod)) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "team-a", Name: name}, Spec: spec(string(nvidia), "1")}
	p.Spec.NodeName, p.Status.Phase = node, corev1.PodRunning
	if node == "" {
		p.Status.Phase = corev1.PodPending
		p.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
			Message:            "0/9 nodes are available: 1 node(s) had untolerated taint(s), 8 Insufficient nvidia.com/gpu.",
			LastTransitionTime: metav1.NewTime(noon.Add(-time.Minute)),
		}}
	}
	for _, change := range changes {
		change(p)
	}
	return p
}

// worker is one of ours.
func worker(name, node string, changes ...func(*corev1.Pod)) *corev1.Pod {
	p := somePod(name, node, changes...)
	p.Labels = map[string]string{"ours": "yes"}
	return p
}

func replaced(p *corev1.Pod) bool { return p.Labels["replaced"] == "yes" }

func ours(p *corev1.Pod) bool { return p.Labels["ours"] == "yes" }

func like(changes ...func(*corev1.PodSpec)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		for _, change := range changes {
			change(&p.Spec)
		}
	}
}

func phase(phase corev1.PodPhase) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Phase = phase }
}

func terminating(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }

// goneBy says until when a pod may take to end.
func goneBy(at time.Time) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{Time: at} }
}

func gated(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "queue"}} }

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func read(nodes []*corev1.Node, pods ...*corev1.Pod) *Supply {
	return Read(Cluster{Now: noon, Nodes: nodes, Pods: pods, Ours: ours, Replaced: replaced}, options)
}

var always = new(corev1.ContainerRestartPolicyAlways)
