package recording

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/capacity"
)

func TestARecordTellsWhatTheJobWaitedFor(t *testing.T) {
	s := ended("train")
	s.ElasticJob.Name = "mine"
	s.ElasticJob.Spec.After = []v1alpha1.Predecessor{{Name: "prepare"}, {Name: "fetch"}}
	s.ElasticJob.Spec.Priority = new(int32(7))
	r := recordOf(s, capacity.Options{})
	if diff := cmp.Diff([]string{"prepare", "fetch"}, r.After); diff != "" || r.ElasticJob != "mine" || r.Priority != 7 {
		t.Errorf("it is %+v", r)
	}
	s.ElasticJob.Name = "train"
	if r := recordOf(s, capacity.Options{}); r.ElasticJob != "" {
		t.Errorf("what is called as the job is called %q", r.ElasticJob)
	}
}

// The oldest records of a job go while it trains. What these resizes took is counted all the same.
func TestARecordCountsResizesThatAreNoLongerOnRecord(t *testing.T) {
	took := func(pause, lost v1alpha1.Duration) *v1alpha1.Resize {
		r := &v1alpha1.Resize{}
		r.Status.Cost = v1alpha1.ResizeCost{Pause: pause, Lost: lost}
		return r
	}
	s := ended("train")
	s.Known.Remove(took("9s", "1m"))
	s.Known.Remove(took("1s", ""))
	s.Past = []*v1alpha1.Resize{took("5s", "2m")}
	if r := recordOf(s, capacity.Options{}); r.Resizes != 3 || r.Paused != 15 || r.Lost != 180 {
		t.Errorf("%d resizes took %gs, and lost %gs", r.Resizes, r.Paused, r.Lost)
	}
}

// The API server says when a job was submitted, and its controller when it has ended.
func TestARecordEndsAfterItBegan(t *testing.T) {
	s := ended("train")
	s.Job.CreatedAt = s.Job.EndedAt.Add(time.Second)
	if r := recordOf(s, capacity.Options{}); r.Ended.Before(r.Submitted) {
		t.Errorf("submitted at %s, ended at %s", r.Submitted, r.Ended)
	}
}
