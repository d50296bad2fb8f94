package policies

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/simulator"
)

func TestLeastShare(t *testing.T) {
	rungs := ladder{{1, 1}, {2, 2}, {4, 3}}
	tests := map[string]struct {
		narrow   simulator.Seconds // when only two of the four GPUs are left
		slot     simulator.Seconds
		work     simulator.Iterations
		deadline simulator.Seconds
		want     share
		wantAt   []simulator.Seconds
		wantFree []int
	}{
		"the lowest rung late": {
			narrow: 50, work: 40, deadline: 100, want: share{0, 50, 90},
			wantAt: []simulator.Seconds{0, 50, 90, 100}, wantFree: []int{4, 1, 2, 2},
		},
		"a rung late and the one below it early": {
			narrow: 10, work: 150, deadline: 100, want: share{1, 10, 80},
			wantAt: []simulator.Seconds{0, 10, 80, 100}, wantFree: []int{3, 0, 2, 2},
		},
		"no more than is free": {
			narrow: 50, work: 210, deadline: 100, want: share{4, 50, 80},
			wantAt: []simulator.Seconds{0, 50, 80, 100}, wantFree: []int{0, 0, 2, 2},
		},
		"whole slots": {
			narrow: 50, slot: 60, work: 40, deadline: 100, want: share{0, 50, 90},
			wantAt: []simulator.Seconds{0, 50, 120}, wantFree: []int{4, 1, 2},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := &profile{at: []simulator.Seconds{0, test.narrow}, free: []int{4, 2}, slot: test.slot}
			got, ok := p.least(rungs, test.work, test.deadline)
			if !ok {
				t.Fatal("there is no share")
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(share{})); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.wantAt, p.at); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.wantFree, p.free); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNoLeastShare(t *testing.T) {
	p := newProfile(0, 4, 0)
	for _, deadline := range []simulator.Seconds{-1, 0, 33} {
		if _, ok := p.least(ladder{{1, 1}, {2, 2}, {4, 3}}, 100, deadline); ok {
			t.Errorf("there is a share that ends at %g", deadline)
		}
	}
}

func TestSlotsDoNotPutOffDeadlines(t *testing.T) {
	p := newProfile(0, 1, 60)
	if _, ok := p.least(ladder{{1, 1}, {2, 2}}, 50, 33); ok {
		t.Error("the work would only be done at the end of the slot")
	}
}

func TestOverheadOfJobsThatMove(t *testing.T) {
	large, small := &simulator.Training{Size: 2, Want: 2}, &simulator.Training{Size: 1, Want: 1}
	var o overhead
	for i, event := range []struct {
		jobs []*simulator.Training
		want simulator.Seconds // for the small one
	}{
		{[]*simulator.Training{small, large}, 4},
		{[]*simulator.Training{small, large}, 2},
		{[]*simulator.Training{small}, 4}, // it moves to where the large one was
		{[]*simulator.Training{small}, 2},
	} {
		o.count(simulator.State{GPUs: 4, Jobs: event.jobs})
		if got := o.Price(small, false); got != event.want {
			t.Errorf("event %d: %g s, want %g", i, got, event.want)
		}
	}
}

func TestOverhead(t *testing.T) {
	job := &simulator.Training{Size: 4, Want: 4}
	tests := map[string]struct {
		gpus   int
		events int
		want   []simulator.Seconds // of the first events
	}{
		"a small cluster": {gpus: 64, want: []simulator.Seconds{8, 2, 2}},
		"a large cluster": {gpus: 256, want: []simulator.Seconds{13, 7, 7}},
		"a restart":       {gpus: 64, events: 58, want: []simulator.Seconds{8, 29, 2}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := overhead{events: test.events}
			for i, want := range test.want {
				o.count(simulator.State{GPUs: test.gpus, Jobs: []*simulator.Training{job}})
				if got := o.Price(job, false); got != want {
					t.Errorf("event %d: %g s, want %g", i, got, want)
				}
				o.idle()
				if got := o.Price(job, false); got != 0 {
					t.Errorf("within the slot: %g s, want none", got)
				}
			}
		})
	}
}
