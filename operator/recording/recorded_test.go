package recording_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/records"
)

func TestStoryWhatHasHappenedToAJobIsKept(t *testing.T) {
	for name, test := range map[string]struct {
		tells    func(float64) (progress.Sample, error)
		measured bool
	}{
		"one that counts": {fixture.Counts, true},
		"one that says nothing": {func(float64) (progress.Sample, error) {
			return progress.Sample{}, progress.ErrNone
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := fixture.WatchRecorded(t, test.tells)
			w.Minutes(30, 0)
			w.Finish()
			w.ReadEnd()
			w.Write()
			all, _ := w.Recorded()
			if len(all) != 1 || all[0].Measured() != test.measured {
				t.Fatalf("it keeps %+v, want one record", all)
			}
			got := all[0]
			want := records.Record{
				UID: "job-resnet", Namespace: "team", Name: "resnet", Kind: "PyTorchJob", Queue: "default", GPUType: "A100",
				Submitted: fixture.Start.Add(-time.Hour), Ended: w.At, Deadline: fixture.Start.Add(7 * time.Hour),
				Outcome: records.Succeeded, GPUsPerWorker: 1, Written: 4, Least: 1, Most: 8,
				Trained: []records.Spell{{Workers: 4, Seconds: 1800}},
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
			w := fixture.WatchRecorded(t, fixture.Counts)
			w.Minutes(30, 0)
			w.Finish()
			if dies.beforeReading {
				w.KillKeeping()
			}
			w.ReadEnd()
			if dies.beforeWriting {
				w.KillKeeping()
				w.ReadEnd()
			}
			w.Write()
			first, version := w.Recorded()
			if len(first) != 1 || !first[0].Measured() {
				t.Fatalf("it keeps %+v, want one record", first)
			}
			if dies.afterwards {
				w.KillKeeping()
			}
			for range 2 {
				w.ReadEnd()
				w.Write()
			}
			if again, later := w.Recorded(); version != later || len(again) != 1 {
				t.Errorf("it is written again: %+v", again)
			}
		})
	}
}

func TestStoryWhereNoRecordsAreToBeKeptNoneAre(t *testing.T) {
	for name, change := range map[string]func(*fixture.Watched){
		"outside of the cluster": func(w *fixture.Watched) { w.Rooms.RecordsIn = "" },
		"by the settings":        func(w *fixture.Watched) { w.Rooms.Settings.Records.Keep = 0 },
	} {
		w := fixture.WatchRecorded(t, fixture.Counts)
		change(w)
		w.Rooms.Furnish()
		w.Minutes(5, 0)
		w.Finish()
		w.ReadEnd()
		w.Write()
		if all, _ := w.Recorded(); len(all) > 0 {
			t.Errorf("%s: it keeps %+v", name, all)
		}
	}
}
