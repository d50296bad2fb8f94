package plugin

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
)

// why says why not more pods fit, and who holds the GPUs, without a full stop.
func (tr *trial) why(fit, of int) string {
	text := fmt.Sprintf("%d of %s fit", fit, elastic.CountOf(of, "new pod"))
	switch {
	case of == 1 && tr.cut:
		text = "No room was found for the new pod (there was no time to try more)"
	case of == 1:
		text = "The new pod does not fit"
	case tr.cut:
		text = "At least " + text + " (there was no time to try more)"
	}
	if within := tr.t.levelName(tr.wish.Within); within != "" {
		text += ", as all must be in one " + within
	}
	nodes := map[string]int{}
	for reason, at := range tr.reasons {
		nodes[reason] = len(at)
	}
	if reasons := most(nodes, 4); len(reasons) > 0 {
		text += fmt.Sprintf("; of %s: %s", elastic.CountOf(len(tr.infos), "node"),
			list(reasons, func(reason string, nodes int) string {
				return fmt.Sprintf("%d %s", nodes, reason)
			}))
	}
	if holders := most(tr.holders(), 3); len(holders) > 0 {
		text += ". Of the GPUs there, " + list(holders, func(name string, gpus int) string {
			if name == others {
				return fmt.Sprintf("%s have %d", name, gpus)
			}
			return fmt.Sprintf("%s has %d", name, gpus)
		})
	}
	return text
}

// holders is who has how many GPUs on the nodes that lack them.
func (tr *trial) holders() map[string]int {
	held := map[string]int{}
	for i, info := range tr.infos {
		if !tr.lacking[i] {
			continue
		}
		for _, pod := range info.GetPods() {
			if n := gpusOf(pod, tr.gpu); n > 0 {
				held[holder(pod.GetPod())] += n
			}
		}
	}
	return held
}

// holder is whose a pod is: whatever made it, whoever that says it belongs to.
func holder(pod *corev1.Pod) string {
	name := pod.Labels[v1alpha1.ElasticJobLabel]
	if len(pod.OwnerReferences) > 0 && validName(pod.OwnerReferences[0].Name) {
		name = pod.OwnerReferences[0].Name
	}
	return pod.Namespace + "/" + cmp.Or(name, pod.Name)
}

// validName says that something may be called so. Nobody checks the name of an owner, and others read it.
func validName(name string) bool { return len(validation.IsDNS1123Subdomain(name)) == 0 }

// others are those that are told as one; no holder is called so.
const others = "others"

type counted struct {
	name  string
	count int
}

// most are the greatest of what was counted; the rest is told as one.
func most(counts map[string]int, n int) []counted {
	var all []counted
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, counted{name, counts[name]})
	}
	slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(b.count, a.count) })
	if len(all) <= n {
		return all
	}
	rest := counted{name: others}
	for _, c := range all[n:] {
		rest.count += c.count
	}
	return append(all[:n], rest)
}

func list(all []counted, say func(string, int) string) string {
	var parts []string
	for _, c := range all {
		parts = append(parts, say(c.name, c.count))
	}
	return strings.Join(parts, ", ")
}
