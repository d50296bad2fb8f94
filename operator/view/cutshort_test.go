package view

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/ending"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

// Those who train until they leave may do the rest of the work meanwhile, as fast as they were seen to train. The time
// before the job was started says nothing of how fast that is.
func TestTheEndOfAJobIsJudgedByThoseWhoTrainUntilTheyLeave(t *testing.T) {
	read := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	start := &v1alpha1.Resize{Spec: v1alpha1.ResizeSpec{To: 4}}
	start.CreationTimestamp.Time = read.Add(-time.Hour)
	for workers, want := range map[resize.Workers]float64{4: 2. / 1000, 3: 0} { // nobody knows how fast three are
		s := &Subject{ElasticJob: &v1alpha1.ElasticJob{}, Past: []*v1alpha1.Resize{start}, Job: kind.Job{
			UID: "uid", CreatedAt: read.Add(-24 * time.Hour), EndedAt: read.Add(3 * time.Second),
			Size: workers, PodsStay: true, Suspended: true, // somebody has stopped it, so that all left
		}}
		s.Known = memory.New().Of(s.Job.UID, read.Add(-time.Hour), func() *learn.Run { return learn.NewRun("uid") })
		four := predictor.Shape{Workers: 4, Nodes: 1}
		for before := 300.; before >= 0; before -= 10 {
			s.Known.Run.Sample(progress.Sample{
				Source: v1alpha1.ProgressLogs, At: read.Add(-time.Duration(before) * time.Second),
				Done: 980 - 2*before, Total: 1000, Unit: "steps",
			}, four)
		}
		seen := s.end()
		if got := seen.Rate; got < want*0.99 || got > want*1.01 {
			t.Errorf("%d workers do %v of the work in a second, want %v", workers, got, want)
		}
		if !seen.Began.Equal(start.CreationTimestamp.Time) {
			t.Errorf("it began at %v", seen.Began)
		}
	}
}

// Who has dated the end of a job may have a clock that is ahead of ours. What was said of an earlier end says nothing.
func TestWhatIsSaidOfTheEndOfAJobHoldsByTwoClocks(t *testing.T) {
	ended := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]ending.Said{
		time.Second: ending.CutShort, 0: ending.CutShort, -2 * time.Second: ending.CutShort, -time.Hour: "",
	} {
		ej := &v1alpha1.ElasticJob{}
		ej.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionFailed, Status: metav1.ConditionTrue,
			Reason: string(resize.JobIsCutShort), LastTransitionTime: metav1.NewTime(ended.Add(after))}}
		s := &Subject{ElasticJob: ej, Job: kind.Job{EndedAt: ended}}
		if said := s.saidOfItsEnd(); said != want {
			t.Errorf("%v after it: %q, want %q", after, said, want)
		}
	}
}
