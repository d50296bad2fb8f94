package learn

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/predictor"
)

// onNetwork is a profile of code that was measured on these numbers of nodes of four GPUs, between two of which the
// network takes twice as long as the growth from more says.
func onNetwork(namespace, name string, computing float64, seconds int, nodes ...int32) *v1alpha1.TrainingProfile {
	p := &v1alpha1.TrainingProfile{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	p.Status.Unit, p.Status.UpdatedAt = "steps", storedAt(seconds)
	for _, n := range nodes {
		for _, workers := range []int32{3 * n, 4 * n} {
			p.Status.Speeds = append(p.Status.Speeds, v1alpha1.MeasuredSpeed{
				Run: name + "-1", GPU: "A100", Workers: workers, Nodes: n, Count: 9, UpdatedAt: storedAt(seconds),
				PerSecond: v1alpha1.Decimal(strconv.FormatFloat(1/stepOf(computing, workers, n), 'f', 6, 64)),
			})
		}
	}
	return p
}

func stepOf(computing float64, workers, nodes int32) float64 {
	exchange := 0.05
	if nodes > 1 {
		exchange = 0.3 * (1 + 0.15*math.Log2(float64(workers)/2))
	}
	if nodes == 2 {
		exchange *= 2
	}
	return (computing + exchange) / float64(workers)
}

func (s *server) prior(t *testing.T, namespace, name string, seconds int) predictor.Prior {
	t.Helper()
	prior, err := s.Prior(t.Context(), namespace, name, at(seconds))
	if err != nil {
		t.Fatal(err)
	}
	return prior
}

func TestStoryProfilesOfANamespaceTeachWhatTheNetworkDoes(t *testing.T) {
	s := newServer(t,
		onNetwork("team", "a", 0.2, 5, 1, 2, 3, 4), onNetwork("team", "b", 0.3, 6, 1, 2, 3, 4),
		onNetwork("team", "never-two", 0.3, 7, 1, 3, 4),
		onNetwork("elsewhere", "c", 0.2, 8, 1, 2, 3, 4))
	usual := predictor.Usual()
	both := s.prior(t, "team", "new", 10)
	if both.Longer < 0.3 || both.Pair > 0.7*usual.Pair {
		t.Errorf("two profiles teach %+v", both)
	}
	if one := s.prior(t, "team", "a", 10); !(one.Longer > 0.2 && one.Pair > both.Pair) {
		t.Errorf("the other of the two teaches %+v, both %+v", one, both)
	}
	if other := s.prior(t, "another", "new", 10); other != usual {
		t.Errorf("profiles of other namespaces teach %+v", other)
	}
	if elsewhere := s.prior(t, "elsewhere", "new", 10); elsewhere == usual || elsewhere == both {
		t.Errorf("one profile, elsewhere, teaches %+v, and the two of the team %+v", elsewhere, both)
	}
}

// What changes is heard after a while. A profile that tells of nothing but two nodes, or that makes no sense, is as
// none.
func TestProfilesAreListenedToNowAndThen(t *testing.T) {
	s := newServer(t, onNetwork("team", "a", 0.2, 5, 1, 2))
	if prior := s.prior(t, "team", "new", 0); prior != predictor.Usual() {
		t.Errorf("who was not on more than two nodes teaches %+v", prior)
	}
	p := s.profile(t, "a")
	p.Status = onNetwork("team", "a", 0.2, 5, 1, 2, 3, 4).Status
	if err := s.Client.Status().Update(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
	if prior := s.prior(t, "team", "new", 60); prior != predictor.Usual() {
		t.Errorf("it is heard at once: %+v", prior)
	}
	heard := s.prior(t, "team", "new", 10*60)
	if heard.Longer < 0.2 {
		t.Errorf("it is not heard: %+v", heard)
	}
	if again := s.prior(t, "team", "new", 20*60); again != heard {
		t.Errorf("nothing has changed, and it teaches %+v instead of %+v", again, heard)
	}
	for i := range p.Status.Speeds {
		p.Status.Speeds[i].PerSecond = "fast"
	}
	if err := s.Client.Status().Update(t.Context(), &p); err != nil {
		t.Fatal(err)
	}
	if prior := s.prior(t, "team", "new", 30*60); prior != predictor.Usual() {
		t.Errorf("what makes no sense teaches %+v", prior)
	}
}

// Of many profiles those that have learned last are listened to, so that no tenant makes the operator work for long.
// One that is dated in the future is not the last.
func TestOnlySomeProfilesAreListenedTo(t *testing.T) {
	s := newServer(t)
	for i := range 2 * mostTeachers {
		if err := s.Client.Create(t.Context(), onNetwork("team", fmt.Sprint("p", i), 0.2, i, 1, 2, 3, 4)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Client.Create(t.Context(), onNetwork("team", "ahead", 0.2, 1e8, 1, 2, 3, 4)); err != nil {
		t.Fatal(err)
	}
	s.prior(t, "team", "new", 100)
	heard := s.lessons.taught["team"].teachers
	_, ahead := heard["ahead"]
	if _, last := heard[fmt.Sprint("p", 2*mostTeachers-1)]; len(heard) != mostTeachers || !last || ahead {
		t.Errorf("%d are listened to: %v", len(heard), heard)
	}
}

// A job that was never on two nodes is predicted there by what others have met; and what it has seen stays.
func TestARunIsTaught(t *testing.T) {
	s := newServer(t, onNetwork("team", "a", 0.2, 5, 1, 2, 3, 4), onNetwork("team", "b", 0.3, 6, 1, 2, 3, 4))
	own, unit, err := FromStatus(&onNetwork("team", "new", 0.25, 7, 1, 3, 4).Status)
	if err != nil {
		t.Fatal(err)
	}
	on := predictor.Shape{Workers: 8, Nodes: 2, GPU: "A100"}
	want := 1 / stepOf(0.25, 8, 2)
	off := func(teach bool) float64 {
		r := NewRun("new-2")
		if err := r.Inherit(own, unit, at(10)); err != nil {
			t.Fatal(err)
		}
		r.predict([]predictor.Shape{on})
		if teach {
			r.Taught(s.prior(t, "team", "new", 10))
		}
		r.predict([]predictor.Shape{on})
		return math.Abs(math.Log(r.sizes.rates[0].Median / want))
	}
	if before, after := off(false), off(true); before < 0.2 || after > before/2 {
		t.Errorf("untaught it is off by %g, taught by %g", before, after)
	}
}

// Who cannot be listened to teaches nothing, and is tried again.
func TestProfilesThatCannotBeReadTeachNothing(t *testing.T) {
	s := newServer(t, onNetwork("team", "a", 0.2, 5, 1, 2, 3, 4))
	s.deaf = errors.New("the API server is away")
	if prior, err := s.Prior(t.Context(), "team", "new", at(0)); !errors.Is(err, s.deaf) || prior != predictor.Usual() {
		t.Errorf("%+v, %v", prior, err)
	}
	s.deaf = nil
	if prior := s.prior(t, "team", "new", 1); prior == predictor.Usual() {
		t.Error("it is not tried again")
	}
}

// A run is taught once. A fresh process goes on from what the one before it had been told, whatever others have learned
// since: else each restart of the operator would plan anew what trains.
func TestARunIsTaughtOnce(t *testing.T) {
	on := func(nodes int) predictor.Shape {
		return predictor.Shape{Workers: predictor.Workers(4 * nodes), Nodes: nodes, GPU: "A100"}
	}
	says := func(r *Run) predictor.Estimate {
		r.predict([]predictor.Shape{on(2)})
		return r.sizes.rates[0]
	}
	life := func(prior predictor.Prior) *Run {
		r := NewRun("resnet-1")
		r.Taught(prior)
		for i, nodes := range []int{1, 3} {
			r.Team(fmt.Sprint(nodes), at(200*i), at(200*i))
			reads(4*nodes, line(200*i+20, 10, 10, float64(2000*i), 10*float64(nodes))...)(r)
		}
		return r
	}
	usual, prior := predictor.Usual(), predictor.Usual()
	prior.Longer, prior.Pair = 0.6, 0.2
	taught, untaught := life(prior), life(usual)
	if says(taught).Median > 0.95*says(untaught).Median {
		t.Fatalf("taught it says %+v, untaught %+v", says(taught), says(untaught))
	}
	for name, r := range map[string]*Run{"taught": taught, "untaught": untaught} {
		again := recalled(t, r)
		again.Taught(usual)
		another := prior
		another.Longer = -1
		again.Taught(another)
		if got, want := says(again), says(r); digits3(got.Median) != digits3(want.Median) ||
			digits3(got.High) != digits3(want.High) {
			t.Errorf("%s: a fresh process says %+v, the one before it %+v", name, got, want)
		}
	}
}
