package capacity

import (
	"cmp"
	"slices"

	"github.com/takt-dev/takt/elastic"
)

// Lend has GPUs of a node count as those of another pool: workers hold them whose job belongs there. Nobody else of
// that pool gets them: once the workers are gone, the next reading has them where the node is.
func (s *Supply) Lend(node, pool string, gpus elastic.GPUs) {
	from, ok := s.find(node)
	if !ok {
		return
	}
	gpus = min(gpus, s.Nodes[from].GPUs)
	s.Nodes[from].GPUs -= gpus
	name := s.CountsAs(node, pool)
	to, ok := s.find(name)
	if !ok {
		s.Nodes = slices.Insert(s.Nodes, to, elastic.Node{Name: name, Pool: pool})
	}
	s.Nodes[to].GPUs += gpus
}

// CountsAs is the name in Nodes of what workers hold on a node whose job belongs to a pool. No node is called like what
// is lent of one.
func (s *Supply) CountsAs(node, pool string) string {
	if of, ok := s.PoolOf(node); !ok || of == pool {
		return node
	}
	return node + " in " + pool
}

func (s *Supply) find(name string) (int, bool) {
	return slices.BinarySearchFunc(s.Nodes, name, func(n elastic.Node, name string) int {
		return cmp.Compare(n.Name, name)
	})
}
