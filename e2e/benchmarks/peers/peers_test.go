package peers

import (
	"flag"
	"testing"
	"time"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/load"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

const (
	nodes, gpusEach = 8, 4
	gpus            = nodes * gpusEach
)

var jobs = flag.Int("jobs", 40, "how `many` jobs come")

// starts is how long a pod takes to start.
const starts = "2s"

// stream is a bit more work, for as long as it lasts, than the GPUs can do.
func stream() load.Stream {
	return load.Stream{
		Jobs: *jobs, Every: 3500 * time.Millisecond, Shortest: 40 * time.Second, StartsWithin: 15 * time.Second,
	}
}

// contender is who starts the jobs of the stream.
type contender struct {
	name string
	// builder is the folder of the module that builds it, and module the one that it is from.
	builder, module string
	built           string // says what it is built from, with that
	with            string // another module that it is built with, whose version tells something
	// start starts its programs on a cluster that has no scheduler. They end with the benchmark.
	start func(b *testing.B, home *cluster.Cluster) []process
	// operate starts a program that must know the world it is for, if it has one.
	operate world.Start
	// prepare makes ready what its jobs need, once the nodes are there, and job makes one of them.
	prepare func(w *world.World)
	job     func(w *world.World, o load.Order)
	// least is with how many workers a job trains.
	least func(o load.Order) int
}

// process is a program that runs.
type process interface {
	// PID is that of the process.
	PID() int
}

// BenchmarkPeers plays the stream under one after the other, so that each has the machine for itself.
func BenchmarkPeers(b *testing.B) {
	var all []outcome
	for _, c := range []contender{stock(), coscheduling(), kueue(), takt()} {
		b.Run(c.name, func(b *testing.B) { all = append(all, c.play(b)) })
	}
	if !b.Failed() && len(all) == 4 { // not if some were picked
		publish(b, all)
	}
}

// play plays the stream on a cluster of its own.
func (c contender) play(b *testing.B) outcome {
	home := cluster.Own(b, "--nodes", "0")
	if err := home.Component(b.Context(), "kill", "kube-scheduler"); err != nil {
		b.Fatal(err)
	}
	running := c.start(b, home)
	w := world.New(b, world.Options{Cluster: home, Start: c.operate, ReportEvery: 5 * time.Second, Settings: brisk})
	w.Nodes(nodes, gpusEach)
	if c.prepare != nil {
		c.prepare(w)
	}
	orders := stream().Orders()
	before, begin := writes(b, home), time.Now()
	for _, order := range orders {
		world.Until(b.Context(), begin.Add(order.At))
		c.job(w, order)
	}
	b.Logf("%s: the last of %d jobs was submitted after %v", c.name, len(orders), time.Since(begin).Round(time.Second))
	await(b, w, orders)
	o := c.judge(w, orders, begin)
	o.writes = writes(b, home) - before
	for _, each := range running {
		o.count(b, each.PID())
	}
	b.Log(o)
	return o
}

// brisk has Takt wait for as many seconds as it waits for minutes by default, as the trainings are as much shorter, and
// leaves all else as it is installed.
func brisk(s *settings.Settings) {
	by := settings.Default()
	s.API, s.Status, s.Log = by.API, by.Status, by.Log
	s.Planning.PromiseShare, s.Planning.Payback, s.Planning.Cooldown = by.Planning.PromiseShare, by.Planning.Payback,
		by.Planning.Cooldown
	world.Allow(&s.Resizes, time.Minute)
}

// patience is how long after the last job came the play goes on at most: several times as long as a job takes.
const patience = 8 * time.Minute

// await waits until all jobs have ended, or for as long as anybody has patience.
func await(b *testing.B, w *world.World, orders []load.Order) {
	b.Helper()
	for late := time.Now().Add(patience); len(w.Ends("PyTorchJob")) < len(orders) && time.Now().Before(late); {
		world.Until(b.Context(), time.Now().Add(time.Second))
	}
}

// needs is with how many workers each job trains.
func (c contender) needs(orders []load.Order) map[string]int {
	needs := map[string]int{}
	for _, o := range orders {
		needs[o.Name] = c.least(o)
	}
	return needs
}
