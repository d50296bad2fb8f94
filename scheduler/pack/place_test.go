package pack

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// closely is the wish of a job of which nothing is said.
var closely = Wish{Within: Anywhere, Apart: []int{8, 24, 72}}

// cluster is nodes with so many free GPUs, in racks of four.
func cluster(free ...int) []Node {
	var nodes []Node
	for i, f := range free {
		rack := strconv.Itoa(i / 4)
		nodes = append(nodes, Node{Free: f, Room: []int{100, 100}, Domains: []string{rack}})
	}
	return nodes
}

// perNode is how many pods each node gets.
func perNode(nodes []Node, shares []Share) []int {
	got := make([]int, len(nodes))
	for _, s := range shares {
		got[s.Node] += s.Pods
	}
	return got
}

func TestPlace(t *testing.T) {
	for name, c := range map[string]struct {
		nodes []Node
		pods  Class
		wish  Wish
		want  []int
	}{
		"a busy node is filled, whole ones stay whole": {cluster(8, 2, 8, 4), Class{2, 1}, closely, []int{0, 2, 0, 0}},
		"one node holds all":                           {cluster(2, 2, 8, 2), Class{8, 1}, closely, []int{0, 0, 8, 0}},
		"crumbs of two nodes rather than a bite of a whole": {
			cluster(8, 2, 1, 8), Class{3, 1}, Wish{Within: Anywhere, Apart: []int{2}}, []int{0, 2, 1, 0},
		},
		"no odd GPU is left": {cluster(3, 2, 8, 8), Class{2, 1}, closely, []int{0, 2, 0, 0}},
		"a rack holds all that no node holds": {
			cluster(8, 0, 0, 0, 8, 8, 0, 0), Class{16, 1}, closely, []int{0, 0, 0, 0, 8, 8, 0, 0},
		},
		"several racks if one does not": {
			cluster(8, 0, 0, 0, 8, 8, 0, 0), Class{24, 1}, closely, []int{8, 0, 0, 0, 8, 8, 0, 0},
		},
		"pods of several GPUs": {cluster(6, 8, 7, 8), Class{2, 4}, closely, []int{0, 2, 0, 0}},
		"as many as fit":       {cluster(3, 2, 0, 1), Class{8, 1}, closely, []int{3, 2, 0, 1}},
		"nothing fits":         {cluster(3, 2, 0, 1), Class{1, 4}, closely, []int{0, 0, 0, 0}},
		"all in one rack, or as many as it holds": {
			cluster(8, 0, 0, 0, 4, 4, 4, 0), Class{16, 1}, Wish{Within: 1, Apart: closely.Apart}, []int{0, 0, 0, 0, 4, 4, 4, 0}},
		"all on one node":       {cluster(4, 4, 5, 0), Class{6, 1}, Wish{Within: OneNode}, []int{0, 0, 5, 0}},
		"pods that need no GPU": {cluster(0, 0, 0, 0), Class{3, 0}, closely, []int{3, 0, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			got := perNode(c.nodes, Place(c.nodes, []Class{c.pods}, c.wish))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("pods by node, -want +got:\n%s", diff)
			}
		})
	}
}

func TestPlaceGoesWhereTheJobIs(t *testing.T) {
	nodes := cluster(8, 8, 8, 8, 4, 0, 4, 8)
	nodes[5].Kin = 8
	if got := perNode(nodes, Place(nodes, []Class{{4, 1}}, closely)); got[4]+got[6] != 4 {
		t.Errorf("not in its rack: %v", got)
	}
	within := Wish{Within: 1}
	if got := perNode(nodes, Place(nodes, []Class{{20, 1}}, within)); got[4]+got[6]+got[7] != 16 {
		t.Errorf("it must be in its rack, where 16 fit: %v", got)
	}
	nodes[6].Kin = 1
	if got := perNode(nodes, Place(nodes, []Class{{2, 1}}, closely)); got[6] != 2 {
		t.Errorf("not on its node: %v", got)
	}
}

func TestPlaceClassesTogether(t *testing.T) {
	nodes := cluster(2, 8, 8, 4)
	shares := Place(nodes, []Class{{1, 1}, {2, 4}}, closely)
	if got := Count(shares); got != 3 {
		t.Fatalf("%d of 3 pods are placed: %v", got, shares)
	}
	used := perNode(nodes, shares)
	if used[1]+used[2] > 3 || used[1]*used[2] > 0 && used[0]+used[3] == 0 {
		t.Errorf("two whole nodes are broken: %v", shares)
	}
}

// Whatever the cluster is like: no node gets more than it has, and all are placed that one after the
// other could be.
func TestPlaceInRandomClusters(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		nodes := make([]Node, 1+random.IntN(12))
		for i := range nodes {
			nodes[i] = Node{Free: random.IntN(9), Room: []int{random.IntN(6)}, Kin: random.IntN(8) / 6,
				Domains: []string{strconv.Itoa(i / 3), strconv.Itoa(i / 6)}}
		}
		class := Class{1 + random.IntN(12), 1 << random.IntN(4)}
		wish := closely
		wish.Within = Level(random.IntN(4) - 1)
		shares := Place(nodes, []Class{class}, wish)
		got := perNode(nodes, shares)
		room := 0
		domains := map[string]int{}
		for i, n := range nodes {
			takes := n.takes(0, class.GPUs)
			if got[i] > takes {
				t.Fatalf("node %d with %+v gets %d of %+v", i, n, got[i], class)
			}
			room += takes
			name := "all"
			if wish.Within == OneNode {
				name = strconv.Itoa(i)
			} else if wish.Within > OneNode {
				name = n.Domains[wish.Within-1]
			}
			if got[i] > 0 {
				domains[name] += got[i]
			}
		}
		if wish.Within == Anywhere && Count(shares) != min(room, class.Pods) {
			t.Fatalf("%d of %+v are placed, though %d have room: %+v", Count(shares), class, room, nodes)
		}
		if len(domains) > 1 {
			t.Fatalf("all must be in one of %v", domains)
		}
	}
}

// BenchmarkPlace finds nodes for a gang that fits on any node, and for one that needs several.
func BenchmarkPlace(b *testing.B) {
	var free []int
	for range 1000 {
		free = append(free, 8)
	}
	nodes := cluster(free...)
	for _, pods := range []int{8, 64} {
		b.Run(strconv.Itoa(pods), func(b *testing.B) {
			for b.Loop() {
				Place(nodes, []Class{{pods, 1}}, closely)
			}
		})
	}
}
