package learn

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/extent"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// recalled is the run as a process finds it that is started now.
func recalled(t *testing.T, r *Run) *Run {
	t.Helper()
	text := r.Keep()
	again, err := Recalled(r.id, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return again
}

// Whatever the habits of a training, a process that is killed every 20 s predicts what one does that lives.
func TestStoryHabitsAreKnownToAFreshProcess(t *testing.T) {
	all := habits()
	longest, hours := 0, 4.0
	if testing.Short() {
		hours = 1.5
	}
	for _, name := range some(t, all) {
		h := all[name]
		done, total := h.story(5)
		j := &story{Rand: rand.New(rand.NewPCG(5, 9)), done: done, total: total}
		lives, dies := NewRun("resnet-1"), NewRun("resnet-1")
		for _, r := range []*Run{lives, dies} {
			r.Team("pod-1", time.Time{}, dawn.Add(-time.Second))
		}
		off, wider, compared := 0.0, 0.0, 0
		for second := range done[:min(len(done), int(hours*3600))] {
			for _, s := range h.report(j, second) {
				lives.Sample(s, size(4))
				dies.Sample(s, size(4))
			}
			if second%20 == 7 {
				longest = max(longest, len(dies.Keep()))
				dies = recalled(t, dies)
				dies.Team("pod-1", time.Time{}, at(second))
			}
			if second%300 != 299 || second < 600 {
				continue
			}
			want, known := lives.presentRate()
			got, stillKnown := dies.presentRate()
			if known != stillKnown {
				t.Fatalf("%s: after %d s its speed is known: %t, want %t", name, second, stillKnown, known)
			}
			if !known {
				continue
			}
			compared++
			off = max(off, math.Abs(math.Log(got.Median/want.Median)))
			wider = max(wider, math.Abs(math.Log(got.High/got.Low)-math.Log(want.High/want.Low)))
			if v, w := dies.View(at(second), 5*time.Minute), lives.View(at(second), 5*time.Minute); v.Done != w.Done ||
				v.Total != w.Total || v.Unit != w.Unit {
				t.Errorf("%s: it is %g of %g %s, want %g of %g %s", name, v.Done, v.Total, v.Unit, w.Done, w.Total, w.Unit)
			}
		}
		t.Logf("%-28s off %4.1f %%, wider by %4.1f %%, in %d comparisons", name, 100*off, 100*wider, compared)
		if off > 0.01 || wider > 0.02 {
			t.Errorf("%s: the speed is off by %.1f %%, and its interval wider or narrower by %.1f %%", name, 100*off, 100*wider)
		}
	}
	t.Logf("the longest memory has %d bytes", longest)
	if longest > 3000 {
		t.Errorf("a memory has %d bytes: it is written again and again", longest)
	}
}

// resized is a run that was at three sizes, and has just been restarted once more.
func resized() *Run {
	r := NewRun("resnet-1")
	r.Team("a", time.Time{}, at(-1))
	reads(1, line(0, 10, 10, 0, 1)...)(r)
	r.Team("b", time.Time{}, at(95))
	reads(2, line(120, 10, 10, 95, 2)...)(r)
	r.Restarted(v1alpha1.RestartLive, resize.Cost{Measured: true, Pause: 25 * time.Second, Lost: 3 * time.Second})
	r.Team("c", time.Time{}, at(215))
	reads(4, line(240, 10, 3, 300, 4)...)(r)
	return r
}

// All that anybody asks a run for is answered alike by a process that has just been started.
func TestAFreshProcessAnswersAlike(t *testing.T) {
	shapes := []predictor.Shape{size(1), size(2), size(4), size(8)}
	saves := NewRun("resnet-1")
	for i := range 40 {
		s := steps(10*i, float64(10*i))
		s.SavedAt = at(10 * i / 100 * 100)
		saves.Sample(s, size(2))
	}
	shares := NewRun("resnet-1")
	for i := range 5 {
		shares.Sample(progress.Sample{Source: v1alpha1.ProgressLogs, At: at(100 * i), Done: float64(i) / 100, Total: 1,
			Unit: progress.Share}, size(2))
	}
	young := NewRun("resnet-1")
	reads(2, steps(0, 0), steps(10, 10), steps(20, 20))(young)
	endless := NewRun("resnet-1")
	for i := range 5 {
		endless.Sample(progress.Sample{Source: v1alpha1.ProgressLogs, At: at(10 * i), Done: float64(10 * i),
			Unit: "steps"}, size(2))
	}
	for name, r := range map[string]*Run{
		"new": NewRun("resnet-1"), "of two readings": young, "of several sizes": resized(), "saves": saves,
		"counts shares": shares, "has no total": endless,
	} {
		t.Run(name, func(t *testing.T) {
			again := recalled(t, r)
			fill := func(r *Run) (job elastic.Job) {
				r.Fill(&job, shapes, FillOptions{
					Now: at(300), StaleAfter: time.Minute, AssumedPause: time.Minute, Kind: v1alpha1.RestartLive,
				})
				for i := range job.Sizes { // to three digits
					s := &job.Sizes[i]
					for _, speed := range []*elastic.Speed{&s.Speed, &s.Expected, &s.Best, &s.Untried} {
						*speed = elastic.Speed(digits3(float64(*speed)))
					}
				}
				return job
			}
			if diff := cmp.Diff(fill(r), fill(again)); diff != "" {
				t.Errorf("as the planner sees it (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(r.View(at(300), time.Hour), again.View(at(300), time.Hour)); diff != "" {
				t.Errorf("as it is shown:\n%s", diff)
			}
			if diff := cmp.Diff(r.Progress(), again.Progress()); diff != "" {
				t.Errorf("as the resize machine sees it:\n%s", diff)
			}
			if diff := cmp.Diff(r.Checkpoint(), again.Checkpoint()); diff != "" {
				t.Errorf("what it saves:\n%s", diff)
			}
			if r.stretch.usual() != again.stretch.usual() {
				t.Errorf("it reports every %v, want %v", again.stretch.usual(), r.stretch.usual())
			}
			if text := again.Keep(); text != r.Keep() {
				t.Errorf("it is kept as\n%s\nwant\n%s", text, r.Keep())
			}
		})
	}
}

func digits3(f float64) float64 {
	if f == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(f))-2)
	return math.Round(f/unit) * unit
}

// What the profile has of the run as well is not counted twice, and is not written anew for nothing.
func TestWhatIsKeptAndStoredCountsOnce(t *testing.T) {
	r := resized()
	record, _ := r.Last(at(300))
	stored, unit, err := FromStatus(&v1alpha1.TrainingProfileStatus{
		Unit: record.Unit, Speeds: record.Speeds, Restarts: record.Restarts,
	})
	if err != nil {
		t.Fatal(err)
	}
	again := recalled(t, r)
	if err := again.Inherit(stored, unit, at(301)); err != nil {
		t.Fatal(err)
	}
	for shape, own := range r.speeds {
		if got := again.speeds[shape]; got == nil || got.total() != own.total() ||
			math.Abs(got.typical()/own.typical()-1) > 1e-3 {
			t.Errorf("%+v is known as %+v, want %+v", shape, got, own)
		}
	}
	if got := again.restarts[v1alpha1.RestartLive]; got == nil || got.count != 1 || len(got.costs) != 1 {
		t.Errorf("its restart is known as %+v", got)
	}
	if again.due(at(302), false) {
		t.Error("it is to be stored once more")
	}
	if _, unsaved := again.Last(at(302)); unsaved {
		t.Error("it is not known that all is stored")
	}
}

// Other workers than those of which was kept are a change, though nobody has seen it.
func TestAChangeWhileNoProcessRan(t *testing.T) {
	for team, want := range map[string]bool{"c": true, "d": false} {
		again := recalled(t, resized())
		again.Team(team, time.Time{}, at(400))
		if _, known := again.presentRate(); known != want {
			t.Errorf("workers %s: it is known how fast it is as it runs: %t, want %t", team, known, want)
		}
	}
}

// What was decided for a job stands all the same: who reads it judges it by itself.
func TestWhatCannotBeRecalledIsLearnedAnew(t *testing.T) {
	before := resized()
	before.Planned([]byte(`{"workers":3}`))
	good := before.Keep()
	for name, text := range map[string]string{
		"no memory":    "a word",
		"another run":  strings.Replace(good, "resnet-1", "bert-1", 1),
		"a negative":   strings.Replace(good, `"done":`, `"done":-`, 1),
		"no scale":     strings.Replace(good, `"scale":`, `"scales":`, 1),
		"far":          strings.Replace(good, `"factor":1`, `"factor":1e999`, 1),
		"another form": strings.Replace(good, `"by":1`, `"by":{"one":1}`, 1),
	} {
		if text == good {
			t.Errorf("%s: nothing is changed in %s", name, good)
		}
		r, err := Recalled("resnet-1", text)
		if !errors.Is(err, ErrGarbled) || len(r.speeds) > 0 || !r.at.IsZero() || r.recalled {
			t.Errorf("%s: %v, and it is %+v", name, err, r)
		}
		if stands := name != "no memory" && name != "another run"; (string(r.Plan()) == `{"workers":3}`) != stands {
			t.Errorf("%s: what was decided is %q", name, r.Plan())
		}
	}
}

// A restart of a kind that a newer operator knows says nothing to this one, and takes nothing from the rest.
func TestAStrangeKindOfRestartIsPassedOver(t *testing.T) {
	r, err := Recalled("resnet-1", strings.Replace(resized().Keep(), `"kind":"Live"`, `"kind":"Wild"`, 1))
	if err != nil || len(r.speeds) == 0 || r.restarts["Wild"] != nil || r.restarts[v1alpha1.RestartLive] != nil {
		t.Errorf("%v, and it is %+v", err, r)
	}
}

// A job of very many sizes forgets the oldest, rather than to have its status refused.
func TestStoryAMemoryHasRoom(t *testing.T) {
	r := NewRun("resnet-1")
	done := 0.0
	for i := range 4000 {
		s := steps(10*i, done)
		s.Total = 1e9
		r.Sample(s, predictor.Shape{Workers: predictor.Workers(1 + i/100), Nodes: 1, GPU: strings.Repeat("A", 60)})
		done += math.Pi * float64(1+i/100)
	}
	if text := r.Keep(); len(text) > mostKept || len(text) < mostKept/4 {
		t.Errorf("a memory of 40 sizes has %d bytes", len(text))
	}
	if again := recalled(t, r); again.speeds[predictor.Shape{Workers: 40, Nodes: 1, GPU: strings.Repeat("A", 60)}] == nil {
		t.Error("the last of them is forgotten")
	}
}

// Whatever a memory says, nothing that it leads to is out of this world.
func TestStoryAnyMemoryLeadsToSense(t *testing.T) {
	good := []byte(resized().Keep())
	for _, seed := range extent.Some(t, extent.First(3000), 1000) {
		random := rand.New(rand.NewPCG(seed, 3))
		text := slices.Clone(good)
		for range 1 + random.IntN(3) {
			if i := random.IntN(len(text)); text[i] >= '0' && text[i] <= '9' || text[i] == '.' {
				text[i] = "0123456789e-."[random.IntN(13)]
			}
		}
		r, _ := Recalled("resnet-1", string(text))
		shapes := []predictor.Shape{size(1), size(4)}
		reads(4, line(1000, 10, 5, 500, 4)...)(r)
		r.Changed(at(2000))
		r.Restarted(v1alpha1.RestartLive, resize.Cost{Measured: true, Pause: time.Second})
		job := elastic.Job{Name: "resnet"}
		r.Fill(&job, shapes, FillOptions{Now: at(2000), StaleAfter: time.Minute})
		if err := (elastic.Snapshot{Jobs: []elastic.Job{job}}).Check(); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		r.Prediction(shapes, at(2000), at(3000))
		r.View(at(2000), time.Minute)
		r.Progress()
		r.Checkpoint()
		if _, err := Recalled("resnet-1", r.Keep()); err != nil {
			t.Fatalf("%s leads to %s: %v", text, r.Keep(), err)
		}
	}
}
