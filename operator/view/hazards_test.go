package view

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
)

// A restart gives a job any range of sizes, but for one that its command tells to all workers that it will have.
func TestAJobThatIsRestartedForAHazardHasTheSizesThatARestartAllows(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	few := func(s *Subject) { s.Job.Retries = new(int32(2)) }
	leavers := func(s *Subject) { s.Job.EndsByLeaver, s.Known.Leavers.End = true, true }
	for name, test := range map[string]struct {
		hazard         func(*Subject)
		bounded        bool
		floor, ceiling resize.Workers
		mode           resize.Mode
	}{
		"none":                            {func(*Subject) {}, false, 2, 4, resize.Live},
		"too few failures":                {few, false, 0, 0, resize.Cold},
		"too few failures, and a command": {few, true, 2, 4, resize.Cold},
		"leavers have ended others":       {leavers, false, 0, 0, resize.Cold},
		"they have, and a command":        {leavers, true, 2, 4, resize.Cold},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Subject{Kind: known.Kinds()[0], ElasticJob: &v1alpha1.ElasticJob{}, Job: kind.Job{
				UID: "uid", Mode: resize.Live, Size: 2, Floor: 2, Ceiling: 4, Bounded: test.bounded,
			}}
			s.ElasticJob.Spec.Profile = "vision"
			s.Known = memory.New().Of(s.Job.UID, now, func() *learn.Run { return learn.NewRun("uid") })
			s.Known.Leavers.ReadAt = now
			test.hazard(s)
			v := Viewer{Now: func() time.Time { return now }}
			if err := v.lookAtHazards(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if s.Job.Mode != test.mode || s.Job.Floor != test.floor || s.Job.Ceiling != test.ceiling {
				t.Errorf("%s, %d to %d; want %s, %d to %d", s.Job.Mode, s.Job.Floor, s.Job.Ceiling, test.mode, test.floor,
					test.ceiling)
			}
		})
	}
}

// What has failed counts as their controllers count it: in pods that are not over, whether they train or not.
func TestTheFailuresOfAllPodsCount(t *testing.T) {
	failed := func(phase corev1.PodPhase, times int32) *corev1.Pod {
		started := []corev1.ContainerStatus{{RestartCount: times}}
		return &corev1.Pod{Status: corev1.PodStatus{
			Phase: phase, ContainerStatuses: started, InitContainerStatuses: started,
		}}
	}
	s := Subject{
		Pods: []Worker{{0, failed(corev1.PodRunning, 1)}, {1, failed(corev1.PodPending, 10)},
			{2, failed(corev1.PodFailed, 100)}},
		rest: []*corev1.Pod{failed(corev1.PodRunning, 1000)},
	}
	if got := s.failed(); got != 2022 {
		t.Errorf("%d failures, want 2022", got)
	}
}
