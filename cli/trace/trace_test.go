package trace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/cli/golden"
	"github.com/takt-dev/takt/cli/queuefile"
	"github.com/takt-dev/takt/records"
	"github.com/takt-dev/takt/records/replay"
	"github.com/takt-dev/takt/records/volume"
)

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func job(name string, change ...func(*records.Record)) records.Record {
	r := records.Record{
		UID: "uid-" + name, Namespace: "team-a", Name: name, Queue: "research", Profile: "resnet", Submitted: noon,
		Ended:   noon.Add(time.Hour),
		Outcome: records.Succeeded, GPUsPerWorker: 1, Written: 2, Work: 1000,
		Speeds:  []records.Speed{{Workers: 2, PerSecond: 2, Measured: true}},
		Trained: []records.Spell{{Workers: 2, Seconds: 500}},
	}
	for _, f := range change {
		f(&r)
	}
	return r
}

func TestWhatIsSaid(t *testing.T) {
	unmeasured := func(r *records.Record) { r.Work = 0 }
	never := func(r *records.Record) { r.Work, r.Trained = 0, nil }
	elsewhere := func(r *records.Record) { r.Namespace, r.Ended = "team-b", noon.Add(30*24*time.Hour) }
	queuesOf := map[string]queuefile.Queues{"many": queuefile.From(make([]v1alpha1.TrainingQueue, 2))}
	for name, of := range map[string][]records.Record{
		"one": {job("a")},
		"kinds": {job("a", func(r *records.Record) { r.GPUType = "T4" }), job("b", func(r *records.Record) {
			r.GPUType = "A100"
		}), job("c")},
		"many": {job("a"), job("b", elsewhere), job("c", unmeasured), job("d", unmeasured), job("e", never)},
	} {
		golden.Equal(t, name, Summary("month", of, replay.Make(of), queuesOf[name]))
	}
}

func TestWhichJobs(t *testing.T) {
	all := []records.Record{
		job("a"), job("b", func(r *records.Record) { r.Namespace = "team-b" }), job("c", func(r *records.Record) {
			r.Queue = "prod"
		}),
		job("d", func(r *records.Record) { r.Ended = noon }),
	}
	for name, test := range map[string]struct {
		namespace, queue string
		since            time.Time
		want             string
	}{
		"all":              {"", "", time.Time{}, "abcd"},
		"of one namespace": {"team-b", "", time.Time{}, "b"},
		"of one queue":     {"", "prod", time.Time{}, "c"},
		"lately":           {"", "", noon.Add(time.Minute), "abc"},
	} {
		got := ""
		for _, r := range all {
			if (Jobs{test.namespace, test.queue, test.since}).Has(r) {
				got += r.Name
			}
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// A folder that has anything in it stays as it is.
func TestNothingIsOverwritten(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "month")
	trace := replay.Make([]records.Record{job("a")})
	if err := Write(folder, trace, queuefile.From(make([]v1alpha1.TrainingQueue, 1))); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(folder, "jobs.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(folder, replay.Trace{}, nil); err == nil ||
		!strings.Contains(err.Error(), "is not empty: name another with --to") {
		t.Errorf("it says %v", err)
	}
	after, err := os.ReadFile(filepath.Join(folder, "jobs.csv"))
	if err != nil || string(before) != string(after) {
		t.Errorf("%v, it has become %s", err, after)
	}
	if err := Write(filepath.Join(folder, "jobs.csv"), trace, nil); err == nil ||
		!strings.Contains(err.Error(), "name another folder") {
		t.Errorf("of a file it says %v", err)
	}
}

// What was kept elsewhere is read as what is kept in the cluster.
func TestWhatWasKeptElsewhereIsRead(t *testing.T) {
	folder := t.TempDir()
	kept := []records.Record{job("a"), job("b", func(r *records.Record) { r.Queue = "prod" })}
	if err := (volume.Folder{Path: folder, Most: 1 << 20}).Add("team-a", kept); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "records.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for from, in := range map[string]string{folder: "", file: "", "-": string(text)} {
		for queue, want := range map[string]int{"": 2, "prod": 1} {
			got, bad, err := Read(from, strings.NewReader(in), Jobs{Queue: queue})
			if err != nil || bad > 0 || len(got) != want {
				t.Errorf("%s: %v, %d are bad, of %q it reads %+v", from, err, bad, queue, got)
			}
		}
	}
	for from, want := range map[string]string{
		"nowhere": "name with --from the folder", "-": "is not what takt trace -o json writes",
	} {
		if _, _, err := Read(from, strings.NewReader("{}"), Jobs{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: it says %v", from, err)
		}
	}
}
