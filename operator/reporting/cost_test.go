package reporting_test

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
)

// priced is a job of four workers with a GPU each, in a cluster with these prices.
func priced(t *testing.T, prices map[string]float64) *fixture.Watched {
	w := fixture.Watch(t, fixture.Counts)
	w.Rooms.Settings.GPUs.Prices = prices
	w.Rooms.Settings.Status.Every.Duration = 0
	w.Rooms.Furnish()
	return w
}

func TestStoryAJobTellsWhatItCosts(t *testing.T) {
	w := priced(t, map[string]float64{"A100": 3})
	w.Minutes(60, 20) // it is watched by one process after the other
	status := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
	soFar, _ := status.Cost.SoFar.Float()
	if soFar < 11.9 || soFar > 12 { // four GPUs for an hour, up to the last time that it was written
		t.Errorf("an hour of four GPUs has cost %s", status.Cost.SoFar)
	}
	ends, err := status.Prediction.ETA.Time()
	if err != nil {
		t.Fatal(err)
	}
	expected, _ := status.Cost.Expected.Float()
	left := ends.Sub(w.At).Hours()
	if expected-soFar < left*3*1 || expected-soFar > left*3*8*1.1 ||
		status.Summary.Cost != string(status.Cost.SoFar+"/"+status.Cost.Expected) {
		t.Errorf("it is to cost %s, with one to eight GPUs for %.1f h; in short %s", status.Cost.Expected, left,
			status.Summary.Cost)
	}
	w.Finish()
	w.ReadEnd()
	w.Say()
	w.Kill()
	w.ReadEnd()
	w.Say()
	status = fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
	if status.Cost != (v1alpha1.CostStatus{SoFar: "12.00"}) || status.Summary.Cost != "12.00" {
		t.Errorf("in the end it has cost %+v, in short %s", status.Cost, status.Summary.Cost)
	}
}

// A cost that leaves out some GPUs is worse than none.
func TestStoryWithoutAPriceNothingIsToldOfCost(t *testing.T) {
	for name, prices := range map[string]map[string]float64{"no prices": nil, "of other GPUs": {"T4": 1}} {
		w := priced(t, prices)
		if err := w.Rooms.Client.Create(t.Context(),
			&v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "default", UID: "queue"}}); err != nil {
			t.Fatal(err)
		}
		w.Minutes(10, 0)
		fixture.Plans(t, w.Rooms)
		status := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
		if status.Cost != (v1alpha1.CostStatus{}) || status.Summary.Cost != "" {
			t.Errorf("%s: it has cost %+v", name, status.Cost)
		}
		if cost := queueCost(w); cost != (v1alpha1.QueueCostStatus{}) {
			t.Errorf("%s: the queue has cost %+v", name, cost)
		}
	}
}

func queueCost(w *fixture.Watched) v1alpha1.QueueCostStatus {
	var queue v1alpha1.TrainingQueue
	if err := w.Rooms.Client.Get(w.Context(), client.ObjectKey{Name: "default"}, &queue); err != nil {
		w.Fatal(err)
	}
	return queue.Status.Cost
}

func TestStoryAQueueTellsWhatItsJobsCost(t *testing.T) {
	w := priced(t, map[string]float64{"*": 3})
	if err := w.Rooms.Client.Create(t.Context(),
		&v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "default", UID: "queue"}}); err != nil {
		t.Fatal(err)
	}
	another := func(name string, verdict v1alpha1.Verdict, soFar v1alpha1.Amount, most int32) {
		ej := fixture.ElasticJob(name)
		if err := w.Rooms.Client.Create(t.Context(), ej); err != nil {
			t.Fatal(err)
		}
		ej.Status.Verdict, ej.Status.Cost.SoFar = verdict, soFar
		ej.Status.Workers.Max = most
		if err := w.Rooms.Client.Status().Update(t.Context(), ej); err != nil {
			t.Fatal(err)
		}
	}
	another("met", v1alpha1.VerdictMet, "10.00", 4)
	another("also", v1alpha1.VerdictMet, "20.00", 4)
	another("missed", v1alpha1.VerdictMissed, "5.00", 4)
	another("new", "", "", 0)
	another("without a job", v1alpha1.VerdictLeftAlone, "", 0)
	w.Minutes(30, 0)
	fixture.Plans(t, w.Rooms)
	job := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status.Cost
	soFar, _ := job.SoFar.Float()
	expected, _ := job.Expected.Float()
	want := v1alpha1.QueueCostStatus{
		SoFar: v1alpha1.NewAmount(35 + soFar), Expected: v1alpha1.NewAmount(35 + expected), PerDeadlineMet: "17.50",
	}
	if got := queueCost(w); !equality.Semantic.DeepEqual(got, want) {
		t.Errorf("it has cost %+v, want %+v", got, want)
	}
	another("left out", v1alpha1.VerdictBestEffort, "", 4)
	fixture.Plans(t, w.Rooms)
	if got := queueCost(w); got != (v1alpha1.QueueCostStatus{}) {
		t.Errorf("without the cost of one job it says %+v", got)
	}
}

// What deadlines have cost is counted once, when their job ends, whoever has seen them pass.
func TestStoryWhatADeadlineHasCostIsCountedOnce(t *testing.T) {
	w := priced(t, map[string]float64{"*": 3})
	w.Minutes(60, 0)
	w.Finish()
	w.ReadEnd()
	for range 3 {
		w.Say()
		w.At = w.At.Add(time.Minute)
	}
	registry := prometheus.NewRegistry()
	if err := w.Rooms.Metrics.Register(registry); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "takt_deadline_cost_total" {
			if got := family.GetMetric()[0].GetCounter().GetValue(); len(family.GetMetric()) != 1 || got < 11.99 || got > 12.01 {
				t.Errorf("it is counted as %v", got)
			}
			return
		}
	}
	t.Error("it is not counted")
}
