package view

import (
	"math"
	"testing"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

// What a job may have is worked out of all that says something of it.
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
		"wider than running workers can": {
			elastic, v1alpha1.WorkerRange{Min: number(1), Max: number(16)}, v1alpha1.WorkerStatus{}, 2, 8,
		},
		"above what running workers can": {
			elastic, v1alpha1.WorkerRange{Min: number(9), Max: number(16)}, v1alpha1.WorkerStatus{}, 9, 16,
		},
		"above what the command says": {kind.Job{Least: 2, Most: 8, Floor: 2, Ceiling: 8, Bounded: true},
			v1alpha1.WorkerRange{Min: number(9)}, v1alpha1.WorkerStatus{}, 9, 8},
		"wider, and not running": {
			stopped, v1alpha1.WorkerRange{Min: number(1), Max: number(16)}, v1alpha1.WorkerStatus{}, 1, 16,
		},
		"as many as can be written": {
			stopped, v1alpha1.WorkerRange{Max: number(math.MaxInt32)}, v1alpha1.WorkerStatus{}, 2, math.MaxInt32,
		},
		"fixed, and resized by Takt": {kind.Job{Least: 6, Most: 6, Asked: resize.Ask{Epoch: 2}}, v1alpha1.WorkerRange{},
			v1alpha1.WorkerStatus{Min: 4, Max: 4}, 4, 4},
		"fixed": {fixed, v1alpha1.WorkerRange{}, v1alpha1.WorkerStatus{}, 4, 4},
		"with a master": {
			master, v1alpha1.WorkerRange{Min: number(1), Max: number(4)}, v1alpha1.WorkerStatus{}, 2, 4,
		},
		"named multiples": {
			stopped, v1alpha1.WorkerRange{Sizes: []int32{2, 4, 6}, MultipleOf: number(4)}, v1alpha1.WorkerStatus{}, 4, 4,
		},
		"named, and held": {kind.Job{Least: 2, Most: 8, Size: 3,
			Annotations: map[string]string{"takt.dev/hold": ""}}, v1alpha1.WorkerRange{Sizes: []int32{2, 4}},
			v1alpha1.WorkerStatus{}, 3, 3},
		"a gang": {kind.Job{Least: 1, Most: 8, Size: 4, Together: 3}, v1alpha1.WorkerRange{}, v1alpha1.WorkerStatus{}, 3, 8},
		"a gang that runs with fewer": {kind.Job{Least: 1, Most: 8, Size: 2, Together: 3}, v1alpha1.WorkerRange{},
			v1alpha1.WorkerStatus{}, 1, 8},
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
