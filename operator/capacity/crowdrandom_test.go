package capacity

import (
	"fmt"
	"math/rand/v2"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/elastic"
)

// habit is what workers require of the pods beside them, and whether one more may come to a node, as their scheduler
// sees it when it places them one by one.
type habit struct {
	name string
	spec func(*corev1.PodSpec)
	may  func(c dumb, node int) bool
}

// dumb is a cluster on which workers are placed one by one: how many like them each node has.
type dumb struct {
	nodes []*corev1.Node
	like  []int
}

func (d dumb) sum(topology string) map[string]int {
	sum := map[string]int{}
	for i, n := range d.nodes {
		sum[n.Labels[topology]] += d.like[i]
	}
	return sum
}

func evenHabit(topology string, skew int) habit {
	return habit{fmt.Sprint("even by ", topology), spread(topology, int32(skew)), func(d dumb, node int) bool {
		sum := d.sum(topology)
		fewest := sum[d.nodes[node].Labels[topology]]
		for _, n := range sum {
			fewest = min(fewest, n)
		}
		return sum[d.nodes[node].Labels[topology]]+1-fewest <= skew
	}}
}

func apartHabit(topology string) habit {
	return habit{"apart by " + topology, apart(topology, "job", "bert"), func(d dumb, node int) bool {
		return d.sum(topology)[d.nodes[node].Labels[topology]] == 0
	}}
}

var habits = []habit{
	apartHabit(hostname), apartHabit(zone),
	evenHabit(hostname, 1), evenHabit(hostname, 2), evenHabit(zone, 1), evenHabit(zone, 3),
	{"on a port", listening(true, corev1.ContainerPort{ContainerPort: 29500}), func(d dumb, node int) bool {
		return d.like[node] == 0
	}},
	{"together", togetherInZone("job", "bert"), func(d dumb, node int) bool {
		sum, all := d.sum(zone), 0
		for _, n := range sum {
			all += n
		}
		return all == 0 || sum[d.nodes[node].Labels[zone]] > 0
	}},
}

// TestRandomNeighbours places workers one by one, as a scheduler would, and reckons as many.
func TestRandomNeighbours(t *testing.T) {
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 9))
		h := habits[r.IntN(len(habits))]
		d, free := dumb{}, []int{}
		var pods []*corev1.Pod
		for i := range 1 + r.IntN(6) {
			n := inZone(fmt.Sprint("n", i), fmt.Sprint(r.IntN(3)), with(string(nvidia), fmt.Sprint(1+r.IntN(4))))
			gpus := n.Status.Allocatable[nvidia]
			d.nodes, d.like, free = append(d.nodes, n), append(d.like, 0), append(free, int(gpus.Value()))
			if r.IntN(6) == 0 {
				cordoned(n)
				free[i] = 0
			}
		}
		for i := range r.IntN(4) {
			at := r.IntN(len(d.nodes))
			if free[at] == 0 || !h.may(d, at) {
				continue
			}
			p := somePod(fmt.Sprint("p", i), d.nodes[at].Name, withPodLabel("job", "bert"), like(h.spec))
			pods, free[at] = append(pods, p), free[at]-1
			d.like[at]++
		}
		want := elastic.Workers(0)
		for first := range d.nodes { // where the first goes may tell how many find room
			want = max(want, d.placed(h, free, first))
		}
		got := read(d.nodes, pods...).Fits(bert(h.spec))[0]
		if got.Room != want || got.Capacity != want {
			t.Fatalf("seed %d, %s: room for %d of %d, want %d", seed, h.name, got.Room, got.Capacity, want)
		}
	}
}

// placed is how many workers find room, the first on some node.
func (d dumb) placed(h habit, free []int, first int) (n elastic.Workers) {
	like, left := append([]int{}, d.like...), append([]int{}, free...)
	d.like = like
	for {
		at := -1
		for i := range d.nodes {
			node := (first + i) % len(d.nodes)
			if left[node] > 0 && h.may(d, node) {
				at = node
				break
			}
		}
		if at < 0 {
			return n
		}
		n++
		d.like[at]++
		left[at]--
	}
}
