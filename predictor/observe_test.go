package predictor

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObservationsThatCannotBe(t *testing.T) {
	good := shapeOf(4)
	with := func(change func(*Shape)) Shape {
		shape := good
		change(&shape)
		return shape
	}
	var bad *ShapeError
	for name, test := range map[string]struct {
		observation Observation
		want        error // nil is a ShapeError
	}{
		"no time":         {Observation{Shape: good}, ErrNotGreater},
		"negative time":   {Observation{Shape: good, Step: -1}, ErrNotGreater},
		"NaN":             {Observation{Shape: good, Step: Seconds(math.NaN())}, ErrNotFinite},
		"infinite":        {Observation{Shape: good, Step: Seconds(math.Inf(1))}, ErrNotFinite},
		"absurdly long":   {Observation{Shape: good, Step: 1e300}, ErrOutOfRange},
		"absurdly short":  {Observation{Shape: good, Step: 1e-300}, ErrOutOfRange},
		"NaN spread":      {Observation{Shape: good, Step: 1, Spread: math.NaN()}, ErrNotFinite},
		"all exchange":    {Observation{Shape: good, Step: 1, Sync: 1}, ErrOutOfRange},
		"negative sync":   {Observation{Shape: good, Step: 1, Sync: -1}, ErrOutOfRange},
		"no workers":      {Observation{Shape: with(func(s *Shape) { s.Workers = 0 }), Step: 1}, nil},
		"many workers":    {Observation{Shape: with(func(s *Shape) { s.Workers = 1 << 40 }), Step: 1}, nil},
		"no nodes":        {Observation{Shape: with(func(s *Shape) { s.Nodes = 0 }), Step: 1}, nil},
		"too many nodes":  {Observation{Shape: with(func(s *Shape) { s.Nodes = 5 }), Step: 1}, nil},
		"negative batch":  {Observation{Shape: with(func(s *Shape) { s.Batch = -1 }), Step: 1}, nil},
		"NaN batch":       {Observation{Shape: with(func(s *Shape) { s.Batch = math.NaN() }), Step: 1}, nil},
		"infinite batch":  {Observation{Shape: with(func(s *Shape) { s.Batch = math.Inf(1) }), Step: 1}, nil},
		"negative server": {Observation{Shape: with(func(s *Shape) { s.Servers = -1 }), Step: 1}, nil},
		"long GPU":        {Observation{Shape: with(func(s *Shape) { s.GPU = string(make([]byte, 1000)) }), Step: 1}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			m := learned(t, 2, 4)
			before := stepTime(t, m, good)
			err := m.Observe(test.observation)
			if test.want != nil && !errors.Is(err, test.want) || test.want == nil && !errors.As(err, &bad) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if diff := cmp.Diff(before, stepTime(t, m, good)); diff != "" {
				t.Errorf("the model has learned from it:\n%s", diff)
			}
		})
	}
}

func TestOutliersBendNothing(t *testing.T) {
	m := learned(t, 1, 4, 16)
	before := stepTime(t, m, shapeOf(8))
	for _, slow := range []float64{10, 50} {
		if err := m.Observe(Observation{Shape: shapeOf(4), Step: Seconds(slow * truth(4))}); err != nil {
			t.Fatal(err)
		}
	}
	if after := stepTime(t, m, shapeOf(8)); math.Abs(after.Median/before.Median-1) > 0.02 {
		t.Errorf("two slow steps in seven move the prediction from %g to %g", before.Median, after.Median)
	}

	// One size among many that was measured only while it was slow.
	m = learned(t, 1, 2, 3, 4, 6, 8, 12, 16)
	if err := m.Observe(Observation{Shape: shapeOf(10), Step: Seconds(8 * truth(10))}); err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{7, 9, 14} {
		if got := stepTime(t, m, shapeOf(workers)); math.Abs(got.Median/truth(workers)-1) > 0.15 {
			t.Errorf("%d workers: %+v, want %g", workers, got, truth(workers))
		}
	}
}

func TestAJobThatChangesIsFollowed(t *testing.T) {
	m := learned(t, 4, 8)
	for range window {
		if err := m.Observe(Observation{Shape: shapeOf(8), Step: Seconds(2 * truth(8))}); err != nil {
			t.Fatal(err)
		}
	}
	if got := stepTime(t, m, shapeOf(8)); math.Abs(got.Median/(2*truth(8))-1) > 0.15 {
		t.Errorf("after it became twice as slow it is taken to need %g, want %g", got.Median, 2*truth(8))
	}
}

func TestScatterMakesIntervalsWider(t *testing.T) {
	steady, restless := NewModel(), NewModel()
	for i := range 40 {
		workers := []int{1, 2, 4, 8, 16}[i%5]
		sign := float64(i%2)*2 - 1
		for m, factor := range map[*Model]float64{steady: 1, restless: 1 + 0.3*sign} {
			if err := m.Observe(Observation{Shape: shapeOf(workers), Step: Seconds(factor * truth(workers))}); err != nil {
				t.Fatal(err)
			}
		}
	}
	a, b := stepTime(t, steady, shapeOf(12)), stepTime(t, restless, shapeOf(12))
	if a.High/a.Low >= b.High/b.Low {
		t.Errorf("a steady job is predicted as %+v, a restless one as %+v", a, b)
	}
}

func TestExchangeTellsOfComputing(t *testing.T) {
	with, without := NewModel(), NewModel()
	for _, batch := range []float64{4, 16, 64} {
		shape := Shape{Workers: 8, Nodes: 2, Batch: batch}
		computing, exchange := Seconds(0.1+0.01*batch), Seconds(0.5)
		for m, sync := range map[*Model]Seconds{with: exchange, without: 0} {
			if err := m.Observe(Observation{Shape: shape, Step: computing + exchange, Sync: sync}); err != nil {
				t.Fatal(err)
			}
		}
	}
	alone := Shape{Workers: 1, Nodes: 1, Batch: 16}
	got, blind := stepTime(t, with, alone), stepTime(t, without, alone)
	if math.Abs(got.Median/0.26-1) > 0.1 || got.High/got.Low > blind.High/blind.Low {
		t.Errorf("one worker is taken to need %+v, want 0.26; without the exchange %+v", got, blind)
	}
	if got.Trust == Measured {
		t.Error("one worker never ran, but counts as measured")
	}
}

func TestTypesOfGPU(t *testing.T) {
	m := NewModel()
	on := func(workers int, gpu string) Shape {
		shape := shapeOf(workers)
		shape.GPU = gpu
		return shape
	}
	for _, workers := range []int{1, 2, 4, 8, 16} {
		if err := m.Observe(Observation{Shape: on(workers, "A100"), Step: Seconds(truth(workers))}); err != nil {
			t.Fatal(err)
		}
	}
	for _, workers := range []int{2, 4} {
		if err := m.Observe(Observation{Shape: on(workers, "T4"), Step: Seconds(3 * truth(workers))}); err != nil {
			t.Fatal(err)
		}
	}
	if got := stepTime(t, m, on(8, "T4")); math.Abs(got.Median/(3*truth(8))-1) > 0.15 {
		t.Errorf("on the slower type 8 workers are taken to need %+v, want %g", got, 3*truth(8))
	}
	if got := stepTime(t, m, on(4, "H100")); got.Trust != Unknown || got.High/got.Low < 4 {
		t.Errorf("a type that was never seen: %+v, want a wide guess", got)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	m := NewModel()
	for i := range 3 * maxShapes {
		shape := Shape{Workers: Workers(i + 1), Nodes: 1}
		for range 2 * window {
			if err := m.Observe(Observation{Shape: shape, Step: 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(m.cells) != maxShapes {
		t.Errorf("%d shapes are kept, want %d", len(m.cells), maxShapes)
	}
	if got := stepTime(t, m, Shape{Workers: 3 * maxShapes, Nodes: 1}); got.Trust != Measured {
		t.Errorf("the latest shape was forgotten: %+v", got)
	}
}

func TestSameObservationsSamePrediction(t *testing.T) {
	if diff := cmp.Diff(stepTime(t, learned(t, 3, 1, 8), shapeOf(5)),
		stepTime(t, learned(t, 3, 1, 8), shapeOf(5))); diff != "" {
		t.Error(diff)
	}
}

// Whatever is observed, an estimate makes sense or the error says why there is none.
func FuzzModel(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x00\xf0\x3f\x10\x20\x00\x00\x00\x00\x00\x00\xf0\x3f\x10"))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x01\x07\x00\x00\x00\x00\x00\x00\xf0\x7f" +
		"\x10\x33\x9c\x75\x00\x88\x3c\xe4\x37\x7e\x33"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := NewModel()
		const size = 10
		for ; len(data) >= size && m.clock < 40; data = data[size:] {
			step := math.Float64frombits(binary.LittleEndian.Uint64(data[1:9]))
			shape := Shape{
				Workers: Workers(1) << (data[0] & 31), Nodes: 1 << (data[9] & 7), Batch: math.Exp2(float64(int8(data[9])) / 4),
				GPU: []string{"", "T4", "A100", "K80"}[data[0]>>6],
			}
			err := m.Observe(Observation{Shape: shape, Step: Seconds(step), Sync: Seconds(step / 3 * float64(data[9]&1))})
			var value *ValueError
			var wrong *ShapeError
			if err != nil && !errors.As(err, &value) && !errors.As(err, &wrong) {
				t.Fatalf("the error has no name: %v", err)
			}
		}
		checkEstimates(t, m)
	})
}

func TestASpreadThatIsToldMakesIntervalsWider(t *testing.T) {
	sharp, blurred := NewModel(), NewModel()
	for m, spread := range map[*Model]float64{sharp: 0, blurred: 0.5} {
		for _, workers := range []int{1, 4, 8} {
			if err := m.Observe(Observation{Shape: shapeOf(workers), Step: Seconds(truth(workers)), Spread: spread}); err !=
				nil {
				t.Fatal(err)
			}
		}
	}
	a, b := stepTime(t, sharp, shapeOf(8)), stepTime(t, blurred, shapeOf(8))
	if a.High/a.Low >= b.High/b.Low {
		t.Errorf("told exactly: %+v, told within half: %+v", a, b)
	}
}

// Two nodes that exchange slowly say little of three and four.
func TestTwoNodesAreAWorldOfTheirOwn(t *testing.T) {
	m := NewModel()
	step := func(workers, nodes int) Seconds {
		if nodes == 2 {
			return Seconds(2 * math.Pow(float64(workers), 0.2))
		}
		return Seconds(math.Pow(float64(workers), 0.2))
	}
	for _, at := range [][2]int{{4, 2}, {8, 2}, {6, 3}, {12, 3}, {9, 3}} {
		shape := Shape{Workers: Workers(at[0]), Nodes: at[1], Batch: 8}
		if err := m.Observe(Observation{Shape: shape, Step: step(at[0], at[1]), Sync: step(at[0], at[1]) - 0.2}); err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range [][2]int{{6, 2}, {8, 4}, {16, 4}} {
		got, want := stepTime(t, m, Shape{Workers: Workers(at[0]), Nodes: at[1], Batch: 8}), float64(step(at[0], at[1]))
		if math.Abs(math.Log(got.Median/want)) > 0.1 || got.Low > want || got.High < want {
			t.Errorf("%d workers on %d nodes: %+v, want %.3g", at[0], at[1], got, want)
		}
	}
}
