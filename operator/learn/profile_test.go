package learn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

func storedAt(seconds int) v1alpha1.Time { return v1alpha1.NewTime(at(seconds)) }

func measured1(run string, workers int32, rate v1alpha1.Decimal, seconds int) v1alpha1.MeasuredSpeed {
	return v1alpha1.MeasuredSpeed{
		Run: run, GPU: "A100", Workers: workers, Nodes: 1, PerSecond: rate, Count: 9, UpdatedAt: storedAt(seconds),
	}
}

func TestWhatIsStoredIsRead(t *testing.T) {
	for _, rate := range []float64{1e-10, 1.25e-9, 3.7e-5, 0.333333, 1, 12.5, 98765.4, 1e9, 9.99e13} {
		for _, gpu := range []string{"", "NVIDIA-A100-SXM4-80GB"} {
			t.Run(fmt.Sprint(rate, gpu), func(t *testing.T) {
				shape := predictor.Shape{Workers: 4, Nodes: 2, GPU: gpu}
				own := &speed{seen: predictor.Measure{Rate: predictor.Rate(rate)}}
				for range 5 {
					own.add(rate, at(7))
				}
				stored, ok := storedSpeed("resnet-1", tally{}, shape, own)
				if !ok {
					t.Fatal("it cannot be stored")
				}
				p, _, err := FromStatus(&v1alpha1.TrainingProfileStatus{Speeds: []v1alpha1.MeasuredSpeed{stored}})
				if err != nil || len(p.Speeds) != 1 {
					t.Fatalf("%+v is read as %+v, %v", stored, p, err)
				}
				got := p.Speeds[0]
				off := 1e-5
				if rate < 1e-7 {
					off = 0.006
				}
				if back := 4 / float64(got.Step); math.Abs(back/rate-1) > off {
					t.Errorf("%g is stored as %s and read as %g", rate, stored.PerSecond, back)
				}
				got.Step = 0
				want := predictor.Speed{Run: "resnet-1", Seen: moment(at(7)), Shape: shape, Count: 5}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}

func measuredOnce(rate float64) *speed {
	return &speed{seen: predictor.Measure{Rate: predictor.Rate(rate)}, rates: []float64{rate}, count: 1}
}

func TestWhatCannotBeStored(t *testing.T) {
	for name, own := range map[string]*speed{
		"too slow": measuredOnce(1e-11), "too fast": measuredOnce(1e15), "no number": measuredOnce(math.NaN()),
		"never measured": {},
	} {
		if got, ok := storedSpeed("resnet-1", tally{}, size(2), own); ok {
			t.Errorf("%s: stored as %+v", name, got)
		}
	}
}

func TestRestartsAreRead(t *testing.T) {
	status := v1alpha1.TrainingProfileStatus{Unit: "steps", Restarts: []v1alpha1.MeasuredRestart{
		{Run: "a-1", Kind: v1alpha1.RestartLive, PauseMilliseconds: 8500, LostMilliseconds: 40, Count: 2,
			UpdatedAt: storedAt(3)},
		{Run: "a-1", Kind: v1alpha1.RestartCold, PauseMilliseconds: 60000, Count: 900, UpdatedAt: storedAt(4)},
	}}
	p, unit, err := FromStatus(&status)
	if err != nil || unit != "steps" || len(p.Restarts) != 2 {
		t.Fatalf("got %+v in %s, %v", p, unit, err)
	}
	cost := predictor.Cost{Pause: 8.5, Lost: 0.04}
	want := predictor.RestartRecord{Run: "a-1/Live", Seen: moment(at(3)), Costs: []predictor.Cost{cost, cost}}
	if diff := cmp.Diff(want, p.Restarts[0]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := len(p.Restarts[1].Costs); got != window {
		t.Errorf("900 restarts are read as %d, want %d", got, window)
	}
}

func TestGarbageIsLeftOut(t *testing.T) {
	good := measured1("a-1", 4, "12.5", 0)
	speeds := map[string]func(*v1alpha1.MeasuredSpeed){
		"no run":            func(s *v1alpha1.MeasuredSpeed) { s.Run = "" },
		"a strange run":     func(s *v1alpha1.MeasuredSpeed) { s.Run = "a/Live" },
		"no GPU":            func(s *v1alpha1.MeasuredSpeed) { s.GPU = "" },
		"no worker":         func(s *v1alpha1.MeasuredSpeed) { s.Workers = 0 },
		"below zero":        func(s *v1alpha1.MeasuredSpeed) { s.Workers = -4 },
		"no node":           func(s *v1alpha1.MeasuredSpeed) { s.Nodes = 0 },
		"too many nodes":    func(s *v1alpha1.MeasuredSpeed) { s.Nodes = 5 },
		"no rate":           func(s *v1alpha1.MeasuredSpeed) { s.PerSecond = "" },
		"a rate of zero":    func(s *v1alpha1.MeasuredSpeed) { s.PerSecond = "0" },
		"a rate that is no": func(s *v1alpha1.MeasuredSpeed) { s.PerSecond = "NaN" },
		"an endless rate":   func(s *v1alpha1.MeasuredSpeed) { s.PerSecond = "Inf" },
		"a negative rate":   func(s *v1alpha1.MeasuredSpeed) { s.PerSecond = "-3" },
		"no count":          func(s *v1alpha1.MeasuredSpeed) { s.Count = 0 },
		"no time":           func(s *v1alpha1.MeasuredSpeed) { s.UpdatedAt = "yesterday" },
	}
	for name, spoil := range speeds {
		bad := good
		spoil(&bad)
		p, _, err := FromStatus(&v1alpha1.TrainingProfileStatus{Speeds: []v1alpha1.MeasuredSpeed{bad, good}})
		if !errors.Is(err, ErrGarbled) || len(p.Speeds) != 1 || p.Speeds[0].Shape.Workers != 4 {
			t.Errorf("%s: got %+v, %v; want the one that is good", name, p, err)
		}
		if err := NewRun("b-1").Inherit(p, "steps", at(0)); err != nil {
			t.Errorf("%s: what is left cannot be inherited: %v", name, err)
		}
	}
	for name, bad := range map[string]v1alpha1.MeasuredRestart{
		"no kind":    {Run: "a", Count: 1, UpdatedAt: storedAt(0)},
		"below zero": {Run: "a", Kind: v1alpha1.RestartLive, PauseMilliseconds: -1, Count: 1, UpdatedAt: storedAt(0)},
		"for ever": {
			Run: "a", Kind: v1alpha1.RestartLive, LostMilliseconds: math.MaxInt64, Count: 1, UpdatedAt: storedAt(0),
		},
		"no count": {Run: "a", Kind: v1alpha1.RestartLive, UpdatedAt: storedAt(0)},
	} {
		p, _, err := FromStatus(&v1alpha1.TrainingProfileStatus{Restarts: []v1alpha1.MeasuredRestart{bad}})
		if !errors.Is(err, ErrGarbled) || len(p.Restarts) != 0 {
			t.Errorf("%s: got %+v, %v", name, p, err)
		}
	}
}

// trained is a run that has trained at some sizes, at 10 steps a second per worker.
func trained(workers ...int) *Run {
	r, now, done := NewRun("a-1"), 0, 0.0
	for _, w := range workers {
		r.Changed(at(now))
		for range 8 {
			now += 10
			done += float64(100 * w)
			s := steps(now, done)
			s.Total = 1e6
			r.Sample(s, size(w))
		}
	}
	return r
}

func statusOf(records ...Record) *v1alpha1.TrainingProfileStatus {
	status := v1alpha1.TrainingProfileStatus{}
	for _, rec := range records {
		status = mergeRecord(status, rec, at(0))
	}
	return &status
}

func TestAnotherRunBeginsWithWhatIsStored(t *testing.T) {
	first := trained(1, 2, 4)
	first.Restarted(v1alpha1.RestartLive, resize.Cost{Measured: true, Pause: 7 * time.Second, Lost: 3 * time.Second})
	rec, dirty := first.Record(at(300), false)
	if !dirty || len(rec.Speeds) != 3 || len(rec.Restarts) != 1 {
		t.Fatalf("got %+v, %t", rec, dirty)
	}
	p, unit, err := FromStatus(statusOf(rec))
	if err != nil {
		t.Fatal(err)
	}
	second := NewRun("a-2")
	if err := second.Inherit(p, unit, at(400)); err != nil {
		t.Fatal(err)
	}
	var job elastic.Job
	o := FillOptions{Now: at(400), AssumedPause: time.Hour, Kind: v1alpha1.RestartLive, Total: 5000}
	second.Fill(&job, []predictor.Shape{size(1), size(4)}, o)
	if s := job.Sizes[1]; math.Abs(float64(s.Expected)-40) > 2 || s.Speed <= 0 || job.Left != 5000 || job.UnknownWork {
		t.Errorf("got %+v, want 40 steps a second of 5000 before the first reading", job)
	}
	if job.Pause < 7 || job.Pause > 30 || job.Rework != 3 {
		t.Errorf("a pause of %g s and a rework of %g s, want about 7 and 3", job.Pause, job.Rework)
	}
	o.Total = 0
	second.Fill(&job, []predictor.Shape{size(1), size(4)}, o)
	if job.Sizes[1] != (elastic.Size{Workers: 4}) || job.UnknownWork {
		t.Errorf("got %+v, want a job that has to be read first", job)
	}
	if got := second.Progress(); got.Reported {
		t.Errorf("what another run has reported is taken for its own: %+v", got)
	}
	if rec, dirty := second.Last(at(500)); dirty {
		t.Errorf("nothing was measured, and yet to be stored: %+v", rec)
	}
}

// Where workers share the steps of a training, a run that begins with fewer of them counts more steps. What it knows of
// earlier runs is what they would have counted.
func TestStepsThatWorkersShareAreThoseOfTheRun(t *testing.T) {
	share := func(seconds int, done, total float64) progress.Sample {
		s := steps(seconds, done)
		s.Total = total
		return s
	}
	first := NewRun("a-1")
	for i := range 30 {
		first.Sample(share(10*i, float64(10*i), 10000), size(4))
	}
	first.Changed(at(301))
	for i := range 30 {
		first.Sample(share(310+10*i, float64(600+10*i), 20000), size(2))
	}
	rec, _ := first.Record(at(700), false)
	p, unit, err := FromStatus(statusOf(rec))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		total     float64
		workers   int
		two, four float64 // steps a second
	}{
		"it began with as many":               {10000, 4, 0.5, 1},
		"with fewer":                          {20000, 2, 1, 2},
		"with more":                           {5000, 8, 0.25, 0.5},
		"with as many, and has more to do":    {20000, 4, 0.5, 1},
		"with fewer, and their steps are one": {10000, 2, 0.5, 1},
	} {
		second := NewRun("a-2")
		if err := second.Inherit(p, unit, at(800)); err != nil {
			t.Fatal(err)
		}
		second.Sample(share(801, 10, c.total), size(c.workers))
		fresh, err := Recalled("a-2", second.Keep())
		if err != nil {
			t.Fatal(err)
		}
		if err := fresh.Inherit(p, unit, at(810)); err != nil {
			t.Fatal(err)
		}
		for process, r := range map[string]*Run{"the first process": second, "the next": fresh} {
			var job elastic.Job
			r.Fill(&job, []predictor.Shape{size(2), size(4)}, FillOptions{Now: at(810)})
			for i, want := range []float64{c.two, c.four} {
				if got := float64(job.Sizes[i].Expected); math.Abs(got/want-1) > 0.05 {
					t.Errorf("%s, %s: %d workers make %.3g steps a second, want %.3g", name, process, 2*(i+1), got, want)
				}
			}
		}
	}
}

func TestAFreshOperatorKnowsWhatTheOneBeforeHadStored(t *testing.T) {
	before := trained(1, 2)
	before.Restarted(v1alpha1.RestartCold, resize.Cost{Measured: true, Pause: 50 * time.Second})
	rec, _ := before.Record(at(300), false)
	status := statusOf(rec)
	p, unit, _ := FromStatus(status)

	fresh := NewRun("a-1")
	if err := fresh.Inherit(p, unit, at(400)); err != nil {
		t.Fatal(err)
	}
	var job elastic.Job
	fresh.Fill(&job, []predictor.Shape{size(1), size(2)}, FillOptions{Now: at(400), Total: 10, Kind: v1alpha1.RestartCold})
	if math.Abs(float64(job.Sizes[1].Expected)-20) > 1 || job.Pause < 50 || !fresh.Progress().Reported {
		t.Errorf("got %+v, want 20 steps a second and a pause of 50 s", job)
	}
	if fresh.due(at(10000), false) {
		t.Error("what was just read is due to be stored")
	}
	// It goes on training, a little slower, and what is stored is of both.
	for i := range 12 {
		s := steps(500+10*i, 50000+float64(180*i))
		s.Total = 1e6
		fresh.Sample(s, size(2))
	}
	if !fresh.due(at(10000), false) {
		t.Fatal("the speed has moved, and is not due to be stored")
	}
	rec, _ = fresh.Record(at(10000), false)
	merged := mergeRecord(*status, rec, at(10000))
	if merged.Jobs != 1 || len(merged.Speeds) != 2 || len(merged.Restarts) != 1 {
		t.Fatalf("got %+v", merged)
	}
	rate, _ := merged.Speeds[1].PerSecond.Float()
	if s := merged.Speeds[1]; s.Count != 7+10 || rate < 18.3 || rate > 19 {
		t.Errorf("got %+v, want 17 measurements between 18 and 19", s)
	}
	// To be told again of what it has stored itself changes nothing.
	p, unit, _ = FromStatus(&merged)
	version := fresh.version
	if err := fresh.Inherit(p, unit, at(10001)); err != nil || fresh.version != version {
		t.Errorf("its own records came back: version %d after %d, %v", fresh.version, version, err)
	}
}

func TestSpeedsInAnotherUnitAreNotUsed(t *testing.T) {
	rec, _ := trained(1, 2).Record(at(300), false)
	p, unit, _ := FromStatus(statusOf(rec))
	epochs := func(r *Run) {
		s := steps(0, 1)
		s.Unit = "epochs"
		r.Sample(s, size(2))
	}
	early, late := NewRun("b-1"), NewRun("b-2")
	if err := early.Inherit(p, unit, at(0)); err != nil {
		t.Fatal(err)
	}
	epochs(early)
	epochs(late)
	if err := late.Inherit(p, unit, at(0)); !errors.Is(err, ErrUnits) {
		t.Errorf("got %v, want that the units differ", err)
	}
	for _, r := range []*Run{early, late} {
		var job elastic.Job
		r.Fill(&job, []predictor.Shape{size(2)}, FillOptions{Now: at(10)})
		if job.Sizes[0] != (elastic.Size{Workers: 2}) {
			t.Errorf("%s: got %+v, want no speed", r.id, job.Sizes)
		}
		if v := r.View(at(10), time.Minute); v.Profile == "" {
			t.Errorf("%s: nothing is said of it", r.id)
		}
	}
}

// Whatever is in a stored profile, nothing panics, and what is predicted from it makes sense.
func TestStoryAnyProfileIsRead(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	pick := func(values ...string) string { return values[random.IntN(len(values))] }
	number := func() int64 { return []int64{-1, 0, 1, 2, 7, 1 << 40, math.MaxInt64, math.MinInt64}[random.IntN(8)] }
	for range 2000 {
		var status v1alpha1.TrainingProfileStatus
		status.Unit = pick("", "steps", "epochs")
		for range random.IntN(6) {
			status.Speeds = append(status.Speeds, v1alpha1.MeasuredSpeed{
				Run: pick("", "a", "b/", "c"), GPU: pick("", "unknown", "A100"), Workers: int32(number()), Nodes: int32(number()),
				PerSecond: v1alpha1.Decimal(pick("", "0", "1", "1e308", "0.000000000001", "NaN", "999999999999999")),
				Count:     number(),
				UpdatedAt: v1alpha1.Time(pick("", string(storedAt(0)), "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z")),
			})
			status.Restarts = append(status.Restarts, v1alpha1.MeasuredRestart{
				Run: pick("", "a", "b"), Kind: v1alpha1.RestartKind(pick("", "Live", "Cold", "Start")), Count: number(),
				PauseMilliseconds: number(), LostMilliseconds: number(), UpdatedAt: v1alpha1.Time(pick("", string(storedAt(0)))),
			})
		}
		p, unit, _ := FromStatus(&status)
		r := NewRun("a")
		if err := r.Inherit(p, unit, at(0)); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		r.Sample(steps(0, 10), size(2))
		var job elastic.Job
		r.Fill(&job, []predictor.Shape{size(1), size(2), size(8)}, FillOptions{Now: at(0)})
		for _, s := range job.Sizes {
			if math.IsNaN(float64(s.Speed+s.Expected+s.Best)) || s.Speed > s.Expected || s.Expected > s.Best {
				t.Fatalf("%+v leads to %+v", p, job.Sizes)
			}
		}
		mergeRecord(status, Record{Run: "d", Unit: "steps"}, at(0))
	}
}

// What is new waits for what comes with it, and nothing comes once the job has fallen silent.
func TestWhatASilentRunHasToldIsStoredAtOnce(t *testing.T) {
	r := trained(1)
	if _, due := r.Record(at(100), false); !due {
		t.Fatal("nobody waits for its first speed: this proves nothing")
	}
	r.Changed(at(110))
	for i := range 8 {
		s := steps(120+10*i, 800+float64(200*i))
		s.Total = 1e6
		r.Sample(s, size(2))
	}
	if _, due := r.Record(at(200), false); due {
		t.Error("its second speed is stored while more of it comes")
	}
	if rec, due := r.Record(at(210), true); !due || len(rec.Speeds) != 2 {
		t.Errorf("of what it had told when it fell silent %+v is stored, %t", rec, due)
	}
	if _, due := r.Record(at(220), true); due {
		t.Error("it is stored twice")
	}
}

// Some count bytes. What has no room in a profile is left out of it: else the whole of it is refused.
func TestGreatTotalsAreLeftOut(t *testing.T) {
	for total, want := range map[float64]v1alpha1.Decimal{
		9.99998e14: "999998000000000", 9.999999e14: "", 5e15: "", 1e16: "",
	} {
		own := &speed{seen: predictor.Measure{Rate: 2}}
		own.add(2, at(7))
		stored, ok := storedSpeed("resnet-1", tally{total: total, by: 1}, predictor.Shape{Workers: 1, Nodes: 1}, own)
		if !ok || stored.Total != want {
			t.Errorf("a total of %g is stored as %q (%v), want %q", total, stored.Total, ok, want)
		}
	}
}
