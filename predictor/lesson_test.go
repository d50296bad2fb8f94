package predictor

import (
	"math"
	"testing"
)

// spreading is a job on nodes of four GPUs, whose network takes so many times as long between two of them as the growth
// from more says.
type spreading struct{ computing, exchange, two float64 }

func (s spreading) step(shape Shape) Seconds {
	computing, exchange := s.computing*shape.Batch, 0.0
	if shape.Workers > 1 {
		exchange = s.exchange / 5
	}
	if shape.Nodes > 1 {
		exchange = s.exchange * (1 + 0.15*math.Log2(float64(shape.Workers)/2))
	}
	if shape.Nodes == 2 {
		exchange *= s.two
	}
	return Seconds(computing + exchange)
}

// after is a model of the job that has seen it on so many nodes.
func (s spreading) after(t *testing.T, prior Prior, nodes ...int) *Model {
	t.Helper()
	m := prior.NewModel()
	for _, n := range nodes {
		for _, shape := range []Shape{{Workers: Workers(4 * n), Nodes: n, Batch: 8}, {Workers: Workers(2 * n), Nodes: n,
			Batch: 16}} {
			if err := m.Observe(Observation{Shape: shape, Step: s.step(shape)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return m
}

// lessons are what jobs teach that ran on a network like this.
func lessons(t *testing.T, two float64) (all []Lesson) {
	t.Helper()
	for _, job := range []spreading{{0.02, 0.3, two}, {0.05, 0.4, two}, {0.01, 0.2, two}} {
		lesson, ok := job.after(t, Usual(), 1, 2, 3, 4, 6).Lesson()
		if !ok {
			t.Fatalf("%+v teaches nothing", job)
		}
		all = append(all, lesson)
	}
	return all
}

var twoNodes = Shape{Workers: 8, Nodes: 2, Batch: 8}

// offAtTwo is how far the estimate of a step on two nodes is off, as a logarithm.
func (s spreading) offAtTwo(t *testing.T, m *Model) (float64, Estimate) {
	t.Helper()
	e := stepTime(t, m, twoNodes)
	return math.Abs(math.Log(e.Median / float64(s.step(twoNodes)))), e
}

// A job that was never seen on two nodes is predicted there by what others on the same network met there.
func TestJobsTeachEachOtherTheirNetwork(t *testing.T) {
	for name, two := range map[string]float64{"two nodes take longer": 1.6, "two nodes take as the growth says": 1} {
		t.Run(name, func(t *testing.T) {
			job := spreading{0.03, 0.6, two}
			before, wide := job.offAtTwo(t, job.after(t, Usual(), 1, 3, 4))
			after, narrow := job.offAtTwo(t, job.after(t, Usual().Taught(lessons(t, two)), 1, 3, 4))
			t.Logf("off by %.3f before and %.3f after, %.2f and %.2f wide", before, after, wide.High/wide.Low,
				narrow.High/narrow.Low)
			if two > 1 && (before < 0.2 || after > before/2) || after > 0.12 {
				t.Errorf("untaught it is off by %g, taught by %g", before, after)
			}
			if !(narrow.High/narrow.Low < 0.8*wide.High/wide.Low) {
				t.Errorf("untaught it is %+v, taught %+v: want it to be surer", wide, narrow)
			}
		})
	}
}

// What a job measures itself outweighs all that others teach.
func TestAJobUnlikeOthersLearnsForItself(t *testing.T) {
	job := spreading{0.03, 0.6, 1}
	taught := Usual().Taught(lessons(t, 1.6))
	m := job.after(t, taught, 1, 3, 4)
	before, _ := job.offAtTwo(t, m)
	seen := Shape{Workers: 4, Nodes: 2, Batch: 16}
	if err := m.Observe(Observation{Shape: seen, Step: job.step(seen)}); err != nil {
		t.Fatal(err)
	}
	if off, e := job.offAtTwo(t, m); off > before/2 || float64(job.step(twoNodes)) < e.Low {
		t.Errorf("it is off by %g, and after one other shape on two nodes by %g: %+v", before, off, e)
	}
}

func TestOnlyWhoWasOnTwoNodesAndMoreTeaches(t *testing.T) {
	job := spreading{0.03, 0.6, 1.6}
	for name, nodes := range map[string][]int{"nothing": nil, "one node": {1}, "one and two": {1, 2},
		"never two": {1, 3, 4}} {
		if lesson, ok := job.after(t, Usual(), nodes...).Lesson(); ok {
			t.Errorf("%s: it teaches %+v", name, lesson)
		}
	}
	if usual := Usual(); usual.Taught(nil) != usual {
		t.Errorf("nobody taught %+v", usual.Taught(nil))
	}
}

// A lesson is what was measured, and not what had been taught before: else jobs would assure each other of nothing.
func TestALessonIsNotPassedOn(t *testing.T) {
	job := spreading{0.03, 0.6, 1}
	plain, ok := job.after(t, Usual(), 1, 2, 3, 4).Lesson()
	taught, also := job.after(t, Usual().Taught(lessons(t, 1.6)), 1, 2, 3, 4).Lesson()
	if !ok || !also || math.Abs(taught.Longer-plain.Longer) > math.Sqrt(plain.Variance) {
		t.Errorf("untaught it teaches %+v, taught %+v", plain, taught)
	}
}

// A job that began untaught may be taught later. What it has seen stays.
func TestBegin(t *testing.T) {
	job := spreading{0.03, 0.6, 1.6}
	prior := Usual().Taught(lessons(t, 1.6))
	late := job.after(t, Usual(), 1, 3, 4)
	stepTime(t, late, twoNodes)
	late.Begin(prior)
	if got, want := stepTime(t, late, twoNodes), stepTime(t, job.after(t, prior, 1, 3, 4), twoNodes); got != want {
		t.Errorf("taught late it says %+v, taught early %+v", got, want)
	}
}
