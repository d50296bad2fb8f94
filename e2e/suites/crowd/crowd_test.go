package crowd

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/e2e/lib/load"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

var (
	jobs  = extent.Of(30, 200)
	nodes = extent.Of(16, 128)
	// stream is how they come. The jobs of the sample are so short that they must be allowed more for what a busy
	// machine takes.
	stream = load.Stream{
		Jobs: jobs, Every: extent.Of(4200*time.Millisecond, 2800*time.Millisecond),
		Shortest: extent.Of(20*time.Second, 80*time.Second), StartsWithin: extent.Of(30*time.Second, 10*time.Second),
	}
	// few is how many deadlines more than Takt those may meet who know all speeds from the start. In the sample
	// many jobs are over before anything was learned of them: it is about promises, and the whole about sharing.
	few = 10
)

// tolerance is what the times of a machine under load may make a job late that was promised.
const tolerance = 10 * time.Second

// Both loads are played at the same time, each on nodes of its own, so that the machine is as slow for
// the one as for the other.
//
// Fixed sizes have what no user has: a user who knows exactly how fast the training is at every size,
// and a training that begins with those of its workers for which there is room, and takes the others
// in later. Takt is told how much there is to do, and which runs are of the same code.
func TestManyJobsBesideTheSameOnesOfFixedSizes(t *testing.T) {
	orders := stream.Orders()
	fixed, takt := beside(t, orders, nodes, func(o load.Order) world.Job {
		o.Training.Silent = true // nobody listens
		return world.Job{Workers: o.Fixed(), Training: o.Training}
	})
	if t.Failed() {
		return
	}
	t.Logf("%d jobs on %d nodes with a GPU each:\n  fixed sizes: %s\n  Takt:        %s", jobs, nodes, fixed, takt)
	if takt.met < fixed.met-few {
		t.Errorf("with Takt %d deadlines are met, without it %d", takt.met, fixed.met)
	}
	if takt.promised < jobs/3 {
		t.Errorf("%d of %d jobs were promised: this proves little", takt.promised, jobs)
	}
	// A machine that makes jobs of fixed sizes late makes promised ones late as well.
	if most := jobs/20 + min(fixed.tooLate(), jobs/4); len(takt.broken) > most {
		t.Errorf("%d promises were broken, and %d may be: %v", len(takt.broken), most, takt.broken)
	}
}

// beside plays a load on so many nodes with a GPU each: as jobs of fixed sizes, and with Takt.
func beside(t *testing.T, orders []load.Order, nodes int, as func(load.Order) world.Job) (fixed, takt outcome) {
	t.Helper()
	t.Run("jobs", func(t *testing.T) {
		t.Run("of fixed sizes", func(t *testing.T) {
			t.Parallel()
			fixed = play(t, orders, nodes, world.Options{}, as)
		})
		t.Run("with Takt", func(t *testing.T) {
			t.Parallel()
			takt = play(t, orders, nodes, world.Options{Start: world.Operate}, load.Order.Elastic)
		})
	})
	return fixed, takt
}

// outcome is what has become of a load.
type outcome struct {
	met, promised int
	took          time.Duration
	resizes       int
	broken        []string
	late          []time.Duration
	waited, ended load.Spans // without a worker, and from its submission to its end, of each job
}

// tooLate counts the jobs that were late by more than a machine under load explains.
func (o outcome) tooLate() (n int) {
	for _, late := range o.late {
		if late > tolerance {
			n++
		}
	}
	return n
}

func (o outcome) String() string {
	count := len(o.ended)
	return fmt.Sprintf("%d of %d deadlines met, %d promised, %d of these late by more than %v; %.1f resizes a job; %v "+
		"from the first job to the end of the last\n"+
		"    a job waited %v\n    a job took %v",
		o.met, count, o.promised, len(o.broken), tolerance, float64(o.resizes)/float64(count), o.took.Round(time.Second),
		o.waited, o.ended)
}

// play plays a load in a world of its own, which is gone afterwards.
func play(t *testing.T, orders []load.Order, nodes int, o world.Options, as func(load.Order) world.Job) outcome {
	t.Helper()
	o.ReportEvery = 5 * time.Second
	o.Settings = func(s *settings.Settings) {
		s.API, s.Status = settings.Default().API, settings.Default().Status
		world.Allow(&s.Resizes, time.Minute)
	}
	w := world.New(t, o)
	w.Nodes(nodes, 1)
	begin := time.Now()
	for _, order := range orders {
		world.Until(t.Context(), begin.Add(order.At))
		w.PyTorchJob(order.Name, as(order))
	}
	t.Logf("the last job was submitted after %v", time.Since(begin).Round(time.Second))
	result := conclude(t, w, orders)
	result.took = time.Since(begin)
	return result
}

// conclude waits until all jobs have finished, and says how it went.
func conclude(t *testing.T, w *world.World, orders []load.Order) (o outcome) {
	t.Helper()
	ends := map[string]time.Duration{}
	w.Eventually("all jobs have finished", 20*time.Minute, func() error {
		ends = w.Ends("PyTorchJob")
		return world.Want("finished jobs", len(ends), len(orders))
	})
	promises := map[string]bool{}
	for _, r := range w.History.Since(0) {
		switch object := r.Object.(type) {
		case *v1alpha1.ElasticJob:
			for _, c := range object.Status.Conditions {
				if c.Type == v1alpha1.ConditionAdmitted && c.Reason == "Promised" {
					promises[object.Name] = true
				}
			}
		case *v1alpha1.Resize:
			if r.Event == world.Made {
				o.resizes++
			}
		}
	}
	o.promised = len(promises)
	one := map[string]int{} // a job waits while none of its workers runs
	for _, order := range orders {
		one[order.Name] = 1
	}
	waited := load.UseOf(w.History.Since(0), one, time.Now()).Waited
	for _, order := range orders {
		o.waited, o.ended = append(o.waited, waited[order.Name]), append(o.ended, ends[order.Name])
		late := ends[order.Name] - order.Within
		if late <= 0 {
			o.met++
			continue
		}
		o.late = append(o.late, late)
		if promises[order.Name] {
			t.Logf("%s was promised, and is late by %v of %v\n%s", order.Name, late, order.Within, w.History.Story(order.Name))
			if late > tolerance {
				o.broken = append(o.broken, fmt.Sprintf("%s is late by %v", order.Name, late))
			}
		}
	}
	slices.Sort(o.late)
	t.Log("late by", strings.Trim(fmt.Sprint(o.late), "[]"))
	return o
}
