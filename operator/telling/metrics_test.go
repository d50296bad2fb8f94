package telling

import (
	"fmt"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
)

// Whoever may write ElasticJobs may name any queue in them, and a deadline that has passed. Queues that there are keep
// their figures, whoever comes before them.
func TestNoUserCanMakeEndlessMetrics(t *testing.T) {
	m := NewMetrics()
	missed := func(names string) {
		for i := range 10 * mostQueues {
			m.Judged(fmt.Sprint(names, i), v1alpha1.VerdictMissed)
		}
	}
	count := func(what string, queues int) {
		t.Helper()
		series := make(chan prometheus.Metric, 20*mostQueues)
		m.deadlines.Collect(series)
		if len(series) != 2*queues { // met and missed
			t.Errorf("%s: there are %d series, want those of %d queues", what, len(series), queues)
		}
	}
	missed("invented-")
	count("names that no queue has", 1)
	m.knows([]*v1alpha1.TrainingQueue{{ObjectMeta: metav1.ObjectMeta{Name: "real-0"}}})
	missed("real-")
	count("a queue", 2)
	for i := range 10 * mostQueues {
		m.knows([]*v1alpha1.TrainingQueue{{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("real-", i)}}})
	}
	missed("real-")
	count("more queues than anybody has", mostQueues+1)
}

// A cluster lives long, and its queues come and go: one that is there has figures of its own, however many were there
// before it. One that is gone has its own for as long as no other needs the place.
func TestQueuesThatAreGoneTakeNoPlaceFromOthers(t *testing.T) {
	m := NewMetrics()
	queues := func(name string, from, to int) (all []*v1alpha1.TrainingQueue) {
		for i := from; i < to; i++ {
			all = append(all, &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(name, i)}})
		}
		return all
	}
	own := func(what, name string, want bool) {
		t.Helper()
		if got := m.queue(name) == name; got != want {
			t.Errorf("%s: %s has figures of its own: %v, want %v", what, name, got, want)
		}
	}
	missed := func(queue string) string {
		return fmt.Sprintf("takt_deadlines_total{outcome=\"missed\", queue=%q}", queue)
	}
	kept := queues("kept-", 0, 1)
	m.knows(append(queues("old-", 1, mostQueues), kept...))
	m.Judged("old-1", v1alpha1.VerdictMissed)
	m.Judged("kept-0", v1alpha1.VerdictMissed)
	m.knows(kept)
	own("nobody needs its place", "old-1", true)
	m.knows(append(queues("new-", 0, 50), kept...))
	own("others are gone", "new-49", true)
	own("it is there all the time", "kept-0", true)
	own("its place was needed", "old-1", false)
	if got := gathered(t, m.deadlines); got[missed("kept-0")] != 1 || got[missed("old-1")] != 0 || len(got) != 2*(1+1+50) {
		t.Errorf("there are %d series, want those of the queue that was kept, of 50 new ones, and of others: %v",
			len(got), got)
	}
	if got := gathered(t, m.CutShort); len(got) != 1+1+50 {
		t.Errorf("of jobs that were cut short there are %d series, want one for each queue", len(got))
	}
	m.knows(append(queues("more-", 0, 10*mostQueues), append(queues("new-", 0, 50), kept...)...))
	own("there are too many, and it was one of the first", "new-0", true)
	own("there are too many", fmt.Sprint("more-", mostQueues), false)
}

// A counter that is first seen at one has not risen, as far as Prometheus can tell: the first deadline that a queue
// misses, the first job that is cut short and the first resize that fails are to be told as well.
func TestCountersAreThereBeforeTheyCount(t *testing.T) {
	m := NewMetrics()
	m.knows([]*v1alpha1.TrainingQueue{{ObjectMeta: metav1.ObjectMeta{Name: "research"}}})
	for _, c := range []struct {
		of   prometheus.Collector
		want int
	}{{m.deadlines, 2 * 2}, {m.CutShort, 2}, {m.lost, 2}, {m.plans, 2}, {m.resizes, 2 * 4 * 3}} {
		series := make(chan prometheus.Metric, 10*c.want)
		c.of.Collect(series)
		if len(series) != c.want {
			t.Errorf("there are %d series, want %d", len(series), c.want)
		}
	}
}
