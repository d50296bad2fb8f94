// Package pack chooses nodes for pods that need GPUs. It knows no Kubernetes: nodes are numbers.
//
// What is chosen is the cheapest of what can be had. Two things cost:
//
//   - Odd GPUs. Jobs ask for GPUs in powers of two. A node with three free GPUs is as good for them as
//     one with two: the third is waste. [Waste] adds that up for pods of 2, 4 and 8 GPUs. So busy
//     nodes are filled first, and whole nodes stay whole.
//   - Distance. Each further node, rack or zone that a job is spread over costs something, which is
//     chosen by [Wish].
//
// They are in the same unit, a GPU that a pod of one size cannot use, so that they can be weighed: to
// stay on one node is worth breaking into another's crumbs, and not the other way round.
//
// What comes in are nodes with their free GPUs, pods, and a Wish; what goes out is a node for each pod, as far as there
// are some.
package pack

// sizes are the numbers of GPUs that pods usually ask for, beyond one.
var sizes = [...]int{2, 4, 8}

// Waste is how badly so many free GPUs on one node can be used: how many of them no pod of 2 GPUs can
// have, none of 4, and none of 8, added up.
func Waste(free int) int {
	waste := 0
	for _, size := range sizes {
		waste += Unusable(free, size)
	}
	return waste
}

// Unusable is how many of the free GPUs of a node are left over by pods of one size.
func Unusable(free, size int) int { return max(free, 0) % size }
