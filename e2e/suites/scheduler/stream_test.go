package scheduler

import (
	"fmt"
	"math/rand/v2"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/invariant"
	"github.com/takt-dev/takt/e2e/lib/schedulerprocess"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// order is a job of a stream: so many pods with so many GPUs each, for so many steps once all of them run.
type order struct {
	change
	lasts int
	asked int // the step in which it came
	ends  int // and is over; 0 until all its pods have a node
}

// stream is what becomes of a stream of jobs under one scheduler.
type stream struct {
	t       *testing.T
	w       *world.World
	s       *schedulerprocess.Process
	stock   bool
	orders  []*order
	placed  int
	waited  int
	inPart  int         // how often a job held some of its GPUs at the end of a step, and lacked others
	idle    int         // GPUs that were held so, summed over the steps
	wasted  map[int]int // GPUs that no pod of a size could use, summed over the steps
	steps   int
	unspent int // GPUs that were free, summed over the steps
}

const (
	streamNodes = 6
	streamGPUs  = 8
)

// follow puts a stream through a scheduler, step by step: jobs that are over go, the next one comes, and
// then the scheduler has all the time that it needs. So it does not matter how fast anything is.
func follow(t *testing.T, stock bool, jobs int) *stream {
	t.Helper()
	w := world.New(t, world.Options{})
	w.Nodes(streamNodes, streamGPUs)
	f := &stream{t: t, w: w, stock: stock, wasted: map[int]int{}}
	f.s = schedulerprocess.Start(t, schedulerprocess.Options{Cluster: cluster.Shared(), Name: w.Namespace, Stock: stock,
		Change: []func(config, args object){
			func(config, _ object) { config["podInitialBackoffSeconds"], config["podMaxBackoffSeconds"] = 1, 1 },
		}})
	random := rand.New(rand.NewPCG(8, 64))
	shapes := [][2]int{
		{1, 1}, {1, 1}, {3, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {1, 4}, {2, 4}, {6, 1}, {8, 1}, {1, 8}, {2, 8}, {12, 1},
	}
	for step := range jobs {
		f.leave(step)
		shape := shapes[random.IntN(len(shapes))]
		o := &order{change: change{job: fmt.Sprintf("job%d", step), to: shape[0], gpus: shape[1]}, lasts: 4 + random.IntN(12),
			asked: step}
		if stock {
			o.epoch = 1
			for _, name := range o.pods() {
				plain(w, name, o.gpus)
			}
		} else {
			o.change = gang(t, w, o.change)
		}
		f.orders = append(f.orders, o)
		f.settle()
		f.measure(step)
	}
	for _, o := range f.orders {
		if o.ends == 0 {
			f.waited += jobs - o.asked
		}
	}
	return f
}

// leave lets jobs go that are over.
func (f *stream) leave(step int) {
	for _, o := range f.orders {
		if o.ends == step && step > 0 {
			end(f.t, f.w, o.change)
		}
	}
}

// settle waits until the scheduler has nothing left to try: each pod without a node was tried, and all of them stay so.
// What other tests do to the nodes of theirs has a scheduler try them anew each few seconds. So it need not rest all
// the time in between, as long as none of them finds a node.
func (f *stream) settle() {
	const enough = 10 // times that nothing was to be seen
	calm, same := 0, -1
	f.w.Eventually("the scheduler comes to rest", world.Soon, func() error {
		queued, without := f.s.Queued(), f.withoutNode()
		if queued["active"]+queued["backoff"] > 0 || queued["unschedulable"]+queued["gated"] != without {
			return fmt.Errorf("its queues are %v, and %d pods have no node", queued, without)
		}
		if without != same {
			calm, same = 0, without
		}
		if calm++; calm < enough {
			return fmt.Errorf("it has just come to rest")
		}
		return nil
	})
}

func (f *stream) pods() []corev1.Pod {
	f.t.Helper()
	var pods corev1.PodList
	if err := f.w.Client.List(f.t.Context(), &pods, client.InNamespace(f.w.Namespace)); err != nil {
		f.t.Fatal(err)
	}
	return pods.Items
}

func (f *stream) withoutNode() (n int) {
	for _, pod := range f.pods() {
		if pod.Spec.NodeName == "" {
			n++
		}
	}
	return n
}

func (f *stream) measure(step int) {
	used, nodes := map[string]int{}, map[string]string{}
	for _, pod := range f.pods() {
		nodes[pod.Name] = pod.Spec.NodeName
		if pod.Spec.NodeName != "" {
			used[pod.Spec.NodeName] += int(invariant.GPUs(&pod))
		}
	}
	for _, o := range f.orders {
		has := 0
		for _, name := range o.pods() {
			if nodes[name] != "" {
				has++
			}
		}
		switch {
		case o.ends > 0 || has == 0:
		case has == o.to:
			o.ends = step + o.lasts
			f.placed++
			f.waited += step - o.asked
		default:
			f.inPart++
			f.idle += has * o.gpus
		}
	}
	f.steps++
	free := streamNodes * streamGPUs
	for _, n := range used {
		free -= n
		for _, size := range []int{2, 4, 8} {
			f.wasted[size] += (streamGPUs - n) % size
		}
	}
	f.unspent += free
}

// The same stream of jobs goes through kube-scheduler and through Takt's, in the same cluster at the same
// time.
func TestSchedulerPacksBetterThanKubeScheduler(t *testing.T) {
	t.Parallel()
	jobs := extent.Of(30, 60)
	results := make(chan *stream, 2)
	t.Run("streams", func(t *testing.T) {
		for name, stock := range map[string]bool{"kube-scheduler": true, "takt-scheduler": false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				results <- follow(t, stock, jobs)
			})
		}
	})
	if t.Failed() {
		return
	}
	a, b := <-results, <-results
	if a.stock {
		a, b = b, a
	}
	t.Logf("%-15s %7s %11s %11s %18s %25s", "", "placed", "mean wait", "GPUs free", "held for nothing",
		"of the free, no use to 2, 4, 8")
	for _, f := range []*stream{b, a} {
		name := map[bool]string{true: "kube-scheduler", false: "takt-scheduler"}[f.stock]
		mean := func(sum int) float64 { return float64(sum) / float64(f.steps) }
		part := func(size int) float64 { return 100 * float64(f.wasted[size]) / float64(max(f.unspent, 1)) }
		t.Logf("%-15s %3d/%3d %5.1f steps %11.1f %13.1f GPUs %14.0f%% %3.0f%% %3.0f%%", name, f.placed, jobs,
			float64(f.waited)/float64(jobs), mean(f.unspent), mean(f.idle), part(2), part(4), part(8))
	}
	if a.placed < b.placed {
		t.Errorf("with Takt's scheduler %d gangs have been placed, with kube-scheduler %d", a.placed, b.placed)
	}
	if a.waited > b.waited {
		t.Errorf("with Takt's scheduler the jobs have waited for %d steps, with kube-scheduler %d", a.waited, b.waited)
	}
}
