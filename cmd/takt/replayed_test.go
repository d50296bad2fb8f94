package main

import (
	"path/filepath"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/queuefile"
	"github.com/takt-dev/takt/cli/trace"
	"github.com/takt-dev/takt/records"
	"github.com/takt-dev/takt/records/replay"
)

// What takt trace writes, takt sim reads: each job, those that were never measured as guesses, each at the speed at
// which it was measured. On one GPU the second job waits for the first, and its deadline passes meanwhile; on two both
// are in time.
func TestSimReadsWhatTraceWrites(t *testing.T) {
	noon := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	job := func(name string, measured bool) records.Record {
		return records.Record{
			UID: name, Namespace: "team-a", Name: name, GPUType: "A100", Queue: "research", Submitted: noon,
			Ended:    noon.Add(3 * time.Hour),
			Deadline: noon.Add(90 * time.Minute), Outcome: records.Succeeded, GPUsPerWorker: 1, Written: 1, Work: 7200,
			Speeds:  []records.Speed{{Workers: 1, PerSecond: 2, Measured: measured}, {Workers: 2, PerSecond: 3}},
			Trained: []records.Spell{{Workers: 1, Seconds: 3600}},
		}
	}
	folder := filepath.Join(t.TempDir(), "month")
	research := queuefile.From([]v1alpha1.TrainingQueue{{ObjectMeta: metav1.ObjectMeta{Name: "research"}}})
	made := replay.Make([]records.Record{job("a", true), job("b", false)})
	if err := trace.Write(folder, made, research); err != nil {
		t.Fatal(err)
	}
	results := simulate(t, filepath.Join(folder, "jobs.csv"), filepath.Join(folder, "speeds"),
		"--policy", "fifo", "--gpus", "1,2", "--strict", "--price", "A100=2", "--resize-cost", "0s", "--queues",
		filepath.Join(folder, "queues.yaml"))
	for i, want := range []struct{ met, guesses, cost float64 }{{1, 1, 4}, {2, 1, 4}} {
		got := results[i]
		if got["met"] != want.met || got["guesses"] != want.guesses || got["cost"] != want.cost || got["unfinished"] != 0.0 {
			t.Errorf("%v", got)
		}
	}
}
