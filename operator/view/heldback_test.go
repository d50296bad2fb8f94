package view

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/memory"
)

// Pods have failed: none is made for a while, and the first that is made shows that the while is over.
func TestUntilWhenAControllerHoldsPodsBack(t *testing.T) {
	failed := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	pods := func(made ...time.Time) (all []Worker) {
		for i, at := range made {
			all = append(all, Worker{resize.Index(i), &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
				CreationTimestamp: metav1.NewTime(at)}}})
		}
		return all
	}
	before := failed.Add(-time.Hour)
	for name, c := range map[string]struct {
		holds time.Duration
		pods  []Worker
		want  time.Time
	}{
		"it holds none back":  {0, pods(before), time.Time{}},
		"none is made yet":    {80 * time.Second, pods(before), failed.Add(80 * time.Second)},
		"none is missing":     {80 * time.Second, pods(before, before), time.Time{}},
		"all are gone":        {80 * time.Second, nil, failed.Add(80 * time.Second)},
		"one was made sooner": {80 * time.Second, pods(before, failed.Add(time.Minute)), failed.Add(time.Minute)},
		"one was made later":  {80 * time.Second, pods(failed.Add(2 * time.Minute)), failed.Add(80 * time.Second)},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Subject{Job: kind.Job{Size: 2, Failures: 4, HoldsBack: c.holds}, Pods: c.pods, Known: &memory.Job{}}
			s.Known.LastFailed(0, s.complete, before)
			s.seeFailures(failed)
			if got := s.HeldBack(); !got.Equal(c.want) {
				t.Errorf("until %s, want %s", got, c.want)
			}
		})
	}
}
