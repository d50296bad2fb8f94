package reading

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/settings"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/predictor"
)

// Thousands of jobs that tell nothing are not asked all the time; one that is resized is.
func TestAQuietJobIsLookedAtMoreRarely(t *testing.T) {
	start, unseen := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), func() *learn.Run { return learn.NewRun("run") }
	now, known := start, memory.New()
	r := &Reader{Settings: settings.Default(), Now: func() time.Time { return now }}
	s := &view.Subject{ElasticJob: &v1alpha1.ElasticJob{}, Known: known.Of("1", start, unseen)}
	for quiet, want := range map[time.Duration][2]time.Duration{ // the second for one that tells by an annotation
		time.Minute:      {10 * time.Second, 20 * time.Second},
		10 * time.Minute: {30 * time.Second, 200 * time.Second},
		time.Hour:        {3 * time.Minute, 5 * time.Minute},
		10 * time.Hour:   {5 * time.Minute, 5 * time.Minute},
	} {
		now = start.Add(quiet)
		for i, source := range []v1alpha1.ProgressSource{v1alpha1.ProgressLogs, v1alpha1.ProgressAnnotation} {
			s.Known = known.Of(types.UID(source), start, unseen)
			for _, at := range []time.Time{start, now} { // the second reading finds what the first has found
				s.Known.Run.Sample(progress.Sample{Done: 1, Total: 10, Unit: "steps", At: at, Source: source}, predictor.Shape{
					Workers: 1, Nodes: 1,
				})
			}
			if got := r.pace(s); got != want[i] {
				t.Errorf("it has told nothing for %s, and is looked at again in %s; want %s", quiet, got, want[i])
			}
		}
		s.Past = []*v1alpha1.Resize{{}}
		if got := r.pace(s); got != 10*time.Second {
			t.Errorf("it is resized, and looked at again in %s", got)
		}
		s.Past = nil
	}
	now = start.Add(10 * time.Hour)
	s.Known.Run.Team("resumed", time.Time{}, now.Add(-time.Minute))
	if got := r.pace(s); got != 20*time.Second {
		t.Errorf("its workers began a minute ago, and it is looked at again in %s", got)
	}
	now = now.Add(10 * time.Hour)
	r.Settings.Usage.IdleFor.Duration = 2 * time.Minute
	if got := r.pace(s); got != time.Minute {
		t.Errorf("whether it idles is to be seen within two minutes, and it is looked at again in %s", got)
	}
}
