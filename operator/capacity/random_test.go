package capacity

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

// someCluster is a cluster whose pods were all placed where there was room for them.
func someCluster(r *rand.Rand) Cluster {
	c := Cluster{Now: noon, Ours: ours}
	for i := range 1 + r.IntN(6) {
		n := someNode(fmt.Sprintf("n%d", i), labelled(product, []string{"A100", "T4"}[r.IntN(2)]),
			labelled("zone", fmt.Sprint(r.IntN(2))))
		n.Status.Allocatable = amounts(string(nvidia), fmt.Sprint(r.IntN(9)), "cpu", fmt.Sprint(8*r.IntN(5)), "memory",
			"64Gi", "pods", fmt.Sprint(r.IntN(9)))
		for _, change := range []func(*corev1.Node){cordoned, notReady, deleted,
			tainted("dedicated", "a", corev1.TaintEffectNoSchedule)} {
			if r.IntN(6) == 0 {
				change(n)
			}
		}
		c.Nodes = append(c.Nodes, n)
	}
	free := map[string]room{}
	for _, n := range c.Nodes {
		free[n.Name] = dumbRoom(n)
	}
	for i := range r.IntN(30) {
		p := somePod(fmt.Sprintf("p%02d", i), "",
			like(asking(string(nvidia), fmt.Sprint(r.IntN(4)), "cpu", fmt.Sprint(r.IntN(6)))))
		n := c.Nodes[r.IntN(len(c.Nodes))]
		if left := dumbMinus(free[n.Name], p); r.IntN(4) > 0 && left.gpus >= 0 && left.cpu >= 0 && left.memory >= 0 &&
			left.pods >= 0 {
			p.Spec.NodeName = n.Name
			if p.Status.Phase = []corev1.PodPhase{corev1.PodPending, corev1.PodRunning, corev1.PodSucceeded,
				corev1.PodFailed}[r.IntN(4)]; !ended(p) {
				free[n.Name] = left
			}
		}
		if r.IntN(2) == 0 {
			p.Labels = map[string]string{"ours": "yes"}
		}
		if r.IntN(5) == 0 {
			goneBy(noon.Add(time.Duration(r.IntN(240)-120) * time.Second))(p)
		}
		if p.Spec.NodeName == "" && r.IntN(5) == 0 {
			gated(p)
		}
		c.Pods = append(c.Pods, p)
	}
	return c
}

// foreign says that a pod is somebody else's, and not about to be gone.
func foreign(p *corev1.Pod) bool {
	return !ours(p) && (p.DeletionTimestamp == nil || noon.Sub(p.DeletionTimestamp.Time).Abs() >= options.LeaveWithin)
}

func ended(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

func dumbRoom(n *corev1.Node) room {
	a := n.Status.Allocatable
	gpus := a[nvidia]
	return room{gpus.Value(), a.Cpu().MilliValue(), a.Memory().Value(), a.Pods().Value()}
}

func dumbMinus(r room, p *corev1.Pod) room {
	a := p.Spec.Containers[0].Resources.Requests
	gpus := a[nvidia]
	return room{r.gpus - gpus.Value(), r.cpu - a.Cpu().MilliValue(), r.memory - a.Memory().Value(), r.pods - 1}
}

// dumbWorkers places workers one by one until one does not fit.
func dumbWorkers(free room, worker *corev1.Pod) (n elastic.Workers) {
	for {
		free = dumbMinus(free, worker)
		if free.gpus < 0 || free.cpu < 0 || free.memory < 0 || free.pods < 0 {
			return n
		}
		n++
	}
}

func TestRandomClusters(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := someCluster(r)
		s := Read(c, options)
		if err := (elastic.Snapshot{Nodes: s.Nodes, Demands: s.Demands}).Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		ask := template(asking(string(nvidia), fmt.Sprint(1+r.IntN(3)), "cpu", fmt.Sprint(r.IntN(6))))
		change := []func(*corev1.PodSpec){selecting("zone", "1"), needing("zone", "0"), tolerating("dedicated", "a"),
			selecting(product, "T4"), func(*corev1.PodSpec) {}}[r.IntN(5)]
		change(&ask.Spec)
		checkNodes(t, seed, c, s)
		checkFits(t, seed, c, s, ask)

		r.Shuffle(len(c.Nodes), func(i, j int) { c.Nodes[i], c.Nodes[j] = c.Nodes[j], c.Nodes[i] })
		r.Shuffle(len(c.Pods), func(i, j int) { c.Pods[i], c.Pods[j] = c.Pods[j], c.Pods[i] })
		again := Read(c, options)
		if diff := cmp.Diff([]any{s.Nodes, s.Demands, s.Fits(Worker{Template: ask})},
			[]any{again.Nodes, again.Demands, again.Fits(Worker{Template: ask})}); diff != "" {
			t.Fatalf("seed %d: in another order (-before +after):\n%s", seed, diff)
		}
	}
}

// checkNodes: what is handed out and what others hold is never more than there is, and all of it where
// a node takes pods; what our workers hold is always theirs.
func checkNodes(t *testing.T, seed uint64, c Cluster, s *Supply) {
	t.Helper()
	for _, n := range c.Nodes {
		var others, staying, leaving int64
		for _, p := range c.Pods {
			gpus := p.Spec.Containers[0].Resources.Requests[nvidia]
			switch {
			case p.Spec.NodeName != n.Name || ended(p):
			case foreign(p):
				others += gpus.Value()
			case p.DeletionTimestamp != nil:
				leaving += gpus.Value()
			default:
				staying += gpus.Value()
			}
		}
		i := slices.IndexFunc(s.Nodes, func(o elastic.Node) bool { return o.Name == n.Name })
		if i < 0 {
			if dumbRoom(n).gpus+others+staying+leaving > 0 {
				t.Fatalf("seed %d: node %s is left out", seed, n.Name)
			}
			continue
		}
		given, all := int64(s.Nodes[i].GPUs), dumbRoom(n).gpus
		if given < 0 || given+others > all || given < staying {
			t.Fatalf("seed %d: node %s of %d gives %d; others hold %d, ours %d", seed, n.Name, all, given, others, staying)
		}
		want := all - others
		if n.Spec.Unschedulable || n.DeletionTimestamp != nil || n.Status.Conditions[0].Status != corev1.ConditionTrue {
			want = staying
		}
		if given != want {
			t.Fatalf("seed %d: node %s gives %d, want %d", seed, n.Name, given, want)
		}
	}
}

// checkFits places workers one by one instead of reckoning.
func checkFits(t *testing.T, seed uint64, c Cluster, s *Supply, ask *corev1.PodTemplateSpec) {
	t.Helper()
	rooms, capacities := map[string]elastic.Workers{}, map[string]elastic.Workers{}
	for _, n := range c.Nodes {
		if n.Spec.Unschedulable || n.DeletionTimestamp != nil || n.Status.Conditions[0].Status != corev1.ConditionTrue {
			continue
		}
		if len(n.Spec.Taints) > 0 && len(ask.Spec.Tolerations) == 0 {
			continue
		}
		suits := true
		for key, value := range ask.Spec.NodeSelector {
			suits = suits && n.Labels[key] == value
		}
		if ask.Spec.Affinity != nil {
			suits = suits && n.Labels["zone"] == "0"
		}
		if !suits {
			continue
		}
		free, others := dumbRoom(n), dumbRoom(n)
		for _, p := range c.Pods {
			if p.Spec.NodeName == n.Name && !ended(p) {
				free = dumbMinus(free, p)
				if foreign(p) {
					others = dumbMinus(others, p)
				}
			}
		}
		pool := n.Labels[product]
		if len(n.Spec.Taints) > 0 {
			pool += " (dedicated=a)"
		}
		rooms[pool] += dumbWorkers(free, &corev1.Pod{Spec: ask.Spec})
		capacities[pool] += dumbWorkers(others, &corev1.Pod{Spec: ask.Spec})
	}
	fits := s.Fits(Worker{Template: ask})
	for _, f := range fits {
		if f.Room != rooms[f.Pool] || f.Capacity != capacities[f.Pool] {
			t.Fatalf("seed %d: pool %s has room for %d of %d, want %d of %d", seed, f.Pool, f.Room, f.Capacity, rooms[f.Pool],
				capacities[f.Pool])
		}
	}
	for pool, capacity := range capacities {
		if capacity > 0 && !slices.ContainsFunc(fits, func(f Fit) bool { return f.Pool == pool }) {
			t.Fatalf("seed %d: pool %s has room for %d and is not named", seed, pool, capacity)
		}
	}
}
