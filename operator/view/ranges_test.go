package view

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

func TestAGreatRangeIsThinned(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		least := resize.Workers(1 + random.IntN(1<<random.IntN(31)))
		most := least + resize.Workers(random.IntN(1<<random.IntN(31)))
		present := resize.Workers(random.IntN(int(most) + 10))
		sizes := thinned(least, most, present)
		switch {
		case sizes[0] != least || sizes[len(sizes)-1] != most:
			t.Fatalf("thinned(%d, %d, %d) go from %d to %d", least, most, present, sizes[0], sizes[len(sizes)-1])
		case !slices.IsSorted(sizes) || len(slices.Compact(slices.Clone(sizes))) != len(sizes):
			t.Fatalf("thinned(%d, %d, %d) do not go up: %v", least, most, present, sizes)
		case slices.Contains(sizes, present) != (present >= least && present <= most):
			t.Fatalf("thinned(%d, %d, %d) and the present size: %v", least, most, present, sizes)
		case len(sizes) > 250:
			t.Fatalf("thinned(%d, %d, %d) are %d", least, most, present, len(sizes))
		case most-least < 16 && most <= 16 && len(sizes) != int(most-least)+1:
			t.Fatalf("thinned(%d, %d, %d) leave some out of a small range: %v", least, most, present, sizes)
		}
	}
}

func TestSizesThatAJobMayHave(t *testing.T) {
	fixed := kind.Job{Least: 4, Most: 4}
	elastic := kind.Job{Least: 2, Most: 8, Floor: 2, Ceiling: 8}
	stopped := kind.Job{Least: 2, Most: 8, Suspended: true}
	master := kind.Job{Least: 3, Most: 3, Fixed: 1}
	number := func(n int32) *int32 { return &n }
	for name, test := range map[string]struct {
		job         kind.Job
		asked       v1alpha1.WorkerRange
		was         v1alpha1.WorkerStatus
		least, most resize.Workers // none if least is above most
	}{
		"as the job says": {elastic, v1alpha1.WorkerRange{}, v1alpha1.WorkerStatus{}, 2, 8},
		"narrower": {
			elastic, v1alpha1.WorkerRange{Min: number(3), Max: number(4)}, v1alpha1.WorkerStatus{}, 3, 4,
		},
		"wider than running workers can": {
			elastic, v1alpha1.WorkerRange{Min: number(1), Max: number(16)}, v1alpha1.WorkerStatus{}, 2, 8,
		},
		"above what running workers can": {
			elastic, v1alpha1.WorkerRange{Min: number(9), Max: number(16)}, v1alpha1.WorkerStatus{}, 9, 16,
		},
		"below what running workers can": {elastic, v1alpha1.WorkerRange{Max: number(1)}, v1alpha1.WorkerStatus{}, 1, 1},
		"above what the command says": {kind.Job{Least: 2, Most: 8, Floor: 2, Ceiling: 8, Bounded: true},
			v1alpha1.WorkerRange{Min: number(9)}, v1alpha1.WorkerStatus{}, 9, 8},
		"wider, and not running": {
			stopped, v1alpha1.WorkerRange{Min: number(1), Max: number(16)}, v1alpha1.WorkerStatus{}, 1, 16,
		},
		"only at most":  {stopped, v1alpha1.WorkerRange{Max: number(1)}, v1alpha1.WorkerStatus{}, 1, 1},
		"only at least": {stopped, v1alpha1.WorkerRange{Min: number(9)}, v1alpha1.WorkerStatus{}, 9, 9},
		"none at least": {stopped, v1alpha1.WorkerRange{Min: number(0)}, v1alpha1.WorkerStatus{}, 1, 8},
		"as many as can be written": {
			stopped, v1alpha1.WorkerRange{Max: number(math.MaxInt32)}, v1alpha1.WorkerStatus{}, 2, math.MaxInt32,
		},
		"fixed, and resized by Takt": {kind.Job{Least: 6, Most: 6, Asked: resize.Ask{Epoch: 2}}, v1alpha1.WorkerRange{},
			v1alpha1.WorkerStatus{Min: 4, Max: 4}, 4, 4},
		"fixed": {fixed, v1alpha1.WorkerRange{}, v1alpha1.WorkerStatus{}, 4, 4},
		"with a master": {
			master, v1alpha1.WorkerRange{Min: number(1), Max: number(4)}, v1alpha1.WorkerStatus{}, 2, 4,
		},
		"those that are named": {
			stopped, v1alpha1.WorkerRange{Sizes: []int32{1, 2, 4, 16}}, v1alpha1.WorkerStatus{}, 1, 16,
		},
		"named, of which workers can some": {
			elastic, v1alpha1.WorkerRange{Sizes: []int32{1, 4, 16}}, v1alpha1.WorkerStatus{}, 4, 4,
		},
		"named, of which workers can none": {
			elastic, v1alpha1.WorkerRange{Sizes: []int32{1, 16}}, v1alpha1.WorkerStatus{}, 1, 16,
		},
		"named, within bounds": {stopped,
			v1alpha1.WorkerRange{Sizes: []int32{8, 1, 2, 4}, Min: number(2), Max: number(5)}, v1alpha1.WorkerStatus{}, 2, 4},
		"multiples": {
			stopped, v1alpha1.WorkerRange{MultipleOf: number(3)}, v1alpha1.WorkerStatus{}, 3, 6,
		},
		"multiples of more than it can have": {
			stopped, v1alpha1.WorkerRange{MultipleOf: number(9)}, v1alpha1.WorkerStatus{}, 9, 8,
		},
		"multiples up to the greatest": {stopped,
			v1alpha1.WorkerRange{MultipleOf: number(math.MaxInt32), Max: number(math.MaxInt32)}, v1alpha1.WorkerStatus{},
			math.MaxInt32, math.MaxInt32},
		"named multiples": {
			stopped, v1alpha1.WorkerRange{Sizes: []int32{2, 4, 6}, MultipleOf: number(4)}, v1alpha1.WorkerStatus{}, 4, 4,
		},
		"named, and held": {kind.Job{Least: 2, Most: 8, Size: 3,
			Annotations: map[string]string{"takt.dev/hold": ""}}, v1alpha1.WorkerRange{Sizes: []int32{2, 4}},
			v1alpha1.WorkerStatus{}, 3, 3},
		"a gang": {kind.Job{Least: 1, Most: 8, Size: 4, Together: 3}, v1alpha1.WorkerRange{}, v1alpha1.WorkerStatus{}, 3, 8},
		"a gang, and named sizes": {kind.Job{Least: 4, Most: 4, Size: 4, Together: 3},
			v1alpha1.WorkerRange{Sizes: []int32{1, 2, 4}}, v1alpha1.WorkerStatus{}, 4, 4},
		"a gang of more than it may have": {kind.Job{Least: 4, Most: 4, Size: 4, Together: 4},
			v1alpha1.WorkerRange{Min: number(1), Max: number(2)}, v1alpha1.WorkerStatus{}, 2, 2},
		"a gang that runs with fewer": {kind.Job{Least: 1, Most: 8, Size: 2, Together: 3}, v1alpha1.WorkerRange{},
			v1alpha1.WorkerStatus{}, 1, 8},
		"with a master and room for no one": {master, v1alpha1.WorkerRange{Max: number(1)}, v1alpha1.WorkerStatus{}, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Subject{Job: test.job, ElasticJob: &v1alpha1.ElasticJob{
				Spec: v1alpha1.ElasticJobSpec{Workers: test.asked}, Status: v1alpha1.ElasticJobStatus{Workers: test.was},
			}}
			if least, most := s.Sizes(); least != test.least || most != test.most {
				t.Errorf("%d to %d, want %d to %d", least, most, test.least, test.most)
			}
		})
	}
}

func TestCandidatesAreSizesThatAJobMayHave(t *testing.T) {
	for name, test := range map[string]struct {
		asked                v1alpha1.WorkerRange
		size                 resize.Workers
		least, most, present resize.Workers
		want                 []resize.Workers
	}{
		"all": {v1alpha1.WorkerRange{}, 2, 1, 4, 2, []resize.Workers{1, 2, 3, 4}},
		"named": {
			v1alpha1.WorkerRange{Sizes: []int32{8, 1, 4, 4}}, 1, 1, 8, 1, []resize.Workers{1, 4, 8},
		},
		"named, and it runs with another": {
			v1alpha1.WorkerRange{Sizes: []int32{2, 4}}, 3, 2, 4, 3, []resize.Workers{2, 3, 4},
		},
		"named, and it has run with another": {
			v1alpha1.WorkerRange{Sizes: []int32{2, 4}}, 3, 2, 4, 0, []resize.Workers{2, 4},
		},
		"named, with little room": {v1alpha1.WorkerRange{Sizes: []int32{2, 4}}, 0, 2, 3, 0, []resize.Workers{2}},
		"named, with no room":     {v1alpha1.WorkerRange{Sizes: []int32{8, 16}}, 0, 8, 8, 0, []resize.Workers{8}},
		"multiples": {
			v1alpha1.WorkerRange{MultipleOf: new(int32(8))}, 8, 8, 31, 8, []resize.Workers{8, 16, 24},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Subject{Job: kind.Job{Least: 1, Most: 64, Size: test.size},
				ElasticJob: &v1alpha1.ElasticJob{Spec: v1alpha1.ElasticJobSpec{Workers: test.asked}}}
			if got := s.Candidates(test.least, test.most, test.present); !slices.Equal(got, test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
