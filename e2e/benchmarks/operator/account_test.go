package operator

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/training"
	"github.com/takt-dev/takt/e2e/lib/world"
	"github.com/takt-dev/takt/operator/settings"
)

// kinds of writes, as the columns of the table have them, and what else is counted apart.
var kinds = []string{"resizes", "pytorchjobs", "elasticjobs", "trainingprofiles", "pods"}

const mostWrites = 6

// BenchmarkWritesOfAResize counts what the operator writes about a job from the decision to resize it to
// the end of its Resize, and until two seconds after that, so that what is told of the end is among it.
//
// The status of its queue is counted apart. It is written once in fifteen seconds at most, however many jobs
// of the queue are resized meanwhile.
func BenchmarkWritesOfAResize(b *testing.B) {
	seen := &wire{}
	// What was rolled back is tried again later than anybody counts.
	later := func(s *settings.Settings) {
		s.Resizes.RetryAfter.Duration, s.Status = time.Minute, settings.Default().Status
	}
	w := world.New(b, world.Options{Start: seen.start(), Settings: later})
	w.Nodes(1, 1)
	queue := w.Queue("research", v1alpha1.TrainingQueueSpec{})
	steps := world.Steps(1e6, training.Speed{Base: 10, Scaling: 0.9})
	w.PyTorchJob("live", world.Job{
		Queue: queue, Workers: 1, Max: 8, Suspended: true, Training: steps, Annotations: sized("1-8"),
	})
	var rows []row
	count := func(what, job string) {
		rows = append(rows, countWrites(b, w, seen, what, job, len(rowsOf(rows, job))))
	}
	resize := func(what, job, sizes string) {
		w.Patch(w.TrainingJob("PyTorchJob", job), fmt.Sprintf(`{"metadata":{"annotations":{"takt.dev/workers":%q}}}`, sizes))
		count(what, job)
	}
	count("start with 1 worker", "live")
	w.Patch(w.TrainingJob("PyTorchJob", "live"), `{"metadata":{"annotations":{"takt.dev/workers":"1-1"}}}`)
	w.Eventually("the job is kept small", world.Soon, func() error {
		return world.Want("the most workers", w.Job("live").Status.Workers.Max, 1)
	})
	w.Nodes(1, 16)
	resize("live, 1 to 2", "live", "2-2")
	resize("live, 2 to 1", "live", "1-1")
	resize("live, 1 to 8", "live", "8-8")
	resize("live, 8 to 1", "live", "1-1")
	w.PyTorchJob("cold", world.Job{
		Queue: queue, Workers: 4, Cold: true, Suspended: true, Training: steps, Annotations: sized("4-4"),
	})
	count("start with 4 workers", "cold")
	resize("cold, 4 to 2", "cold", "2-2")
	resize("cold, 2 to 4", "cold", "4-4")
	w.Patch(w.TrainingJob("PyTorchJob", "live"),
		`{"spec":{"pytorchReplicaSpecs":{"Worker":{"template":{"metadata":{"annotations":{"localcluster.takt.dev/pending-for":"1h"}}}}}}}`)
	resize("live, 1 to 8, rolled back", "live", "8-8")

	other := world.New(b, world.Options{Start: seen.start(), Settings: later})
	other.Nodes(1, 1)
	w = other
	other.PyTorchJob("stopped", world.Job{Queue: "default", Workers: 1, Suspended: true, Training: steps})
	count("start with 1 worker", "stopped")
	other.PlainPod("other", 1)
	count("stop, 1 to 0", "stopped")
	report(b, rows)
}

func sized(sizes string) map[string]string { return map[string]string{"takt.dev/workers": sizes} }

type row struct {
	what, job, end string
	from           time.Time
	by             map[string]int
	queues, events int
}

func rowsOf(rows []row, job string) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.job != job })
}

func (r row) sum() (n int) {
	for _, each := range r.by {
		n += each
	}
	return n
}

// countWrites waits for the end of the n-th Resize of a job.
func countWrites(b *testing.B, w *world.World, seen *wire, what, job string, n int) row {
	b.Helper()
	var made, over time.Time
	r := row{what: what, job: job, by: map[string]int{}}
	w.Eventually(fmt.Sprintf("%s has ended", what), world.Soon, func() error {
		all := w.Resizes(job)
		if len(all) <= n {
			return fmt.Errorf("%d resizes", len(all))
		}
		switch r.end = world.Phase(all[n]); r.end {
		case v1alpha1.ConditionSucceeded, v1alpha1.ConditionRolledBack, v1alpha1.ConditionFailed:
			over = time.Now()
			return nil
		}
		return fmt.Errorf("it is %s", r.end)
	})
	for _, record := range w.History.Of("Resize", fmt.Sprintf("%s-%d", job, n+1)) {
		if record.Event == world.Made {
			made = record.At
		}
	}
	world.Until(b.Context(), over.Add(2*time.Second))
	for _, each := range seen.between(time.Time{}, made) {
		if each.method == http.MethodPost && each.what == "resizes" {
			r.from = each.at // that of this Resize is the last
		}
	}
	for _, each := range seen.between(r.from, over.Add(2*time.Second)) {
		b.Log(what, each.at.Format("05.000"), each.method, each.what, each.name, each.status)
		switch kind := strings.TrimSuffix(each.what, "/status"); {
		case kind == "events":
			r.events++
		case kind == "trainingqueues":
			r.queues++
		case each.name == job || strings.HasPrefix(each.name, job+"-"):
			r.by[kind]++
		}
	}
	return r
}

func report(b *testing.B, rows []row) {
	columns := append(append([]string{"resize", "ended"}, kinds...), "sum", fmt.Sprint("at most ", mostWrites),
		"queue", "events")
	var lines [][]string
	for _, r := range rows {
		line := []string{r.what, r.end}
		for _, kind := range kinds {
			line = append(line, fmt.Sprint(r.by[kind]))
		}
		lines = append(lines, append(line, fmt.Sprint(r.sum()), reached(r.sum() <= mostWrites), fmt.Sprint(r.queues),
			fmt.Sprint(r.events)))
	}
	table(b, "Writes of a resize", columns, lines)
	remark("The status of the queue, and events, are counted apart: a queue is written about once in fifteen seconds " +
		"at most, however many of its jobs are resized. What takes longer than three minutes, such as pods that pull an " +
		"image, costs a write more now and then, for people who watch: the Resize says how far it has come. One that is " +
		"rolled back changes the size twice, and has on record that it turns round before it does. These jobs " +
		"have no agent: with it, each worker that joins, that leaves or that is to save its state is told so by a write on " +
		"its pod.")
}

func reached(yes bool) string {
	if yes {
		return "reached"
	}
	return "**falls short**"
}
