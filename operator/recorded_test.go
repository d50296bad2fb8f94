package operator

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/records"
)

// readEnd is what the reader does once a job has ended, and write what the recorder does then.
func (w *watched) readEnd() {
	if _, err := w.Reader.Reconcile(w.Context(), request(w.name)); err != nil {
		w.Fatal(err)
	}
}

func (w *watched) write() {
	if _, err := w.Recorder.Reconcile(w.Context(),
		reconcile.Request{NamespacedName: client.ObjectKey{Namespace: "team", Name: "team"}}); err != nil {
		w.Fatal(err)
	}
}

// recorded is what is kept of the jobs of team, and in which version of its ConfigMap.
func (w *watched) recorded() ([]records.Record, string) {
	var there corev1.ConfigMap
	err := w.Client.Get(w.Context(), client.ObjectKey{Namespace: "takt-system",
		Name: v1alpha1.RecordsName("team")}, &there)
	if apierrors.IsNotFound(err) {
		return nil, ""
	}
	all, bad := records.Decode(there.BinaryData[v1alpha1.RecordsKey])
	if err != nil || bad > 0 {
		w.Fatalf("%d lines are bad, %v", bad, err)
	}
	return all, there.ResourceVersion
}

// toBeRecorded is a job in a cluster whose operator keeps records.
func toBeRecorded(t *testing.T, tells func(seconds float64) (progress.Sample, error)) *watched {
	w := watch(t, tells)
	w.RecordsIn = "takt-system"
	w.Furnish()
	return w
}

// killKeeping is kill, for an operator that keeps records.
func (w *watched) killKeeping() {
	w.kill()
	w.RecordsIn = "takt-system"
	w.Furnish()
}

func TestStoryWhatHasHappenedToAJobIsKept(t *testing.T) {
	for name, test := range map[string]struct {
		tells    func(float64) (progress.Sample, error)
		measured bool
	}{
		"one that counts": {counts, true},
		"one that says nothing": {func(float64) (progress.Sample, error) {
			return progress.Sample{}, progress.ErrNone
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := toBeRecorded(t, test.tells)
			w.minutes(30, 0)
			w.finish()
			w.readEnd()
			w.write()
			all, _ := w.recorded()
			if len(all) != 1 || all[0].Measured() != test.measured {
				t.Fatalf("it keeps %+v, want one record", all)
			}
			got := all[0]
			want := records.Record{
				UID: "job-resnet", Namespace: "team", Name: "resnet", Kind: "PyTorchJob", Queue: "default", GPUType: "A100",
				Submitted: start.Add(-time.Hour), Ended: w.now, Deadline: start.Add(7 * time.Hour), Outcome: records.Succeeded,
				GPUsPerWorker: 1, Written: 4, Least: 1, Most: 8, Trained: []records.Spell{{Workers: 4, Seconds: 1800}},
			}
			if test.measured {
				want.Work, want.Unit = 216_000, "steps"
			}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(records.Record{}, "Speeds")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for _, speed := range got.Speeds {
				if speed.Measured != (speed.Workers == 4) || speed.Measured && (speed.PerSecond < 9.5 || speed.PerSecond > 10.5) {
					t.Errorf("the speed of %d workers is %+v", speed.Workers, speed)
				}
			}
		})
	}
}

// The process may die at any point: the next one finds a job that has ended, and writes what is not written yet.
func TestStoryNoRecordIsLostWithTheProcess(t *testing.T) {
	for name, dies := range map[string]struct{ beforeReading, beforeWriting, afterwards bool }{
		"before it has seen the end":  {beforeReading: true},
		"before it has written":       {beforeWriting: true},
		"once it has written":         {afterwards: true},
		"at each of these":            {true, true, true},
		"at none of these (it lives)": {},
	} {
		t.Run(name, func(t *testing.T) {
			w := toBeRecorded(t, counts)
			w.minutes(30, 0)
			w.finish()
			if dies.beforeReading {
				w.killKeeping()
			}
			w.readEnd()
			if dies.beforeWriting {
				w.killKeeping()
				w.readEnd()
			}
			w.write()
			first, version := w.recorded()
			if len(first) != 1 || !first[0].Measured() {
				t.Fatalf("it keeps %+v, want one record", first)
			}
			if dies.afterwards {
				w.killKeeping()
			}
			for range 2 {
				w.readEnd()
				w.write()
			}
			if again, later := w.recorded(); version != later || len(again) != 1 {
				t.Errorf("it is written again: %+v", again)
			}
		})
	}
}

func TestStoryWhereNoRecordsAreToBeKeptNoneAre(t *testing.T) {
	for name, change := range map[string]func(*watched){
		"outside of the cluster": func(w *watched) { w.RecordsIn = "" },
		"by the settings":        func(w *watched) { w.Settings.Records.Keep = 0 },
	} {
		w := toBeRecorded(t, counts)
		change(w)
		w.Furnish()
		w.minutes(5, 0)
		w.finish()
		w.readEnd()
		w.write()
		if all, _ := w.recorded(); len(all) > 0 {
			t.Errorf("%s: it keeps %+v", name, all)
		}
	}
}
