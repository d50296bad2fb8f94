package predictor

import (
	"math"
	"math/rand/v2"
	"testing"
)

// trains adds cycles of a training at one unit of work a second that is read every ten seconds.
func trains(p *Pace, cycles, training, pause int) Seconds {
	at := Seconds(0)
	for range cycles {
		for range training / 10 {
			at += 10
			p.Add(at, 10, 10)
		}
		if pause > 0 {
			at += Seconds(pause) + 10
			p.Add(at, Seconds(pause)+10, 10)
		}
	}
	return at
}

func TestPace(t *testing.T) {
	for name, tt := range map[string]struct {
		cycles, training, pause int
		more                    int // strides after the last pause
		want                    float64
	}{
		"steady":                      {1, 600, 0, 0, 1},
		"before its first pause":      {0, 600, 300, 50, 1},
		"after its first pause":       {1, 590, 300, 0, 2. / 3},
		"in its second cycle":         {1, 590, 300, 59, 2. / 3},
		"after many":                  {40, 590, 300, 30, 2. / 3},
		"short cycles":                {100, 50, 30, 3, 2. / 3},
		"so many as cannot be kept":   {1000, 590, 300, 30, 2. / 3},
		"a pause that does not recur": {1, 590, 300, 1000, 10600. / 10900},
	} {
		t.Run(name, func(t *testing.T) {
			var p Pace
			at := trains(&p, tt.cycles, tt.training, tt.pause)
			for range tt.more {
				at += 10
				p.Add(at, 10, 10)
			}
			m, ok := p.Measure(Habit{})
			if !ok || math.Abs(float64(m.Rate)/tt.want-1) > 0.01 || !(m.Spread > 0) || m.Spread > 0.5 {
				t.Errorf("got %+v, want a rate of %g", m, tt.want)
			}
			if len(p.strides) > maxStrides {
				t.Errorf("it keeps %d strides", len(p.strides))
			}
		})
	}
}

func TestThePaceFollowsASpeedThatChanges(t *testing.T) {
	var p Pace
	at := trains(&p, 20, 590, 300)
	for range 5 {
		for range 59 {
			at += 10
			p.Add(at, 10, 5)
		}
		at += 310
		p.Add(at, 310, 5)
	}
	if m, _ := p.Measure(Habit{}); math.Abs(float64(m.Rate)*3-1) > 0.05 {
		t.Errorf("it has become half as fast, and is taken to do %g, not 1/3", m.Rate)
	}
}

// A speed that drops for an hour and recovers is what it is again, however long that goes on.
func TestThePaceFollowsASpeedThatRecovers(t *testing.T) {
	var p Pace
	at, rng := Seconds(0), rand.New(rand.NewPCG(1, 1))
	for hour, speed := range []float64{1, 0.5, 1, 1, 1} {
		for stride := range 360 {
			at += 10
			p.Add(at, 10, Work(10*speed*math.Exp(0.02*rng.NormFloat64())))
			if m, _ := p.Measure(Habit{}); stride > 60 && math.Abs(float64(m.Rate)/speed-1) > 0.05 {
				t.Fatalf("in hour %d it does %g, and is taken to do %g after %d strides", hour, speed, m.Rate, stride)
			}
		}
	}
}

// What it was before is the speed that it has left, whatever there was before that.
func TestTheSpeedBeforeTheLastChange(t *testing.T) {
	var p Pace
	at, rng := Seconds(0), rand.New(rand.NewPCG(1, 1))
	for _, speed := range []float64{0.6, 1, 0.5} {
		for range 360 {
			at += 10
			p.Add(at, 10, Work(10*speed*math.Exp(0.02*rng.NormFloat64())))
		}
	}
	if got := p.Before(0); math.Abs(float64(got)-1) > 0.05 {
		t.Errorf("it did %g before, want 1", got)
	}
}

func TestAHabitThatIsExpectedHoldsUntilACycleWasSeen(t *testing.T) {
	expected := Habit{Share: 1. / 3, Doubt: 0.05, Known: true}
	var p Pace
	trains(&p, 1, 200, 0)
	if m, _ := p.Measure(expected); math.Abs(float64(m.Rate)*1.5-1) > 0.01 || m.Habit.Known {
		t.Errorf("before its first pause: %+v", m)
	}
	p = Pace{}
	trains(&p, 1, 200, 300) // the rest of a cycle
	if m, _ := p.Measure(expected); math.Abs(float64(m.Rate)*1.5-1) > 0.01 {
		t.Errorf("after its first pause: %+v", m)
	}
	trains(&p, 1, 890, 300)
	if m, _ := p.Measure(expected); math.Abs(float64(m.Rate)/0.75-1) > 0.01 || !m.Habit.Known {
		t.Errorf("after a whole cycle: %+v, want 3/4", m)
	}
}

func TestAPaceWithoutSense(t *testing.T) {
	var p Pace
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), 1e300} {
		p.Add(10, Seconds(bad), 1)
		p.Add(10, 1, Work(bad))
	}
	if m, ok := p.Measure(Habit{}); ok {
		t.Errorf("nothing that makes sense was added: %+v", m)
	}
	p.Add(10, 10, 1)
	p.Add(20, 10, 1)
	p.Cut(15)
	if m, ok := p.Measure(Habit{}); !ok || m.Time != 10 {
		t.Errorf("a stride was taken back, and there is %+v", m)
	}
}

func TestAMeasureTakesThePlaceOfWhatWasObserved(t *testing.T) {
	m := learned(t, 4)
	measure := Measure{Rate: Rate(4 * 16 / (2 * truth(4))), Spread: 0.05, Count: 15}
	if err := m.ObserveMeasure(shapeOf(4), measure); err != nil {
		t.Fatal(err)
	}
	narrow := stepTime(t, m, shapeOf(4))
	if math.Abs(narrow.Median/(2*truth(4))-1) > 0.02 || narrow.Trust != Measured {
		t.Errorf("got %+v, want %g", narrow, 2*truth(4))
	}
	measure.Spread = 0.3
	if err := m.ObserveMeasure(shapeOf(4), measure); err != nil {
		t.Fatal(err)
	}
	if wide := stepTime(t, m, shapeOf(4)); wide.High/wide.Low < 1.5*narrow.High/narrow.Low {
		t.Errorf("a measure of which less is known is predicted as %+v, one of which more is as %+v", wide, narrow)
	}
	for _, bad := range []Measure{{}, {Rate: -1}, {Rate: Rate(math.NaN())}, {Rate: 1, Spread: math.NaN()},
		{Rate: 1, Spread: -1}} {
		if err := m.ObserveMeasure(shapeOf(4), bad); err == nil {
			t.Errorf("it has learned from %+v", bad)
		}
	}
}

func TestWidened(t *testing.T) {
	e := Estimate{1 / 1.1, 1, 1.1, Measured}
	if got := e.Widened(1, 1); math.Abs(got.Low-e.Low) > 1e-9 || math.Abs(got.High-e.High) > 1e-9 {
		t.Errorf("widened by nothing: %+v", got)
	}
	if got := e.Widened(1.5, 1); got.Low >= 1/1.5 || got.Low < 1/1.6 || math.Abs(got.High-e.High) > 1e-9 ||
		got.Median != 1 {
		t.Errorf("widened to below: %+v", got)
	}
}

// A network that is full makes a training slower with more workers, which no form describes. What it was measured to do
// for a quarter of an hour is what it does.
func TestWhatWasMeasuredForLongIsNoOutlier(t *testing.T) {
	for name, rates := range map[string][3]Rate{ // with 2, 4 and 8 workers
		"slower with more":              {4.94, 3.04, 1.17},
		"faster, and then much slower":  {4.9, 8.1, 1.17},
		"as fast, and then much slower": {4.9, 4.9, 1.5},
	} {
		m := NewModel()
		for i, workers := range []int{2, 4, 8} {
			measure := Measure{Rate: rates[i], Spread: 0.02, Count: 30, Time: Seconds(300 + 300*i)}
			if err := m.ObserveMeasure(shapeOf(workers), measure); err != nil {
				t.Fatal(err)
			}
		}
		e, err := m.Rate(shapeOf(8))
		if err != nil {
			t.Fatal(err)
		}
		if want := float64(rates[2]); e.Median < want/1.15 || e.Median > want*1.15 {
			t.Errorf("%s: 8 workers make %.2f to %.2f, and %.2f in the middle; measured were %.2f", name, e.Low, e.High,
				e.Median, want)
		}
	}
}

// What a training was expected to pause is forgotten where it is watched for long and does not.
func TestAnExpectedHabitFadesWhereItIsNotSeen(t *testing.T) {
	expected := Habit{Share: 0.6, Doubt: 0.3, Pause: 400, Every: 600, Known: true}
	var p Pace
	at, last := Seconds(0), 0.0
	for range 6 {
		for range 60 {
			at += 10
			p.Add(at, 10, 10)
		}
		m, ok := p.Measure(expected)
		if !ok || float64(m.Rate) < last {
			t.Errorf("after %.0f s it is as fast as %g, and was taken for %g", float64(at), float64(m.Rate), last)
		}
		last = float64(m.Rate)
	}
	if last < 0.7 || last >= 1 {
		t.Errorf("an hour without a pause leaves a speed of %g", last)
	}
}

// A training whose evaluations get longer goes on like that: what it does now tells more than what it did on average.
func TestPausesThatGetLongerAreFollowed(t *testing.T) {
	for name, longer := range map[string]int{"as long as ever": 0, "longer each time": 20, "shorter each time": -20} {
		t.Run(name, func(t *testing.T) {
			var p Pace
			at, pause := Seconds(0), 400
			for range 10 {
				pause += longer
				for range 30 {
					at += 10
					p.Add(at, 10, 10)
				}
				at += Seconds(pause)
				p.Add(at, Seconds(pause), 10)
			}
			m, ok := p.Measure(Habit{})
			lately := 310 / (300 + float64(pause))
			if !ok || math.Abs(float64(m.Rate)/lately-1) > 0.03 {
				t.Errorf("its rate is %.3f, want %.3f", float64(m.Rate), lately)
			}
			if slope := -m.Habit.Drift * float64(longer); longer != 0 && slope <= 0 || longer == 0 && m.Habit.Drift != 0 {
				t.Errorf("it drifts by %g", m.Habit.Drift)
			}
		})
	}
}
