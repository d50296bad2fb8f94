package capacity

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// beside is what a pod requires of the pods beside it. Its scheduler follows that, so there is less room for it than
// its requests say.
type beside struct {
	namespace string
	labels    labels.Set
	ports     []hostPort
	apart     []term // no pod like this is in the same domain
	together  []term // one like this is in the same domain
	even      []evenly
}

// hostPort is a port of a node that one pod has for itself.
type hostPort struct {
	protocol corev1.Protocol
	ip       string
	port     int32
}

// term is a kind of pods, and what makes two nodes one domain: the value of a label.
type term struct {
	topology   string
	selector   labels.Selector // nil: none but the workers themselves
	namespaces []string
	anywhere   bool // in every namespace
	own        bool // pods of the same template are of this kind
}

// evenly has pods of a kind spread over domains: none has more by so many than the one that has fewest.
type evenly struct {
	term
	skew, domains int
	everyNode     bool // counts, also one that the pods do not choose
	tainted       bool // so does one with a taint that they do not tolerate
}

// besideOf is what a worker requires; nil if that is nothing. Terms that cannot be understood are passed over.
func besideOf(w Worker) *beside {
	a, ports := w.Template.Spec.Affinity, hostPorts(&w.Template.Spec)
	if w.Port > 0 && w.Template.Spec.HostNetwork {
		ports = append(ports, hostPort{port: w.Port})
	}
	if len(ports) == 0 && w.Within == "" && len(w.Template.Spec.TopologySpreadConstraints) == 0 &&
		(a == nil || a.PodAffinity == nil && a.PodAntiAffinity == nil) {
		return nil // so are most
	}
	b := beside{namespace: w.Namespace, labels: w.labels(), ports: ports}
	if a != nil {
		if a.PodAntiAffinity != nil {
			b.apart = b.terms(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
		}
		if a.PodAffinity != nil {
			b.together = b.terms(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
		}
	}
	for i := range w.Template.Spec.TopologySpreadConstraints {
		b.even = append(b.even, b.evenly(&w.Template.Spec.TopologySpreadConstraints[i])...)
	}
	if w.Within != "" {
		b.together = append(b.together, term{topology: w.Within, own: true})
	}
	if len(b.ports)+len(b.apart)+len(b.together)+len(b.even) == 0 {
		return nil
	}
	return &b
}

func (b *beside) terms(list []corev1.PodAffinityTerm) (terms []term) {
	for i := range list {
		t, ok := termOf(&list[i], b.namespace, b.labels)
		if ok {
			t.own = t.matches(b.namespace, b.labels)
			terms = append(terms, t)
		}
	}
	return terms
}

// termOf reads a term of a pod in a namespace. Namespaces that are chosen by their labels are not known here.
func termOf(from *corev1.PodAffinityTerm, namespace string, of labels.Set) (term, bool) {
	t := term{topology: from.TopologyKey, namespaces: from.Namespaces}
	switch chosen := from.NamespaceSelector; {
	case chosen != nil && len(chosen.MatchLabels)+len(chosen.MatchExpressions) > 0:
		return t, false
	case chosen != nil:
		t.anywhere = true
	case len(t.namespaces) == 0:
		t.namespaces = []string{namespace}
	}
	var ok bool
	t.selector, ok = selectorOf(from.LabelSelector, of, from.MatchLabelKeys, from.MismatchLabelKeys)
	return t, ok
}

// selectorOf reads a selector, with the labels whose values are to be, or not to be, those of the pod itself.
func selectorOf(from *metav1.LabelSelector, of labels.Set, same, other []string) (labels.Selector, bool) {
	s := from.DeepCopy()
	add := func(keys []string, op metav1.LabelSelectorOperator) {
		for _, key := range keys {
			if value, ok := of[key]; ok && s != nil {
				s.MatchExpressions = append(s.MatchExpressions,
					metav1.LabelSelectorRequirement{Key: key, Operator: op, Values: []string{value}})
			}
		}
	}
	add(same, metav1.LabelSelectorOpIn)
	add(other, metav1.LabelSelectorOpNotIn)
	selector, err := metav1.LabelSelectorAsSelector(s)
	return selector, err == nil
}

func (t *term) matches(namespace string, of labels.Set) bool {
	return (t.anywhere || slices.Contains(t.namespaces, namespace)) && t.selector.Matches(of)
}

// evenly reads a constraint that has to hold. One that does not count the pods themselves bounds no number of them.
func (b *beside) evenly(c *corev1.TopologySpreadConstraint) []evenly {
	selector, ok := selectorOf(c.LabelSelector, b.labels, c.MatchLabelKeys, nil)
	if !ok || c.WhenUnsatisfiable != corev1.DoNotSchedule || !selector.Matches(b.labels) {
		return nil
	}
	e := evenly{term: term{topology: c.TopologyKey, selector: selector, namespaces: []string{b.namespace}, own: true},
		skew: int(max(c.MaxSkew, 1))}
	if c.MinDomains != nil {
		e.domains = int(*c.MinDomains)
	}
	e.everyNode = c.NodeAffinityPolicy != nil && *c.NodeAffinityPolicy == corev1.NodeInclusionPolicyIgnore
	e.tainted = c.NodeTaintsPolicy == nil || *c.NodeTaintsPolicy == corev1.NodeInclusionPolicyIgnore
	return []evenly{e}
}

// hostPorts are those that a pod takes of its node. One in the network of its node takes every port that it names:
// Kubernetes writes that down when the pod is created, and the template of a job does not say so yet.
func hostPorts(spec *corev1.PodSpec) (ports []hostPort) {
	note := func(c *corev1.Container) {
		for i := range c.Ports {
			p := &c.Ports[i]
			host := p.HostPort
			if host == 0 && spec.HostNetwork {
				host = p.ContainerPort
			}
			if host > 0 && len(ports) < mostNodeRules {
				ports = append(ports, hostPort{p.Protocol, p.HostIP, host})
			}
		}
	}
	for i := range spec.Containers {
		note(&spec.Containers[i])
	}
	for i := range spec.InitContainers {
		if c := &spec.InitContainers[i]; isSidecar(c) {
			note(c)
		}
	}
	return ports
}

func isSidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// clashes says that two pods with these ports cannot be on one node.
func clashes(a, b []hostPort) bool {
	protocol := func(p hostPort) corev1.Protocol {
		if p.protocol == "" {
			return corev1.ProtocolTCP
		}
		return p.protocol
	}
	every := func(ip string) bool { return ip == "" || ip == "0.0.0.0" }
	for _, p := range a {
		for _, q := range b {
			if p.port == q.port && protocol(p) == protocol(q) && (p.ip == q.ip || every(p.ip) || every(q.ip)) {
				return true
			}
		}
	}
	return false
}
