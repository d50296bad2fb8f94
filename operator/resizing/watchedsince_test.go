package resizing

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/view"
)

// Whether a training hangs is not told by who has not looked at it: a process that was held up begins anew.
func TestNobodyIsToldToHangWhileNobodyLooked(t *testing.T) {
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	running := []view.Worker{{Pod: &corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodRunning}}}}
	s := &view.Subject{ElasticJob: &v1alpha1.ElasticJob{}, Pods: running,
		Known: memory.New().Of("1", start, func() *learn.Run { return learn.NewRun("run") })}
	z := &Resizer{Settings: settings.Default(), Limits: settings.Default().Limits()}
	unwatched := memory.Unwatched(z.Settings.Progress.Every.Duration, z.Settings.Progress.Timeout.Duration,
		z.Limits.VerifyWithin)
	watched := func(after time.Duration) time.Duration {
		return z.watchedSince(s, start.Add(after)).Sub(start)
	}
	look := func(after time.Duration) { s.Known.Looked(start.Add(after), unwatched, true) }
	is := func(what string, got, want time.Duration) {
		t.Helper()
		if got != want {
			t.Errorf("%s it has watched from %v on, want %v", what, got, want)
		}
	}
	is("before the first look", watched(time.Hour), 0)
	late := unwatched + time.Second
	look(0)
	is("while looks come in time", watched(unwatched), 0)
	is("when none has come", watched(late), late)
	look(late)
	is("once it looks again", watched(late+time.Second), late)
	s.Known.Saw(start.Add(late), unwatched)
	s.Known.Saw(start.Add(late+unwatched), unwatched)
	is("while somebody answers", watched(late+time.Second), late)
	answered := late + 3*unwatched
	s.Known.Saw(start.Add(answered), unwatched)
	is("once somebody answers again", watched(late+time.Second), answered)
	late = answered
	look(late)
	s.Known.NothingToSee()
	is("while there is nothing to see", watched(time.Hour), late)
	look(2 * time.Hour)
	is("when there is again", watched(2*time.Hour), late)
	s.Pods = nil
	is("where nobody trains", watched(3*time.Hour), late)
	s.Pods, s.Taken = running, &v1alpha1.ElasticJob{}
	is("where the job is another's", watched(3*time.Hour), late)
}
