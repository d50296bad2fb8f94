package gang

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// forged are pods that call themselves one gang, of a Resize that is not there.
func forged(n int) []Pod {
	pods := make([]Pod, n)
	for i := range pods {
		p := pod(i, 0, n)
		p.Change.Job = "forged"
		pods[(i*7919)%n] = p
	}
	return pods
}

// stand has pods come one after the other, and ask twice each whether they may stand in the queue.
func stand(d *desk, pods []Pod) {
	for range 2 {
		for _, p := range pods {
			d.Saw(p, d.now)
			d.Admit(p.UID, d.now)
			d.Take()
		}
		d.after(2 * d.limits.Orphan)
	}
}

// Four times as many pods that call themselves a gang cost four times as much, and not sixteen times: the scheduler
// looks after them with the lock held that each other pod needs. What is counted are the bytes that it takes.
func TestThousandsOfForgedPodsCostWhatTheyAre(t *testing.T) {
	takes := func(n int) uint64 {
		pods := forged(n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		stand(open(t), pods)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := takes(1001), takes(4004)
	t.Logf("%d bytes for a thousand, %d for four thousand", few, many)
	if many > 8*few {
		t.Errorf("four times as many pods take %.1f times as much", float64(many)/float64(few))
	}
}

func BenchmarkForgedPods(b *testing.B) {
	for _, n := range []int{1000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			pods := forged(n)
			for b.Loop() {
				stand(&desk{Book: NewBook(DefaultLimits()), now: noon}, pods)
			}
		})
	}
}

// The rows that are kept are those that would be found by looking at all pods, whatever happens to these.
func TestRowsAreKeptInOrder(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 3))
		d := open(t)
		for range 300 {
			p := pod(random.IntN(12), 0, 1+random.IntN(12))
			p.Leader, p.Gated = random.IntN(9) == 0, random.IntN(6) == 0
			switch random.IntN(6) {
			case 0:
				d.Gone(p.UID, d.now)
			case 1:
				d.record(Record{Pods: random.IntN(12), Fewer: random.IntN(3), Over: random.IntN(3) == 0})
			case 2:
				p.Node = "a"
				d.saw(p)
			case 3:
				p.Leaving = true
				d.saw(p)
			default:
				d.saw(p)
			}
			for _, g := range d.gangs {
				d.rightRows(g)
			}
		}
	}
}

func (d *desk) rightRows(g *gang) {
	d.t.Helper()
	names := func(pods []*Pod) (names []string) {
		for _, p := range pods {
			names = append(names, p.Name)
		}
		return names
	}
	var there []*Pod
	for _, p := range g.pods {
		if !p.Leaving && !p.Gated {
			there = append(there, p)
		}
	}
	slices.SortFunc(there, byIndex)
	there = there[:max(min(len(there), d.wanted(g)), 0)]
	if diff := cmp.Diff(names(there), names(d.members(g))); diff != "" {
		d.t.Fatalf("members, -want +got:\n%s", diff)
	}
	left := slices.DeleteFunc(there, func(p *Pod) bool { return p.Node != "" })
	if diff := cmp.Diff(names(left), names(d.unbound(g))); diff != "" {
		d.t.Fatalf("those without a node, -want +got:\n%s", diff)
	}
}
