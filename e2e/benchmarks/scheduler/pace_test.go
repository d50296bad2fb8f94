package scheduler

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
)

// The speed of a machine that is shared changes from second to second by more than what is to be found
// out of plain pods. So many short rounds are better than few long ones: each scheduler has its share of
// every weather.
const (
	plainPods, plainRounds = 600, 40
	gangPods, gangRounds   = 2000, 2
)

// contender is one of the two schedulers, and what was measured of it.
type contender struct {
	name  string
	stock bool
	// by what was measured
	took    map[string][]time.Duration // of each round, from the first pod that was bound to the last
	first   map[string][]time.Duration // until then, from when the process was started
	latency map[string][]time.Duration
	memory  int // the most that was resident, in MB
	cpu     map[string][]float64
}

// BenchmarkSchedulers has both schedule the same, by turns.
func BenchmarkSchedulers(b *testing.B) {
	p := found(b)
	takt := &contender{name: "takt-scheduler"}
	stock := &contender{name: "kube-scheduler", stock: true}
	for _, c := range []*contender{takt, stock} {
		c.took, c.first = map[string][]time.Duration{}, map[string][]time.Duration{}
		c.latency, c.cpu = map[string][]time.Duration{}, map[string][]float64{}
	}
	for round := range plainRounds {
		turns := []*contender{stock, takt}
		if round%2 == 1 {
			slices.Reverse(turns)
		}
		for _, c := range turns {
			p.backlog(c, "plain pods", plain(c.name, plainPods))
			if round >= gangRounds {
				continue
			}
			for _, size := range []int{8, 64} {
				var pods []*corev1.Pod
				for job := range gangPods / size {
					pods = append(pods, p.gang(c.name, !c.stock, job, size)...)
				}
				p.backlog(c, fmt.Sprintf("gangs of %d", size), pods)
			}
			p.arrivals(c, 8, 60)
			p.arrivals(c, 64, 12)
		}
	}
	publish(b, takt, stock)
}

// start starts the scheduler of a contender.
func (p *place) start(c *contender) *schedulerprocess.Process {
	return schedulerprocess.Start(p.b, schedulerprocess.Options{Cluster: p.cluster, Name: c.name, Stock: c.stock})
}

// backlog is how fast everything is bound that waits when the scheduler starts.
func (p *place) backlog(c *contender, what string, pods []*corev1.Pod) {
	p.b.Helper()
	p.make(pods)
	p.until("all pods are there", func() bool { return len(p.there) == len(pods) })
	began := time.Now()
	s := p.start(c)
	p.until("all pods are bound", func() bool { return len(p.bound) == len(pods) })
	first, last := p.span()
	c.took[what] = append(c.took[what], last.Sub(first))
	c.first[what] = append(c.first[what], first.Sub(began))
	p.end(c, s, what, len(pods))
}

// arrivals is how long gangs take that come one after the other, from when all their pods are there.
func (p *place) arrivals(c *contender, size, count int) {
	p.b.Helper()
	s := p.start(c)
	what := fmt.Sprintf("gangs of %d", size)
	for job := range count {
		pods := p.gang(c.name, !c.stock, job, size)
		p.make(pods)
		complete := time.Now()
		p.until("the gang is bound", func() bool { return len(p.bound) == (job+1)*size })
		c.latency[what] = append(c.latency[what], max(p.wholeAt(pods).Sub(complete), 0))
	}
	p.end(c, s, "", 0)
}

// end notes what the process has used, ends it and clears the place.
func (p *place) end(c *contender, s *schedulerprocess.Process, what string, pods int) {
	p.b.Helper()
	cpu, memory, err := cluster.Used(s.PID())
	if err != nil {
		p.b.Fatal(err)
	}
	c.memory = max(c.memory, memory>>20)
	if what != "" {
		c.cpu[what] = append(c.cpu[what], 1000*cpu.Seconds()/float64(pods)*1000)
	}
	s.Kill()
	p.clear()
}
