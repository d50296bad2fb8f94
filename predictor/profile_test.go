package predictor

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const day Seconds = 24 * 3600

func TestNextRunIsPredictedFromItsFirstSecond(t *testing.T) {
	var profile Profile
	var restarts Restarts
	if err := restarts.Observe(Cost{Pause: 30, Lost: 100}); err != nil {
		t.Fatal(err)
	}
	if err := profile.Record("first", 0, learned(t, 1, 4, 8), &restarts); err != nil {
		t.Fatal(err)
	}

	next := NewModel()
	if err := next.Inherit(profile, "second", day, 30*day); err != nil {
		t.Fatal(err)
	}
	if got := stepTime(t, next, shapeOf(8)); got.Trust != Measured || math.Abs(got.Median/truth(8)-1) > 0.05 {
		t.Errorf("the next run is taken to need %+v with 8 workers, want %g", got, truth(8))
	}
	var learnt Restarts
	if err := learnt.Inherit(profile, "second", day, 30*day); err != nil {
		t.Fatal(err)
	}
	if got := learnt.Lost(); got.Median != 100 {
		t.Errorf("the next run is taken to lose %+v in a restart, want 100 s", got)
	}

	// What it sees itself soon counts for more, and what it has inherited is not its own to tell.
	for range window {
		if err := next.Observe(Observation{Shape: shapeOf(8), Step: 3}); err != nil {
			t.Fatal(err)
		}
	}
	if got := stepTime(t, next, shapeOf(8)); math.Abs(got.Median/3-1) > 0.4 {
		t.Errorf("after it ran three times as slow itself it is taken to need %+v, want about 3 s", got)
	}
	var own Profile
	if err := own.Record("second", day, next, &learnt); err != nil {
		t.Fatal(err)
	}
	if len(own.Speeds) != 1 || own.Speeds[0].Shape != shapeOf(8).mustNormal() || len(own.Restarts) != 0 {
		t.Errorf("the second run tells as its own: %+v", own)
	}
}

func (s Shape) mustNormal() Shape {
	normal, err := s.normal()
	if err != nil {
		panic(err)
	}
	return normal
}

func TestARunDoesNotInheritFromItself(t *testing.T) {
	var profile Profile
	if err := profile.Record("me", 0, learned(t, 8), nil); err != nil {
		t.Fatal(err)
	}
	m := NewModel()
	if err := m.Inherit(profile, "me", 0, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := m.StepTime(shapeOf(8)); !errors.Is(err, ErrUnknown) {
		t.Errorf("got %v, want %v", err, ErrUnknown)
	}
}

func TestAge(t *testing.T) {
	var profile Profile
	for i, run := range []string{"old", "new"} {
		if err := profile.Record(run, Seconds(i)*100*day, learned(t, 8), nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		at, halfLife Seconds
		want         int
	}{
		"all are young":       {100 * day, 50 * day, 2},
		"one is forgotten":    {100 * day, 10 * day, 1},
		"both are":            {300 * day, 10 * day, 0},
		"nothing is":          {1e6 * day, 0, 2},
		"from a clock behind": {-10 * day, day, 2},
	} {
		t.Run(name, func(t *testing.T) {
			if got := profile.Age(test.at, test.halfLife); len(got.Speeds) != test.want {
				t.Errorf("%d records are left, want %d", len(got.Speeds), test.want)
			}
		})
	}
}

// Merging is a join: order, grouping and repetition make no difference, even where records give
// way to newer ones.
func TestMergeIsAJoin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int) Profile {
		var p Profile
		for range n {
			p.Speeds = append(p.Speeds, Speed{
				Run: string(rune('a' + rng.IntN(8))), Seen: Seconds(rng.IntN(5)), Shape: shapeOf(1 + rng.IntN(60)).mustNormal(),
				Step: Seconds(1 + rng.IntN(3)), Count: uint64(1 + rng.IntN(3)),
			})
			p.Restarts = append(p.Restarts, RestartRecord{
				Run: string(rune('a' + rng.IntN(50))), Seen: Seconds(rng.IntN(3)), Costs: []Cost{{Pause: Seconds(rng.IntN(3))}},
			})
		}
		return Merge(p, Profile{})
	}
	for range 200 {
		a, b, c := random(rng.IntN(300)), random(rng.IntN(300)), random(rng.IntN(300))
		ab := Merge(a, b)
		for law, pair := range map[string][2]Profile{
			"commutative": {ab, Merge(b, a)},
			"associative": {Merge(ab, c), Merge(a, Merge(b, c))},
			"idempotent":  {ab, Merge(ab, b)},
		} {
			if !reflect.DeepEqual(pair[0], pair[1]) { // a difference takes long to look for where there is none
				t.Fatalf("merging is not %s:\n%s", law, cmp.Diff(pair[0], pair[1]))
			}
		}
		if len(ab.Speeds) > maxSpeeds || len(ab.Restarts) > maxRestartRecords {
			t.Fatalf("%d speeds and %d restarts are too many", len(ab.Speeds), len(ab.Restarts))
		}
	}
}

func TestHostileProfilesAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no run":         `{"speeds":[{"run":"","shape":{"workers":1,"nodes":1},"stepSeconds":1,"count":1}]}`,
		"negative time":  `{"speeds":[{"run":"a","shape":{"workers":1,"nodes":1},"stepSeconds":-1,"count":1}]}`,
		"no count":       `{"speeds":[{"run":"a","shape":{"workers":1,"nodes":1},"stepSeconds":1}]}`,
		"no workers":     `{"speeds":[{"run":"a","shape":{"nodes":1},"stepSeconds":1,"count":1}]}`,
		"too many nodes": `{"speeds":[{"run":"a","shape":{"workers":1,"nodes":2},"stepSeconds":1,"count":1}]}`,
		"huge":           `{"speeds":[{"run":"a","shape":{"workers":1,"nodes":1},"stepSeconds":1e300,"count":1}]}`,
		"negative pause": `{"restarts":[{"run":"a","costs":[{"pause":-1,"lost":0}]}]}`,
		"no costs":       `{"restarts":[{"run":"a"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var p Profile
			if err := json.Unmarshal([]byte(text), &p); err != nil {
				t.Fatal(err)
			}
			if err := NewModel().Inherit(p, "", 0, day); !errors.Is(err, ErrProfile) {
				t.Errorf("got %v, want %v", err, ErrProfile)
			}
		})
	}
}

// Whatever is stored, a model that begins with it predicts what makes sense, or says why not.
func FuzzInherit(f *testing.F) {
	f.Add([]byte(`{"speeds":[{"run":"a","shape":{"workers":1,"nodes":1,"gpu":"T4"},"stepSeconds":1,"count":1}],"restarts":[{"run":"a","seen":3,"costs":[{"pause":1,"lost":2}]}]}`))
	f.Add([]byte(`{"speeds":[{"run":"a","shape":{"workers":9,"nodes":3,"batch":1e-12},"stepSeconds":1e15,"count":1},{"run":"a","shape":{"workers":900000,"nodes":300,"batch":1e12},"stepSeconds":1e-9,"count":1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p Profile
		if json.Unmarshal(data, &p) != nil {
			return
		}
		m := NewModel()
		var r Restarts
		if m.Inherit(p, "", 0, day) != nil || r.Inherit(p, "", 0, day) != nil {
			return
		}
		if cost := r.Cost(); !(cost.Low >= 0 && cost.Low <= cost.Median && cost.Median <= cost.High &&
			!math.IsInf(cost.High, 0)) {
			t.Errorf("a restart costs %+v", cost)
		}
		checkEstimates(t, m)
	})
}

// checkEstimates asks a model for a few shapes.
func checkEstimates(t *testing.T, m *Model) {
	t.Helper()
	for _, shape := range []Shape{
		{Workers: 1, Nodes: 1}, {Workers: 8, Nodes: 2, Batch: 32}, {Workers: maxWorkers, Nodes: maxWorkers, Batch: 1e12,
			GPU: "T4"},
	} {
		got, err := m.StepTime(shape)
		if err != nil {
			if !errors.Is(err, ErrUnknown) && !errors.Is(err, ErrNoFit) {
				t.Errorf("%+v: the error has no name: %v", shape, err)
			}
			continue
		}
		if !(got.Low > 0 && got.Low <= got.Median && got.Median <= got.High) || math.IsInf(got.High, 0) {
			t.Errorf("%+v: %+v makes no sense", shape, got)
		}
	}
}
