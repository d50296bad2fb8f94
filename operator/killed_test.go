package operator

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/go-logr/logr"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/extent"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/coretime"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/reading"
	"github.com/takt-dev/takt/operator/rooms"
	"github.com/takt-dev/takt/operator/telling"
	"github.com/takt-dev/takt/operator/view"
)

// afresh is an operator in the same cluster that has just been started.
func afresh(o *rooms.Rooms) *rooms.Rooms {
	n := rooms.New(o.Settings, o.Client, o.Live, o.Now, logr.Discard())
	n.Limits, n.GPUs, n.Kinds, n.Profiles = o.Limits, o.GPUs, o.Kinds, &learn.Store{Client: o.Client}
	n.Events = telling.NewRecorder(events.NewFakeRecorder(100), o.Now)
	n.Furnish()
	return n
}

// watched is a job that trains, and the operator that looks after it.
type watched struct {
	*testing.T
	*rooms.Rooms
	name string
	now  time.Time
	from *spoken
	note func(seconds float64) string // what is written on the job; nil if nothing is
	plan elastic.Outcome
}

// watch has a job of four workers read from a source.
func watch(t *testing.T, tells func(seconds float64) (progress.Sample, error),
	change ...func(*v1alpha1.ElasticJob)) *watched {
	w := &watched{T: t, name: "resnet", now: start}
	job := pytorchJob(w.name, 4)
	objects := []client.Object{job, gpuNode("node", "8"), elasticJob(w.name, func(ej *v1alpha1.ElasticJob) {
		ej.CreationTimestamp.Time = start
		ej.Spec.Deadline = v1alpha1.NewTime(start.Add(7 * time.Hour))
		for _, f := range change {
			f(ej)
		}
	})}
	for _, pod := range workersOf(job, 4, "node") {
		pod.Status.StartTime = &metav1.Time{Time: start}
		objects = append(objects, pod)
	}
	w.Rooms = stopped(t, interceptor.Funcs{}, objects...)
	w.Now = func() time.Time { return w.now }
	w.from = &spoken{answer: func(context.Context) (progress.Sample, error) {
		sample, err := tells(w.now.Sub(start).Seconds())
		sample.SavedAt = w.now.Add(-time.Minute) // so that a restart costs little at any time
		return sample, err
	}}
	w.Sources = sourcesOf(w.Settings.Progress.Every.Duration, progress.Annotation{}, w.from)
	w.Furnish()
	return w
}

// kill puts a fresh process in the place of the one that runs.
func (w *watched) kill() {
	w.Rooms = afresh(w.Rooms)
	w.Sources = sourcesOf(w.Settings.Progress.Every.Duration, progress.Annotation{}, w.from)
	w.Furnish()
}

// read, decide and say are what an operator does all the time.
func (w *watched) read() {
	if w.note != nil {
		job := get(w.T, w.Rooms, w.name, &kubeflow.PyTorchJob{})
		metav1.SetMetaDataAnnotation(&job.ObjectMeta, progress.ProgressAnnotation, w.note(w.now.Sub(start).Seconds()))
		if err := w.Client.Update(w.Context(), job); err != nil {
			w.Fatal(err)
		}
	}
	s := w.look()
	shape, err := w.Reader.Present(w.Context(), s.Running())
	if err != nil {
		w.Fatal(err)
	}
	s.Known.Run.Attend(shape, reading.RunSince(s.Running()), w.now)
	w.Shelf.Inherit(w.Context(), s)
	r := w.Reader
	r.Read(w.Context(), s, s.Running(), shape)
	if err := r.Shelf.Save(w.Context(), s, false); err != nil {
		w.Fatal(err)
	}
}

func (w *watched) decide() {
	sc, err := w.Planner.Observe(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	if w.Planner.Early(sc) {
		return
	}
	decision := elastic.Plan(sc.Snapshot)
	for i, s := range sc.Subjects {
		w.plan = decision.Jobs[i]
		due, _ := s.Deadline()
		s.Known.Decide(w.plan, due, sc.At)
	}
}

func (w *watched) say() {
	if _, err := w.Reporter.Reconcile(w.Context(), request(w.name)); err != nil {
		w.Fatal(err)
	}
}

func (w *watched) look() *view.Subject {
	s, err := w.View.Look(w.Context(), get(w.T, w.Rooms, w.name, &v1alpha1.ElasticJob{}))
	if err != nil {
		w.Fatal(err)
	}
	return s
}

// minutes are the readings of ten seconds each. The process is killed every so many turns, at any point of one.
func (w *watched) minutes(minutes float64, killEvery int) {
	for turn := range int(minutes * 6) {
		for i, do := range []func(){w.read, w.decide, w.say} {
			if killEvery > 0 && turn%killEvery == 1 && i == turn/killEvery%3 {
				w.kill()
			}
			do()
		}
		w.now = w.now.Add(10 * time.Second)
	}
}

// told is what an operator tells and decides of a job.
type told struct {
	ends     time.Time
	verdict  v1alpha1.Verdict
	workers  elastic.Workers
	promised bool
}

func (w *watched) seen() told {
	status := get(w.T, w.Rooms, w.name, &v1alpha1.ElasticJob{}).Status
	ends, _ := status.Prediction.ETA.Time()
	return told{ends, status.Verdict, w.plan.Workers, w.plan.Promised}
}

// counts is a source that counts the steps of a training, ten in a second.
func counts(seconds float64) (progress.Sample, error) {
	return progress.Sample{Done: math.Floor(10 * seconds), Total: 216_000, Unit: "steps"}, nil
}

func percents(seconds float64) (progress.Sample, error) {
	return progress.Sample{Done: math.Floor(seconds / 216), Total: 100, Unit: "%"}, nil
}

func parts(seconds float64) (progress.Sample, error) {
	return progress.Sample{Done: math.Floor(seconds/21.6) / 1000, Total: 1, Unit: progress.Share}, nil
}

// evaluates trains ten minutes and evaluates five.
func evaluates(seconds float64) (progress.Sample, error) {
	cycles := math.Floor(seconds / 900)
	return counts(600*cycles + min(600, seconds-900*cycles))
}

// inBursts tells every two minutes what was done meanwhile, in three parts.
func inBursts(seconds float64) (progress.Sample, error) {
	whole := 120 * math.Floor(seconds/120)
	return counts(whole - max(0, 40-2*(seconds-whole)))
}

// calm has no decision hang by a hair: nobody acts here on what is decided, and so it would be taken for the other, and
// stay so, at the next moment.
func calm(ej *v1alpha1.ElasticJob) {
	ej.Spec.Deadline, ej.Spec.Workers.Max = v1alpha1.NewTime(start.Add(10*time.Hour)), new(int32(4))
}

func TestStoryAnOperatorThatIsKilledKnowsWhatItKnew(t *testing.T) {
	until := 48.0
	if testing.Short() {
		until = 24
	}
	tests := map[string]struct {
		tells func(float64) (progress.Sample, error)
		note  func(float64) string
		from  float64 // minutes after which a few reports were seen, by whichever process
	}{
		"every step": {counts, nil, 4}, "whole percents": {percents, nil, 12}, "shares": {parts, nil, 8},
		"evaluates": {evaluates, nil, 4}, "in bursts": {inBursts, nil, 12},
		"whole percents, by an annotation": {
			silent, func(seconds float64) string { return fmt.Sprintf("%.0f%%", math.Floor(seconds/216)) }, 12,
		},
	}
	for _, name := range extent.Some(t, slices.Sorted(maps.Keys(tests)), 3) {
		test := tests[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lives, dies := watch(t, test.tells, calm), watch(t, test.tells, calm)
			lives.note, dies.note = test.note, test.note
			lives.minutes(test.from, 0)
			dies.minutes(test.from, 2)
			for at := test.from; at < until; at += 4 {
				want, got := lives.seen(), dies.seen()
				left := want.ends.Sub(lives.now)
				if left <= 0 || got.verdict != want.verdict || got.workers != want.workers || got.promised != want.promised ||
					got.ends.Sub(want.ends).Abs() > left/12 {
					t.Errorf("after %g min it is taken for %+v, want %+v", at, got, want)
				}
				lives.minutes(4, 0)
				dies.minutes(4, 2)
			}
		})
	}
}

// What was known is planned with before the first reading of a fresh process succeeds.
func TestStoryAFreshOperatorPlansWithWhatWasKnown(t *testing.T) {
	for name, lasted := range map[string]float64{"for a minute": 1, "for long": 60} {
		t.Run(name, func(t *testing.T) {
			w := watch(t, counts, calm)
			w.minutes(lasted, 0)
			before, plan := w.look(), w.plan
			if plan.Expected == nil {
				t.Fatalf("nothing is known after %g min: %s", lasted, plan.Message)
			}
			w.kill()
			w.from.answer = func(context.Context) (progress.Sample, error) { return progress.Sample{}, progress.ErrTimeout }
			w.decide()
			s := w.look()
			if s == before || w.plan.Workers != plan.Workers || w.plan.Promised != plan.Promised ||
				w.plan.Verdict != plan.Verdict || w.plan.Expected == nil ||
				math.Abs(float64(*w.plan.Expected-*plan.Expected)) > 60 {
				t.Errorf("it is planned as %+v, want %+v", w.plan, plan)
			}
		})
	}
}

// What a job has told long ago is not what it has done by now: the first plan waits a little for a reading.
func TestStoryWhatWasKnownLongAgoIsReadAgainFirst(t *testing.T) {
	w := watch(t, counts)
	w.minutes(10, 0)
	w.now = w.now.Add(time.Hour)
	w.kill()
	sc, err := w.Planner.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !w.Planner.Early(sc) {
		t.Error("it is planned with what was so an hour ago")
	}
}

// What a run has measured is in its profile once it has ended, due to be stored at that moment or not.
func TestStoryWhatARunHasMeasuredIsStoredAtItsEnd(t *testing.T) {
	for name, after := range map[string]time.Duration{"at once": time.Second, "after it was silent": time.Hour} {
		t.Run(name, func(t *testing.T) {
			w := watch(t, counts)
			w.minutes(4, 0)
			w.now = w.now.Add(after)
			w.finish()
			if _, err := w.Reader.Reconcile(t.Context(), request(w.name)); err != nil {
				t.Fatal(err)
			}
			if profile := get(t, w.Rooms, w.name, &v1alpha1.TrainingProfile{}); len(profile.Status.Speeds) != 1 {
				t.Errorf("it is stored as %+v", profile.Status)
			}
		})
	}
}

// How a job is going to be in time, and what it waits for, is gone on from by a fresh process.
func TestStoryAFreshOperatorGoesOnWithThePlan(t *testing.T) {
	planned := func(w *watched) elastic.Job {
		sc, err := w.Planner.Observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return sc.Snapshot.Jobs[0]
	}
	w := watch(t, counts)
	w.minutes(10, 0)
	reserved := planned(w).Reserved
	if len(reserved) == 0 {
		t.Fatal("it is not planned: this proves nothing")
	}
	w.say()
	w.kill()
	if again := planned(w).Reserved; !slices.EqualFunc(again, reserved, aboutTheSame) {
		t.Errorf("reserved is %v, want %v", again, reserved)
	}

	d := w.plan
	d.Workers, d.Reason, d.Why = 8, elastic.ForDeadline, "8 workers are what its deadline takes."
	s := w.look()
	due, _ := s.Deadline()
	s.Known.Decide(d, due, w.now)
	s.Known.Withhold(memory.NotFree(8), w.now)
	w.say()
	said := get(t, w.Rooms, w.name, &v1alpha1.ElasticJob{}).Status
	w.now = w.now.Add(5 * time.Second)
	want := elastic.Awaited{Workers: 8, Since: coretime.Seconds(w.now.Add(-5 * time.Second)), Reason: d.Reason, Why: d.Why}
	for range 2 { // processes, of which the first says something before it plans
		w.kill()
		if awaits := planned(w).Awaits; awaits == nil || *awaits != want {
			t.Errorf("it awaits %+v, want %+v", awaits, want)
		}
		w.say()
		now := get(t, w.Rooms, w.name, &v1alpha1.ElasticJob{}).Status
		if now.Workers.Desired != said.Workers.Desired || now.Prediction.ETA != said.Prediction.ETA ||
			now.Message != said.Message {
			t.Errorf("before it plans it says %d workers, %s: %s; want %d, %s: %s", now.Workers.Desired, now.Prediction.ETA,
				now.Message, said.Workers.Desired, said.Prediction.ETA, said.Message)
		}
	}
}

func aboutTheSame(a, b elastic.Span) bool {
	return a.Workers == b.Workers && math.Abs(float64(a.From-b.From))+math.Abs(float64(a.To-b.To)) < 0.01
}

// A plan that makes no sense is not gone on from.
func TestNonsenseIsNotGoneOnFrom(t *testing.T) {
	for name, text := range map[string]string{
		"no workers":      `{"workers":1,"reserved":[{"from":1,"to":2,"workers":0}]}`,
		"backwards":       `{"workers":1,"reserved":[{"from":2,"to":1,"workers":1}]}`,
		"one in another":  `{"workers":1,"reserved":[{"from":1,"to":3,"workers":1},{"from":2,"to":4,"workers":1}]}`,
		"fewer than none": `{"workers":-1}`,
		"another form":    `[]`,
	} {
		t.Run(name, func(t *testing.T) {
			run := learn.NewRun("resnet-1")
			run.Planned([]byte(text))
			kept, err := learn.Recalled("resnet-1", run.Keep())
			if err != nil {
				t.Fatal(err)
			}
			if known := memory.New().Of("1", start, func() *learn.Run { return kept }); known.LastPlanned() != nil {
				t.Errorf("it goes on from %+v", known.LastPlanned())
			}
		})
	}
}
