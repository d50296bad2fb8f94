package operator

import (
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/view"
)

// Whether a training hangs is not told by who has not looked at it: a process that was held up begins anew.
func TestNobodyIsToldToHangWhileNobodyLooked(t *testing.T) {
	running := []view.Worker{{Index: 0, Pod: worker0(pytorchJob("resnet", 1), "a")}}
	o := stopped(t, interceptor.Funcs{})
	s := &view.Subject{ElasticJob: elasticJob("resnet"), Known: o.memory.Of("1", start, unseen), Pods: running}
	unwatched := memory.Unwatched(o.settings.Progress.Every.Duration, o.settings.Progress.Timeout.Duration,
		o.limits.VerifyWithin)
	watched := func(after time.Duration) time.Duration {
		return o.resizer.WatchedSince(s, start.Add(after)).Sub(start)
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
	s.Pods, s.Taken = running, elasticJob("other")
	is("where the job is another's", watched(3*time.Hour), late)
}
