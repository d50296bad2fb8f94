package page

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/told"
)

// progressed is a job that has told something at a moment.
func progressed(ago time.Duration, done int32) *v1alpha1.ElasticJob {
	job := elasticJob("team-a", "resnet")
	job.UID = "u"
	job.Status.Progress.ObservedAt, job.Status.Progress.PartsPerMillion = at(-ago), done
	return job
}

func TestWhatIsHeardOfProgressIsDrawn(t *testing.T) {
	var h History
	for _, job := range []*v1alpha1.ElasticJob{
		progressed(90*time.Minute, 50_000), progressed(60*time.Minute, 300_000), progressed(60*time.Minute, 310_000),
		progressed(50*time.Minute, 300_000), progressed(40*time.Minute, 200_000), // as after a restart
	} {
		h.hear(job)
	}
	job := progressed(10*time.Second, 420_000)
	h.hear(job)
	want := []point{
		{now.Add(-90 * time.Minute).Unix(), 50_000}, {now.Add(-60 * time.Minute).Unix(), 300_000}, {
			now.Add(-40 * time.Minute).Unix(), 200_000,
		},
	}
	got := h.between("u", job.CreationTimestamp.Time, now.Add(-10*time.Second))
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(point{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if c := draw(told.Job{ElasticJob: job, Now: now}, &h); len(c.Knots) != 5 {
		t.Errorf("what is drawn has %v", c.Knots)
	}
	h.Handler().OnDelete(toolscache.DeletedFinalStateUnknown{Obj: job})
	if c := draw(told.Job{ElasticJob: job, Now: now}, &h); len(c.Knots) != 2 || len(h.lives) != 0 {
		t.Errorf("a job that is gone is remembered: %v", c.Knots)
	}
}

func TestWhatIsRememberedIsBounded(t *testing.T) {
	var h History
	for i := range int32(10_000) {
		h.hear(progressed(100*time.Minute-time.Duration(i)*time.Second/2, i*100))
	}
	if points := h.lives["u"]; len(points) > mostPoints || len(points) < mostPoints/2 {
		t.Errorf("%d points are kept of one job", len(points))
	}
	for i := range mostLives + 10 {
		job := progressed(time.Minute, 1)
		job.UID = types.UID(fmt.Sprint(i))
		h.hear(job)
	}
	if len(h.lives) != mostLives {
		t.Errorf("%d jobs are remembered", len(h.lives))
	}
	before := progressed(0, 1)
	before.Status.Progress.ObservedAt = ""
	h.hear(before)
	h.hear("something else")
}

// A watch that broke may tell of a job and of the one after it of that name as of one.
func TestAJobThatWasMadeAnewIsAnotherLife(t *testing.T) {
	var h History
	first, second := progressed(time.Hour, 500_000), progressed(time.Minute, 10_000)
	second.UID = "v"
	h.Handler().OnAdd(first, true)
	h.Handler().OnUpdate(first, second)
	if _, there := h.lives["u"]; there || len(h.lives["v"]) != 1 {
		t.Errorf("it remembers %v", h.lives)
	}
}
