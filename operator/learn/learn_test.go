package learn

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// line is a run of readings at a steady speed, of 10000 steps.
func line(from, every, n int, done, speed float64) []progress.Sample {
	var line []progress.Sample
	for i := range n {
		s := steps(from+i*every, done+speed*float64(i*every))
		s.Total = 10000
		line = append(line, s)
	}
	return line
}

func TestWhenToStore(t *testing.T) {
	r := NewRun("resnet-1")
	due := func(when string, seconds int, want bool) {
		t.Helper()
		if got := r.due(at(seconds), false); got != want {
			t.Errorf("%s: due is %t, want %t", when, got, want)
		}
	}
	store := func(seconds, wantSpeeds int) {
		t.Helper()
		if rec, dirty := r.Record(at(seconds), false); !dirty || len(rec.Speeds) != wantSpeeds || rec.Unit != "steps" {
			t.Errorf("at %d: stored %+v, %t; want %d speeds", seconds, rec, dirty, wantSpeeds)
		}
	}
	due("nothing was read", 0, false)
	reads(2, line(0, 10, 4, 0, 2)...)(r)
	due("two rates", 30, false)
	reads(2, line(40, 10, 1, 80, 2)...)(r)
	due("three rates", 40, true)
	store(40, 1)
	due("just stored", 41, false)
	reads(2, line(50, 10, 60, 100, 2)...)(r)
	due("the same speed for long", 700, false)
	if _, dirty := r.Last(at(700)); !dirty {
		t.Error("what was measured since is lost at the end of the run")
	}
	if _, dirty := r.Last(at(700)); dirty {
		t.Error("at the end of the run the same is stored twice")
	}
	reads(2, line(650, 10, 20, 1290, 1.9)...)(r)
	due("another speed, too soon", 900, false)
	due("another speed, later", 1000, true)
	store(1000, 1)
	reads(4, line(1010, 10, 5, 2000, 4)...)(r)
	due("a new size, soon after it was seen", 1060, false)
	due("a new size, later", 1360, true)
	store(1360, 2)
	r.NotSaved()
	due("not saved, too soon", 1361, false)
	due("not saved", 1390, true)
	store(1390, 2)
	due("saved", 9999, false)
	r.Restarted(v1alpha1.RestartLive, resize.Cost{})
	due("a restart that was not measured", 9999, false)
	r.Restarted(v1alpha1.RestartLive, resize.Cost{Measured: true, Pause: time.Second})
	due("a restart, soon after it", 10000, false)
	due("a restart, later", 10300, true)
	store(10300, 2)
	r.Restarted(v1alpha1.RestartLive, resize.Cost{Measured: true, Pause: time.Second})
	due("a restart, told twice", 99999, false)
}

// The first speed that anybody tells may be awaited by other runs; that of a run alone is in what is kept of it.
func TestOnlyAFirstSpeedForOthersIsStoredAtOnce(t *testing.T) {
	others := predictor.Profile{
		Speeds: []predictor.Speed{{Run: "other", Shape: predictor.Shape{Workers: 1, Nodes: 1}, Step: 0.5, Count: 9}},
	}
	for name, test := range map[string]struct {
		before func(*Run) error
		want   bool
	}{
		"nobody has told any":    {func(*Run) error { return nil }, true},
		"others have told some":  {func(r *Run) error { return r.Inherit(others, "steps", at(0)) }, false},
		"the profile is its own": {func(r *Run) error { r.Alone(); return nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			if err := test.before(r); err != nil {
				t.Fatal(err)
			}
			reads(2, line(0, 10, 6, 0, 2)...)(r)
			if got := r.due(at(50), false); got != test.want {
				t.Errorf("it is due at once: %t", got)
			}
			if !r.due(at(350), false) {
				t.Error("it is not due after a while")
			}
			again := recalled(t, r)
			if again.speeds[size(2)] == nil && !test.want {
				t.Error("what is not stored is not kept")
			}
		})
	}
}

func TestWhatARestartCosts(t *testing.T) {
	steady := reads(2, line(0, 10, 10, 0, 2)...) // to 180 at 90 s
	measured := resize.Cost{Measured: true, Pause: 20 * time.Second}
	tests := map[string]struct {
		told []tell
		kind v1alpha1.RestartKind
		cost resize.Cost
		want []predictor.Cost
	}{
		"nothing lost": {[]tell{steady, changes(95), reads(4, line(115, 10, 5, 180, 4)...)}, v1alpha1.RestartLive, measured,
			[]predictor.Cost{{Pause: 20}}},
		"the counter went back": {[]tell{steady, changes(95), reads(4, line(115, 10, 5, 140, 4)...)},
			v1alpha1.RestartLive, measured,
			[]predictor.Cost{{Pause: 20, Lost: 20}}},
		"the machine saw more": {[]tell{steady, changes(95), reads(4, line(115, 10, 5, 140, 4)...)}, v1alpha1.RestartLive,
			resize.Cost{Measured: true, Pause: 20 * time.Second, Lost: 25 * time.Second}, []predictor.Cost{
				{Pause: 20, Lost: 25},
			}},
		"it loaded its state": {[]tell{
			steady, changes(95), reads(4, line(114, 1, 1, 0, 4)...), reads(4, line(115, 10, 5, 140, 4)...),
		},
			v1alpha1.RestartCold, measured, []predictor.Cost{{Pause: 20, Lost: 20}}},
		"in two rounds": {[]tell{
			steady, changes(95), reads(4, line(115, 10, 1, 140, 4)...), changes(120), reads(4, line(125, 10, 3, 120, 4)...),
		},
			v1alpha1.RestartLive, measured, []predictor.Cost{{Pause: 20, Lost: 30}}},
		"not measured": {
			[]tell{steady, changes(95), reads(4, line(115, 10, 5, 140, 4)...)}, v1alpha1.RestartLive, resize.Cost{}, nil,
		},
		"a start": {[]tell{changes(5), reads(4, line(30, 10, 5, 0, 4)...)}, v1alpha1.RestartStart,
			resize.Cost{}, []predictor.Cost{{Pause: 35}}},
		"a start that came to nothing": {[]tell{changes(5)}, v1alpha1.RestartStart, resize.Cost{}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			for _, tell := range tt.told {
				tell(r)
			}
			r.Restarted(tt.kind, tt.cost)
			var got []predictor.Cost
			if own := r.restarts[tt.kind]; own != nil {
				got = own.costs
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestASpanAcrossAChangeTellsNoSpeed(t *testing.T) {
	r := NewRun("resnet-1")
	reads(2, line(0, 10, 10, 0, 2)...)(r)
	n := r.speeds[size(2)].count
	// The same number of workers, met anew after one was lost: ten minutes without progress.
	r.Changed(at(95))
	reads(2, line(200, 10, 1, 182, 2)...)(r)
	if got := r.speeds[size(2)].count; got != n {
		t.Errorf("a rate of %v was learned", r.speeds[size(2)].rates)
	}
	reads(2, line(210, 10, 6, 202, 2)...)(r)
	if got := r.speeds[size(2)].count; got != n+6 {
		t.Errorf("%d rates were learned after it, want 6", got-n)
	}
}

func TestNoSpeedIsLearnedWhileNobodyKnowsWhoTrains(t *testing.T) {
	r := NewRun("resnet-1")
	reads(4, line(0, 10, 10, 0, 4)...)(r)
	n := r.speeds[size(4)].count
	for _, s := range line(100, 10, 10, 380, 2) { // a node is silent: two of the workers train on, as it seems
		r.Doubt(s.At)
		reads(4, s)(r)
	}
	if got := r.speeds[size(4)].count; got != n || r.done != 560 {
		t.Errorf("%d rates were learned, want none; %v steps are done, want 560", got-n, r.done)
	}
	reads(4, line(200, 10, 3, 580, 4)...)(r) // it answers again: the first span is one of doubt
	if got := r.speeds[size(4)].count; got != n+2 {
		t.Errorf("%d rates were learned after it, want 2", got-n)
	}
}

// counting is a profile that counts in a unit.
func counting(unit string) tell {
	return func(r *Run) { _ = r.Inherit(predictor.Profile{}, unit, at(0)) }
}

// usualClosing is that of jobs that are taken to begin anew within 45 seconds, before any of their code has ended.
var usualClosing = NewRun("usual").closes(45*time.Second/endsQuicker, at(0))

func TestFill(t *testing.T) {
	shapes := []predictor.Shape{size(4), size(1), size(2), size(2)}
	steady := reads(2, line(0, 10, 10, 0, 2)...)
	bare := []elastic.Size{{Workers: 1}, {Workers: 2}, {Workers: 4}}
	tests := map[string]struct {
		told      []tell
		options   FillOptions
		want      elastic.Job // its Sizes only if they have no speeds
		wantKnown bool
	}{
		"nothing is known": {nil, FillOptions{}, elastic.Job{Sizes: bare, Unsaved: true}, false},
		"it was read once": {[]tell{reads(2, line(0, 10, 1, 100, 2)...)}, FillOptions{},
			elastic.Job{Sizes: bare, Left: 9900, Unsaved: true, Done: 100}, false},
		"it is known": {[]tell{steady}, FillOptions{Now: at(100), Began: at(-60)},
			elastic.Job{Left: 9800, Unsaved: true, Done: 180, SavedAt: Moment(at(-60))}, true},
		"no total": {[]tell{func(r *Run) {
			for _, s := range line(0, 10, 10, 0, 2) {
				s.Total = 0
				r.Sample(s, size(2))
			}
		}}, FillOptions{}, elastic.Job{UnknownWork: true, Unsaved: true, Done: 180}, true},
		"no source": {[]tell{fails(0, "none"), fails(60, "none")},
			FillOptions{StaleAfter: 5 * time.Minute}, elastic.Job{Sizes: bare, Unsaved: true}, false},
		"no source for long": {[]tell{fails(0, "none"), fails(700, "none")},
			FillOptions{StaleAfter: 5 * time.Minute}, elastic.Job{Sizes: bare, UnknownWork: true, Unsaved: true}, false},
		"a total that is declared": {
			nil, FillOptions{Total: 500, DoneShare: 0.2}, elastic.Job{Sizes: bare, Left: 400, Unsaved: true, Done: 100}, false,
		},
		"a total in the unit of the profile": {[]tell{counting("steps")}, FillOptions{Total: 500, Unit: "steps"},
			elastic.Job{Sizes: bare, Left: 500, Unsaved: true}, false},
		"a total in another unit": {
			[]tell{counting("epochs")}, FillOptions{Total: 500, Unit: "steps"}, elastic.Job{Sizes: bare, Unsaved: true}, false,
		},
		"it saves its state": {[]tell{steady, func(r *Run) {
			for i, s := range line(100, 60, 4, 200, 2) {
				s.SavedAt = at(90 + 60*i)
				r.Sample(s, size(2))
			}
		}}, FillOptions{Now: at(300)}, elastic.Job{Left: 9400, Rework: 60, SavedAt: Moment(at(270)),
			SavesAt: Moment(at(330))}, true},
		"it is done": {
			[]tell{reads(2, line(0, 10, 10, 9820, 2)...)}, FillOptions{}, elastic.Job{Unsaved: true, Done: 10000}, true,
		},
		"it has saved its state once": {[]tell{steady, func(r *Run) {
			saved := line(100, 1, 1, 200, 2)[0]
			saved.SavedAt = at(10)
			r.Sample(saved, size(2))
		}}, FillOptions{Now: at(100)}, elastic.Job{Left: 9800, Rework: 90, SavedAt: Moment(at(10))}, true},
		"it was seen to save its state by a process before": {[]tell{steady}, FillOptions{Now: at(100), SavedAt: at(-500)},
			elastic.Job{Left: 9800, Rework: 600, SavedAt: Moment(at(-500))}, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			for _, tell := range tt.told {
				tell(r)
			}
			tt.options.AssumedPause = 45 * time.Second
			got := elastic.Job{Workers: 2}
			r.Fill(&got, shapes, tt.options)
			got.Left = elastic.Work(math.Round(float64(got.Left)))
			known := !slices.ContainsFunc(got.Sizes, func(s elastic.Size) bool { return s.Expected <= 0 })
			if known != tt.wantKnown {
				t.Errorf("sizes are %+v, want them known: %t", got.Sizes, tt.wantKnown)
			}
			if known {
				tt.want.Sizes = got.Sizes
			}
			if known && !got.UnknownWork {
				tt.want.Closing = usualClosing
			}
			tt.want.Pause, tt.want.Workers, tt.want.AdvancedAt = 45, 2, got.AdvancedAt // which another test judges
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A job is no sooner ready for having been stopped, or restarted, than its live changes have taken.
func TestAStartTakesNoLessThanTheChangesThatWereSeen(t *testing.T) {
	for name, test := range map[string]struct {
		seen map[v1alpha1.RestartKind]time.Duration
		next v1alpha1.RestartKind
		want func(live elastic.Seconds) elastic.Seconds
	}{
		"nothing was seen": {nil, v1alpha1.RestartStart, func(elastic.Seconds) elastic.Seconds { return 30 }},
		"a start": {map[v1alpha1.RestartKind]time.Duration{v1alpha1.RestartLive: 73 * time.Second},
			v1alpha1.RestartStart, func(live elastic.Seconds) elastic.Seconds { return live }},
		"a restart": {map[v1alpha1.RestartKind]time.Duration{v1alpha1.RestartLive: 73 * time.Second},
			v1alpha1.RestartCold, func(live elastic.Seconds) elastic.Seconds { return live }},
		"after quick ones": {map[v1alpha1.RestartKind]time.Duration{v1alpha1.RestartLive: time.Second},
			v1alpha1.RestartStart, func(elastic.Seconds) elastic.Seconds { return 30 }},
		"a live one, after a restart": {map[v1alpha1.RestartKind]time.Duration{v1alpha1.RestartCold: 73 * time.Second},
			v1alpha1.RestartLive, func(elastic.Seconds) elastic.Seconds { return 30 }},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			for kind, pause := range test.seen {
				r.Restarted(kind, resize.Cost{Measured: true, Pause: pause})
			}
			paused := func(kind v1alpha1.RestartKind) elastic.Seconds {
				var job elastic.Job
				r.Fill(&job, []predictor.Shape{size(1)}, FillOptions{Now: at(0), AssumedPause: 30 * time.Second, Kind: kind})
				return job.Pause
			}
			if got, want := paused(test.next), test.want(paused(v1alpha1.RestartLive)); got != want {
				t.Errorf("it takes %g s, want %g", float64(got), float64(want))
			}
		})
	}
}

// While nothing is known to be saved, a restart loses all. One that went on shows what the next may lose.
func TestWhatTheNextRestartWouldLose(t *testing.T) {
	steady := reads(2, line(0, 10, 10, 0, 2)...) // to 180 at 90 s
	tests := map[string]struct {
		told    []tell
		workers elastic.Workers
		want    elastic.Job
	}{
		"none was seen": {[]tell{steady}, 2, elastic.Job{Left: 9820, Unsaved: true, Done: 180}},
		"it is stopped": {[]tell{steady}, 0, elastic.Job{Left: 10000, Unsaved: true}},
		"it went on from where it was": {
			[]tell{steady, changes(95), reads(2, line(115, 10, 5, 180, 2)...)}, 2, elastic.Job{Left: 9740},
		},
		"it went on from a checkpoint": {
			[]tell{steady, changes(95), reads(2, line(115, 10, 5, 160, 2)...)}, 2, elastic.Job{Left: 9760, Rework: 10},
		},
		"it loaded its state": {[]tell{steady, changes(95), reads(2, line(114, 1, 1, 0, 2)...),
			reads(2, line(115, 10, 5, 140, 2)...)}, 2, elastic.Job{Left: 9780, Rework: 20}},
		"it began anew": {[]tell{steady, changes(95), reads(2, line(115, 10, 5, 0, 2)...)}, 2,
			elastic.Job{Left: 9920, Unsaved: true, Done: 80}},
		"it began anew, and was read late": {[]tell{steady, changes(95), reads(2, line(185, 10, 5, 150, 2)...)}, 2,
			elastic.Job{Left: 9770, Unsaved: true, Done: 230}},
		"it began anew, with more workers": {[]tell{steady, changes(95), reads(8, line(110, 10, 5, 100, 8)...)}, 8,
			elastic.Job{Left: 9580, Unsaved: true, Done: 420}},
		"the old workers trained on at first": {[]tell{steady, changes(95), reads(2, line(100, 10, 2, 200, 2)...),
			reads(2, line(160, 10, 5, 0, 2)...)}, 2, elastic.Job{Left: 9920, Unsaved: true, Done: 80}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			for _, tell := range tt.told {
				tell(r)
			}
			r.Restarted(v1alpha1.RestartLive, resize.Cost{
				Measured: !r.stretch.changedAt.IsZero(), Pause: 20 * time.Second, Lost: r.stretch.lostTime(),
			})
			fill := func(r *Run, o FillOptions) elastic.Job {
				job := elastic.Job{Workers: tt.workers}
				r.Fill(&job, []predictor.Shape{size(2)}, o)
				return elastic.Job{Left: job.Left, Rework: job.Rework, Unsaved: job.Unsaved, Done: job.Done}
			}
			o := FillOptions{Now: r.movedAt, Kind: v1alpha1.RestartCold, Total: 10000}
			if got := fill(r, o); !cmp.Equal(got, tt.want) {
				t.Errorf("-want +got:\n%s", cmp.Diff(tt.want, got))
			}
			// So does the next process.
			if got := fill(recalled(t, r), o); !cmp.Equal(got, tt.want) {
				t.Errorf("as it is kept: -want +got:\n%s", cmp.Diff(tt.want, got))
			}
			// The next run of the same code knows as much.
			rec, _ := r.Last(at(300))
			p, unit, _ := FromStatus(statusOf(rec))
			next := NewRun("resnet-2")
			_ = next.Inherit(p, unit, at(300))
			if got := fill(next, o); got.Rework != tt.want.Rework || got.Unsaved != tt.want.Unsaved {
				t.Errorf("the next run: %+v, want a rework of %g, unsaved: %t", got, tt.want.Rework, tt.want.Unsaved)
			}
		})
	}
}

// A job that loses a little with each worker on one node is tried on two, once.
func TestWhatWasNeverMeasuredAcrossNodesIsTried(t *testing.T) {
	r := NewRun("resnet-1")
	shape := func(workers, nodes int) predictor.Shape {
		return predictor.Shape{Workers: predictor.Workers(workers), Nodes: nodes, GPU: "A100"}
	}
	now, done := 0, 0.0
	trains := func(s predictor.Shape, rate float64) {
		r.Changed(at(now))
		for range 20 {
			now, done = now+10, done+10*rate
			sample := steps(now, done)
			sample.Total = 1e6
			r.Sample(sample, s)
		}
	}
	shapes := []predictor.Shape{shape(1, 1), shape(2, 1), shape(4, 1), shape(8, 2)}
	sizes := func() []elastic.Size {
		var job elastic.Job
		r.Fill(&job, shapes, FillOptions{Now: at(now), StaleAfter: time.Hour})
		return job.Sizes
	}
	trains(shape(1, 1), 22)
	trains(shape(2, 1), 38)
	trains(shape(4, 1), 74)
	before := sizes()
	if four, eight := before[2], before[3]; eight.Untried <= four.Expected || eight.Untried > eight.Best ||
		four.Untried != 0 {
		t.Errorf("never measured across nodes: %+v, beside %+v on one", eight, four)
	}
	trains(shape(8, 2), 60)
	trains(shape(4, 1), 74)
	after := sizes()
	if four, eight := after[2], after[3]; eight.Expected >= four.Expected || eight.Untried != 0 {
		t.Errorf("measured to be slower across nodes: %+v, beside %+v on one", eight, four)
	}
}

// Until when a change kept a job busy is known to the planner, also once nothing is under way any more, and to a fresh
// process. What tells once an hour is not taken to have been busy for an hour.
func TestALastChangeIsKnown(t *testing.T) {
	told := func(r *Run, tell ...tell) *Run {
		for _, tell := range tell {
			tell(r)
		}
		return r
	}
	hourly := line(0, 3600, 4, 100, 0.1)
	for name, test := range map[string]struct {
		run  *Run
		now  int
		want elastic.Seconds
	}{
		"it tells soon": {told(trained(2), changes(1000), reads(2, line(1050, 10, 3, 6000, 2)...)), 1100, Moment(at(1050))},
		"it tells once an hour": {told(NewRun("a-1"), reads(2, hourly...), changes(11000),
			reads(2, line(14400, 1, 1, 1500, 1)...)), 14410,
			Moment(at(11000))},
		"it has not told yet": {told(trained(2), changes(1000)), 1030, Moment(at(1000))},
		"it has just started": {
			told(NewRun("a-1"), changes(1000), reads(2, line(1050, 10, 3, 60, 2)...)), 1100, Moment(at(1050)),
		},
	} {
		again, err := Recalled("a-1", test.run.Keep())
		if err != nil {
			t.Fatal(err)
		}
		for by, r := range map[string]*Run{"the same process": test.run, "a fresh one": again} {
			job := elastic.Job{Name: "team/resnet", Workers: 2}
			r.Fill(&job, []predictor.Shape{size(2)}, FillOptions{
				Now: at(test.now), StaleAfter: 2 * time.Hour, AssumedPause: time.Minute,
			})
			if job.BusyUntil < test.want-10 || job.BusyUntil > test.want+10 {
				t.Errorf("%s, to %s: busy until %v, want about %v", name, by, job.BusyUntil, test.want)
			}
		}
	}
}

func TestNothingIsPredictedTwice(t *testing.T) {
	r := trained(1, 2, 4)
	shapes := []predictor.Shape{size(1), size(2), size(4), size(8)}
	var first, second elastic.Job
	r.Fill(&first, shapes, FillOptions{Now: at(400)})
	before := &r.sizes.sizes[0]
	r.Prediction(shapes, at(300), at(9000))
	r.Sample(steps(0, 0), size(4)) // late
	r.Fill(&second, shapes, FillOptions{Now: at(400)})
	if &r.sizes.sizes[0] != before {
		t.Error("sizes were predicted again though nothing was learned")
	}
	second.Sizes[0].Speed = 0
	r.Fill(&second, shapes, FillOptions{Now: at(400)})
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("who gets the sizes can change those of the next: -first +second:\n%s", diff)
	}
	s := line(400, 10, 8, 6000, 40)
	for _, s := range s {
		s.Total = 1e6
		r.Sample(s, size(4))
	}
	if r.Fill(&second, shapes, FillOptions{}); second.Sizes[2] == first.Sizes[2] {
		t.Error("something was learned, and the prediction is the same")
	}
	if r.Fill(&second, shapes[:2], FillOptions{}); len(second.Sizes) != 2 {
		t.Errorf("of two sizes: %+v", second.Sizes)
	}
}

func TestThePauseOfAChangeThatIsNoticedLateIsNoSpeed(t *testing.T) {
	r := NewRun("resnet-1")
	reads(1, line(0, 10, 10, 0, 2)...)(r)
	r.Changed(at(95)) // the training advances once more before it restarts
	reads(2, line(100, 10, 1, 200, 2)...)(r)
	reads(2, line(160, 10, 5, 202, 4)...)(r)
	if rates := r.speeds[size(2)].rates; len(rates) != 4 || slices.Min(rates) < 3.9 {
		t.Errorf("the rates that were learned are %v, want four of 4", rates)
	}
}

func TestPrediction(t *testing.T) {
	shapes := []predictor.Shape{size(1), size(2), size(4)}
	r := NewRun("resnet-1")
	if got := r.Prediction(shapes, at(0), at(100)); got != (Prediction{}) {
		t.Errorf("of nothing: %+v", got)
	}
	reads(1, line(0, 10, 10, 0, 2)...)(r)
	reads(2, line(100, 10, 10, 200, 4)...)(r) // to 560 at 190 s: 2360 s are left
	p := r.Prediction(shapes, at(195), at(4000))
	if !p.Known || p.ETA.Sub(at(2550)).Abs() > 30*time.Second || p.Earliest.After(p.ETA) || p.Latest.Before(p.ETA) ||
		p.OnTime < 0.95 || p.Sufficient != 2 || p.Trust != predictor.Measured {
		t.Errorf("got %+v, want the end at %v", p, at(2550))
	}
	if got := r.Prediction(shapes, at(195), at(20000)); got.Sufficient != 1 {
		t.Errorf("with much time %d workers suffice, want 1", got.Sufficient)
	}
	if got := r.Prediction(shapes, at(195), at(300)); got.Sufficient != 0 || got.OnTime > 0.05 || !got.Known {
		t.Errorf("with no time: %+v", got)
	}
	if got := r.Prediction(shapes, at(195), time.Time{}); got.OnTime != 0 || got.Sufficient != 0 || got.ETA != p.ETA {
		t.Errorf("without a deadline: %+v", got)
	}
	if got := r.Prediction(shapes, at(3000), at(4000)); got.ETA.Before(at(3000)) {
		t.Errorf("the end is predicted in the past: %+v", got)
	}
	r.Changed(at(200))
	if got := r.Prediction(shapes, at(205), at(4000)); got.Known || got.Sufficient == 0 {
		t.Errorf("after a change: %+v, want none until it is read at its new size", got)
	}
	reads(4, line(260, 10, 7, 560, 7)...)(r)
	if got := r.Prediction(shapes, at(325), at(4000)); !got.Known ||
		math.Abs(got.ETA.Sub(at(320)).Seconds()-(10000-980)/7.) > 100 {
		t.Errorf("at the new size: %+v", got)
	}
	r.Restarted(v1alpha1.RestartLive, resize.Cost{Measured: true, Pause: 900 * time.Second})
	if got := r.Prediction(shapes, at(315), at(315+2800)); got.Sufficient != 4 {
		t.Errorf("%d workers suffice, want the 4 it has: 2 would do but for the pause", got.Sufficient)
	}
	done := NewRun("resnet-2")
	reads(2, line(0, 10, 10, 9820, 2)...)(done)
	if got := done.Prediction(shapes, at(95), at(100)); got.OnTime != 1 || !got.ETA.Equal(at(95)) || got.Sufficient != 1 {
		t.Errorf("when it is done: %+v", got)
	}
}

func TestManyAtOnce(*testing.T) {
	r := NewRun("resnet-1")
	over := make(chan bool)
	shapes := []predictor.Shape{size(1), size(2)}
	for _, do := range []func(i int){
		func(i int) { r.Sample(steps(i*10, float64(i)), size(2)) },
		func(i int) { r.Changed(at(i)); r.Failed(ErrUnits, at(i)) },
		func(i int) { r.View(at(i), time.Minute); r.Progress(); r.Checkpoint() },
		func(i int) { r.Fill(&elastic.Job{}, shapes, FillOptions{Now: at(i)}) },
		func(i int) { r.Prediction(shapes, at(i), at(1000)) },
		func(i int) { r.Record(at(i), false); r.Last(at(i)); r.NotSaved() },
		func(i int) { r.Restarted(v1alpha1.RestartLive, resize.Cost{Measured: true, Pause: time.Duration(i)}) },
		func(i int) { _ = r.Inherit(predictor.Profile{}, "steps", at(i)) },
	} {
		go func() {
			for i := range 200 {
				do(i)
			}
			over <- true
		}()
	}
	for range 8 {
		<-over
	}
}

func BenchmarkFill(b *testing.B) {
	r := trained(1, 2, 4, 8)
	var shapes []predictor.Shape
	for w := range 16 {
		shapes = append(shapes, size(w+1))
	}
	var job elastic.Job
	for b.Loop() {
		r.Fill(&job, shapes, FillOptions{Now: at(0)})
	}
}

func BenchmarkFillAfterAReading(b *testing.B) {
	r := trained(1, 2, 4, 8)
	var shapes []predictor.Shape
	for w := range 16 {
		shapes = append(shapes, size(w+1))
	}
	var job elastic.Job
	i := 0
	for b.Loop() {
		i++
		s := steps(1000+10*i, float64(12000+800*i))
		s.Total = 1e12
		r.Sample(s, size(8))
		r.Fill(&job, shapes, FillOptions{Now: at(0)})
	}
}

// What a training has done since its last report is done: the end of one that reports once an hour does not move away
// in between.
func TestLeftCountsWhatIsNotReportedYet(t *testing.T) {
	r := NewRun("resnet-1")
	reads(2, line(0, 3600, 5, 0, 0.2)...)(r)                                             // to 2880 at 4 h
	for hours, want := range map[float64]float64{4: 7120, 4.5: 6760, 5: 6400, 6: 6400} { // after that it may stand still
		job := elastic.Job{Workers: 2}
		r.Fill(&job, []predictor.Shape{size(2)}, FillOptions{Now: at(int(hours * 3600))})
		if math.Abs(float64(job.Left)-want) > 20 {
			t.Errorf("after %g h %.0f are left, want %.0f", hours, job.Left, want)
		}
	}
}

// A training goes on as well while nobody can read it, or it would be told to end later with every minute of that. At
// worst it has stood still meanwhile.
func TestLeftCountsWhatNobodyCouldRead(t *testing.T) {
	r := NewRun("resnet-1")
	reads(2, line(0, 10, 61, 0, 1)...)(r) // to 600 at 600 s
	fill := func(now int) elastic.Job {
		job := elastic.Job{Workers: 2}
		r.Fill(&job, []predictor.Shape{size(2)}, FillOptions{Now: at(now)})
		return job
	}
	before := fill(600)
	r.Failed(progress.ErrNone, at(610))
	if job := fill(1200); math.Abs(float64(before.Left-job.Left)) > 20 || job.Closing != before.Closing {
		t.Errorf("it answers and tells nothing, and %.0f of %.0f are left, and it closes in %+v", job.Left, before.Left,
			job.Closing)
	}
	reads(2, line(600, 10, 1, 600, 1)...)(r)
	for now := 610; now <= 1200; now += 10 {
		r.Failed(errors.New("its node does not answer"), at(now))
	}
	for _, run := range []*Run{r, recalled(t, r)} {
		r = run
		after := fill(1200)
		if done := before.Left - after.Left; math.Abs(float64(done)-600) > 20 {
			t.Errorf("in 600 s of silence it has done %.0f, want 600", done)
		}
		if waits := after.Closing.Longest - before.Closing.Longest; math.Abs(float64(waits)-590) > 20 {
			t.Errorf("at worst it ends %.0f s later than without the silence, want 590", waits)
		}
	}
	reads(2, line(1210, 10, 2, 1210, 1)...)(r)
	if job := fill(1220); math.Abs(float64(before.Left-job.Left)-620) > 20 || job.Closing != before.Closing {
		t.Errorf("once it is read again %.0f are left, and it closes in %+v", job.Left, job.Closing)
	}
}

// A size that the job does not have is enough only if there is time for what the change to it has it do again.
func TestASizeThatSufficesHasTimeForWhatIsLost(t *testing.T) {
	for name, test := range map[string]struct {
		saved time.Time
		want  int
	}{
		"it has just saved":         {at(190), 4},
		"it has saved long ago":     {at(10), 0},
		"it was never seen to save": {time.Time{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			reads(4, line(0, 10, 10, 0, 8)...)(r)
			reads(2, line(100, 10, 10, 760, 4)...)(r) // to 1120 at 190 s: 8880 are left
			shapes := []predictor.Shape{size(2), size(4)}
			job := elastic.Job{Workers: 2}
			r.Fill(&job, shapes, FillOptions{
				Now: at(190), StaleAfter: time.Hour, SavedAt: test.saved, Kind: v1alpha1.RestartCold,
			})
			if got := r.Prediction(shapes, at(190), at(1490)).Sufficient; got != test.want {
				t.Errorf("%d workers suffice, want %d", got, test.want)
			}
		})
	}
}
