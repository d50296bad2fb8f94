package page

import (
	"math"
	"slices"
	"testing"

	"github.com/takt-dev/takt/simulator"
)

func TestBandsShowAllGPUTimeOnce(t *testing.T) {
	const gpus, width, height = 24, 1000.0, 240.0
	for seed := range uint64(20) {
		run := madeUp(t, 60, gpus, 30, seed)
		whole := wholeOf([]Run{run})
		all := spells(run.History.Changes, whole.to)
		for _, window := range []span{whole, {whole.origin, whole.from + whole.length()/3, whole.from + whole.length()/2}} {
			var boxes []box
			area := 0.0
			for _, h := range hold(window, run.History.Jobs, all, gpus, width, height) {
				deadline := window.x(run.History.Jobs[h.index].Deadline, width)
				for _, b := range h.boxes {
					if b.right > deadline+1e-6 {
						t.Fatalf("a box reaches %v, and the deadline is at %v", b.right, deadline)
					}
				}
				for _, b := range h.overdue {
					if b.left < deadline-1e-6 {
						t.Fatalf("an overdue box begins at %v, and the deadline is at %v", b.left, deadline)
					}
				}
				boxes = slices.Concat(boxes, h.boxes, h.overdue)
			}
			for i, b := range boxes {
				area += b.width() * b.height()
				if b.left < 0 || b.top < 0 || b.right > width || b.bottom > height {
					t.Fatalf("%v is off the chart", b)
				}
				for _, other := range boxes[:i] {
					wide := min(b.right, other.right) - max(b.left, other.left)
					high := min(b.bottom, other.bottom) - max(b.top, other.top)
					if wide > 1e-6 && high > 1e-6 {
						t.Fatalf("%v and %v overlap", b, other)
					}
				}
			}
			if want := heldWithin(all, window) / float64(window.length()) / gpus * width * height; math.Abs(area-want) >
				1e-6*want {
				t.Errorf("the bands cover %v, want %v", area, want)
			}
		}
	}
}

func heldWithin(all []spell, window span) float64 {
	sum := 0.0
	for _, s := range all {
		from, to := max(s.from, window.from), min(s.to, window.to)
		sum += max(0, float64(to-from)) * float64(s.gpus)
	}
	return sum
}

func TestSpells(t *testing.T) {
	a, b := &simulator.Training{}, &simulator.Training{}
	changes := []simulator.Change{{At: 0, Job: a, Size: 2}, {At: 5, Job: b, Size: 1}, {At: 5, Job: a, Size: 0},
		{At: 5, Job: a, Size: 4}, {At: 8, Job: a, Size: 2}, {At: 8, Job: a, Size: 0}}
	want := []spell{{a, 0, 5, 2}, {b, 5, 10, 1}, {a, 5, 8, 4}}
	if got := spells(changes, 10); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestLabelsFit(t *testing.T) {
	jobs := []*simulator.Training{training("a-job-with-a-long-name", 0, 1, 1), training("b", 0, 1, 1),
		training("unseen", 0, 1, 1)}
	drawn := []holding{
		{index: 0, boxes: []box{{0, 0, 100, 20}, {0, 0, 900, 5}}}, // the wide one is too thin
		{index: 1, overdue: []box{{0, 0, 14, 20}}},
		{index: 2, boxes: []box{{0, 0, 30, 20}}}, // room for three letters
	}
	var got []string
	for _, label := range labels(drawn, jobs, 1000) {
		got = append(got, label.Text)
	}
	if want := []string{"a-job-with-a-…", "b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBandsAreOfTheirVerdict(t *testing.T) {
	jobs := []*simulator.Training{training("a", 0, 10, 9), training("b", 0, 10, 20), training("c", 0, never, 20)}
	one, two := []box{{0, 0, 1, 1}}, []box{{1, 0, 2, 1}}
	drawn := []holding{{0, one, nil}, {1, one, two}, {2, two, nil}}
	var got []string
	for _, band := range bands(drawn, jobs, span{}) {
		got = append(got, band.Class+" "+band.Path)
	}
	want := []string{"met t0 " + outline(one), "missed t1 " + outline(one), "overdue " + outline(two),
		"effort t2 " + outline(two)}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := newOutlines(drawn, jobs), (outlines{outline(one), outline(two), outline(two)}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestHatchingCoversTheChart(t *testing.T) {
	got := newHatching(10, 6)
	want := hatching{
		Rising:  "M-6 6l6 -6M2 6l6 -6",
		Falling: "M-6 0l6 6M2 0l6 6",
		Level:   "M0 1H10M0 4H10",
	}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
