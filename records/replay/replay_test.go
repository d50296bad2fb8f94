package replay

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/records"
)

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// measured is a job of two workers with two GPUs each that did 1000 steps in 500 s.
func measured(name string, after time.Duration, change ...func(*records.Record)) records.Record {
	r := records.Record{
		UID: "uid-" + name, Namespace: "team", Name: name, Queue: "research", Profile: "resnet", GPUType: "A100",
		Submitted: noon.Add(after), Ended: noon.Add(after + time.Hour), Deadline: noon.Add(after + 2*time.Hour),
		Outcome:       records.Succeeded,
		GPUsPerWorker: 2, Written: 2, Least: 1, Most: 4, Work: 1000, Unit: "steps",
		Speeds:  []records.Speed{{Workers: 1, PerSecond: 1.2}, {Workers: 2, PerSecond: 2, Measured: true}},
		Trained: []records.Spell{{Workers: 2, Seconds: 500}},
	}
	for _, f := range change {
		f(&r)
	}
	return r
}

func TestATrace(t *testing.T) {
	slower := func(r *records.Record) { r.Speeds[1].PerSecond = 1.5 }
	unknown := func(r *records.Record) {
		r.Profile, r.Speeds, r.Work, r.Deadline = "", nil, 0, time.Time{}
		r.Trained = []records.Spell{{Workers: 1, Seconds: 100}, {Workers: 2, Seconds: 300}}
	}
	got := Make([]records.Record{
		measured("third", 20*time.Second, slower), measured("first", 0), measured("second", 10*time.Second),
		measured("guess", 30*time.Second, unknown),
		measured("failed", 40*time.Second, func(r *records.Record) { r.Outcome, r.Work = records.Failed, 400 }),
		measured("never", 0, unknown, func(r *records.Record) { r.Trained = nil }),
	})
	const r = "research"
	want := Trace{
		Jobs: [][]string{
			columns,
			{"team/first-uid-firs", "0", "1000", "team.resnet", "7200", "1", "4", "500", "A100", "0", r, "0", "", ""},
			{"team/second-uid-seco", "10", "1000", "team.resnet", "7210", "1", "4", "500", "A100", "0", r, "0", "", ""},
			{"team/third-uid-thir", "20", "1000", "team.resnet", "7220", "2", "4", "666.667", "A100", "0", r, "0", "", ""},
			{"team/guess-uid-gues", "30", "350", "team.guess", "", "1", "4", "350", "A100", "1", r, "0", "", ""},
			{"team/failed-uid-fail", "40", "400", "team.resnet", "", "1", "4", "200", "A100", "0", r, "0", "", "nobody"},
		},
		Speeds: map[string][][]string{
			"team.resnet": {{"global_batch_size", "2", "4"}, {"1", "1.2", "2"}, {"2", "1.2", "1.5"}},
			"team.guess":  {{"global_batch_size", "4"}, {"1", "1"}},
		},
		Guesses: 1, LeftOut: 1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestJobsThatWaitedForOthers(t *testing.T) {
	endsAfter := func(d time.Duration) func(*records.Record) {
		return func(r *records.Record) { r.Ended = noon.Add(d) }
	}
	waits := func(r *records.Record) {
		r.After = []string{"prepare", "mine", "nobody"}
		r.Ended, r.Priority = noon.Add(5*time.Hour), 7
		r.Trained = []records.Spell{{Workers: 2, Seconds: 2 * 3600}, {Workers: 1, Seconds: 3600}}
	}
	prepare := func(uid string, d time.Duration) records.Record {
		r := measured("prepare", d, endsAfter(d+time.Hour))
		r.UID = uid
		return r
	}
	got := Make([]records.Record{
		prepare("first", 0), prepare("second", time.Hour), prepare("too-late", 3*time.Hour),
		measured("failed", 0, func(r *records.Record) { r.ElasticJob, r.Outcome = "nobody", records.Failed }),
		measured("by-hand", 0, func(r *records.Record) { r.ElasticJob = "mine" }),
		measured("prepare", 2*time.Hour, func(r *records.Record) { r.Namespace = "others" }),
		measured("waits", 0, waits),
	})
	for _, row := range got.Jobs[1:] {
		priority, after := "0", ""
		if row[0] == "team/waits-uid-wait" {
			priority, after = "7", "team/prepare-second team/by-hand-uid-by-h"
		}
		if diff := cmp.Diff([]string{priority, after}, row[11:13]); diff != "" {
			t.Errorf("%s: -want +got:\n%s", row[0], diff)
		}
	}
}

func TestTheSizeThatWasAskedFor(t *testing.T) {
	for name, test := range map[string]struct{ written, want int }{
		"is known":                   {2, 4},
		"is greater than all known":  {9, 4},
		"is less than all known":     {0, 2},
		"is between those are known": {1, 2},
	} {
		r := measured("a", 0, func(r *records.Record) { r.Written = test.written })
		needs, _ := needsOf(r)
		if got := needs.closestTo(r.GPUs(r.Written)); got != test.want {
			t.Errorf("%s: it is %d, want %d", name, got, test.want)
		}
	}
}

// A worker that leads others may have no GPU. In a trace there are only those that have some.
func TestALeaderIsNoWorkerOfATrace(t *testing.T) {
	led := func(r *records.Record) {
		r.Leaders, r.Written, r.Least, r.Most = 1, r.Written+1, r.Least+1, r.Most+1
		for i := range r.Speeds {
			r.Speeds[i].Workers++
		}
		for i := range r.Trained {
			r.Trained[i].Workers++
		}
	}
	unknown := func(r *records.Record) { r.Speeds, r.Work = nil, 0 }
	for _, change := range []func(*records.Record){func(*records.Record) {}, unknown} {
		want := Make([]records.Record{measured("a", 0, change)})
		got := Make([]records.Record{measured("a", 0, change, led)})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// takt sim reads up to 1e12 iterations: a job that counts tokens does more.
func TestWorkInTinyUnitsIsCountedInGreaterOnes(t *testing.T) {
	needs, _ := needsOf(measured("tokens", 0, func(r *records.Record) {
		r.Work = 4e15
		for i := range r.Speeds {
			r.Speeds[i].PerSecond *= 4e12
		}
	}))
	if took := needs.work / needs.speeds[4]; needs.work > 1e12 || took < 499.999 || took > 500.001 {
		t.Errorf("it takes %g s for %g, want 500 s", took, needs.work)
	}
}

func TestNoNameLeavesItsFolder(t *testing.T) {
	for name, want := range map[string]string{
		"../../etc/passwd": "team...-..-etc-passwd", "a b": "team.a-b", "": "team.job",
	} {
		if got := fileName(records.Record{Namespace: "team", Name: "job", Profile: name}); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
	if got := fileName(records.Record{Namespace: "..", Name: ".."}); got != "job" {
		t.Errorf("dots become %q", got)
	}
}
