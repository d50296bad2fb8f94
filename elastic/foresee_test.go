package elastic

import (
	"math"
	"testing"
)

// A job that waits is told when it starts, as far as that can be foreseen.
func TestWhenAJobThatWaitsStarts(t *testing.T) {
	two := []Size{{Workers: 2, Speed: 1}}
	runs := func(name string, left Work) Job {
		return Job{Name: name, Queue: "one", Left: left, Sizes: two, Workers: 2}
	}
	waits := func(name, queue string, submitted Seconds) Job {
		return Job{Name: name, Queue: queue, Left: 100, Sizes: two, Submitted: submitted}
	}
	keeps := func(j Job) Job {
		j.Uninterruptible = true
		return j
	}
	due := func(j Job, at Seconds) Job {
		j.Deadline = &at
		return j
	}
	limit := GPUs(2)
	never := Seconds(math.NaN())
	silent := func(j Job) Job {
		j.UnknownWork = true
		return j
	}
	a, b, x, y := runs("a", 300), runs("b", 200), waits("x", "one", 1), waits("y", "one", 2)
	elsewhere := b
	elsewhere.Queue = "two"
	for name, test := range map[string]struct {
		queues []Queue
		jobs   []Job
		want   map[string]Seconds
	}{
		"the first that ends makes room": {nil, []Job{a, b, x}, map[string]Seconds{"x": 200, "a": never}},
		"one after the other": {nil, []Job{a, b, y, x, waits("z", "one", 3), waits("last", "one", 4)},
			map[string]Seconds{"x": 200, "y": 300, "z": 300, "last": 400}},
		"nobody knows when the others end": {nil, []Job{silent(a), silent(b), x}, map[string]Seconds{"x": never}},
		"behind one of which nobody knows when it ends": {nil, []Job{a, b, silent(waits("w", "one", 0)), x, y},
			map[string]Seconds{"w": 200, "x": 300, "y": 400}},
		"its queue is full": {[]Queue{{Name: "two", Limit: &limit}}, []Job{a, elsewhere, waits("full", "two", 0), x, y},
			map[string]Seconds{"full": 200, "x": 300, "y": 300}},
		"as it is planned": {nil, []Job{keeps(a), keeps(b), due(x, 450)}, map[string]Seconds{"x": 200}},
		"behind one that is planned": {nil, []Job{keeps(a), keeps(b), due(x, 310), y},
			map[string]Seconds{"x": 200, "y": 300}},
	} {
		t.Run(name, func(t *testing.T) {
			s := Snapshot{Nodes: []Node{{GPUs: 4}}, Queues: test.queues, Jobs: test.jobs}
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			for _, o := range Plan(s).Jobs {
				want, asked := test.want[o.Name]
				switch got := o.Starts; {
				case !asked:
				case math.IsNaN(float64(want)) != (got == nil):
					t.Errorf("%s starts at %v, want %v: %+v", o.Name, got, want, o)
				case got != nil && math.Abs(float64(*got-want)) > 1:
					t.Errorf("%s starts at %v, want %v: %+v", o.Name, *got, want, o)
				}
			}
		})
	}
}
