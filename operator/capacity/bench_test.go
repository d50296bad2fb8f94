package capacity

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// BenchmarkRead reads a great cluster, and asks it where the workers of 5,000 jobs may run, which are
// of 50 kinds.
func BenchmarkRead(b *testing.B) {
	c := Cluster{Ours: ours}
	for i := range 1000 {
		c.Nodes = append(c.Nodes, someNode(fmt.Sprintf("node-%04d", i),
			labelled(product, fmt.Sprintf("product-%d", i%5)), labelled("zone", fmt.Sprint(i%7)),
			labelled("kubernetes.io/hostname", fmt.Sprint(i))))
	}
	for i := range 10_000 {
		node := ""
		if i < 9_500 {
			node = c.Nodes[i%1000].Name
		}
		p := somePod(fmt.Sprintf("pod-%d", i), node,
			like(asking(string(nvidia), fmt.Sprint(i%3), "cpu", "4", "memory", "16Gi")))
		if i%3 > 0 {
			p.Labels = map[string]string{"ours": "yes"}
		}
		c.Pods = append(c.Pods, p)
	}
	var templates []*corev1.PodTemplateSpec
	for i := range 5000 {
		kind := i % 50
		templates = append(templates,
			template(asking(string(nvidia), fmt.Sprint(1+kind%4), "cpu", fmt.Sprint(kind), "memory", "16Gi"),
				selecting("zone", fmt.Sprint(kind%7)), needing(product, "product-0", fmt.Sprintf("product-%d", 1+kind/10)),
				tolerating("team", fmt.Sprint(kind))))
	}
	b.ReportAllocs()
	for b.Loop() {
		s := Read(c, options)
		for _, template := range templates {
			if len(s.Fits(Worker{Template: template})) == 0 {
				b.Fatalf("no fit for %+v", template.Spec)
			}
		}
	}
}
