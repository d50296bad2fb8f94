package capacity

import (
	corev1 "k8s.io/api/core/v1"
)

// selector finds the labels that keep pods in one of the pools that they may run in: those of all
// nodes that Takt hands out, the product, if there are several, and those by which an administrator has labelled nodes
// like their taints. Nodes without a label, and nodes without a taint, cannot be told by a selector: where a pool has
// them, pods may run in another just as well.
func (s *Supply) selector(spec *corev1.PodSpec, p place, places []place) (selector map[string]string) {
	choose := func(key, value string) {
		if spec.NodeSelector[key] == value {
			return
		}
		if selector == nil {
			selector = map[string]string{}
		}
		selector[key] = value
	}
	for key, value := range s.options.NodeSelector {
		choose(key, value)
	}
	if s.products > 1 && p.product != "" {
		choose(s.options.ProductLabel, p.product)
	}
	for _, rival := range places {
		if rival.pool == p.pool || p.product != "" && rival.product != p.product {
			continue
		}
		for _, t := range p.taints {
			if t.Value != "" && p.every(t.Key, t.Value) && !rival.some(t.Key, t.Value) {
				choose(t.Key, t.Value)
				break
			}
		}
	}
	return selector
}

// every says whether all nodes of a pool have a label, and some whether any has.
func (p *pool) every(key, value string) bool {
	for _, n := range p.nodes {
		if n.Labels[key] != value {
			return false
		}
	}
	return true
}

func (p *pool) some(key, value string) bool {
	for _, n := range p.nodes {
		if n.Labels[key] == value {
			return true
		}
	}
	return false
}
