package page

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/told"
)

func TestTheLifeOfAJob(t *testing.T) {
	objects := append(resized("team-a", "resnet", 2, 4, 8, 4), resized("team-b", "resnet", 7)...)
	text := page(t, serve(t, append(objects, elasticJob("team-a", "resnet"))...), "/takt/namespaces/team-a/resnet")
	for _, want := range []string{
		"resnet (PyTorchJob/resnet in namespace team-a, queue research) has 4 workers, of 1 to 8 that it may have, and " +
			"is OnTrack.",
		"The deadline is promised. At worst it will be met with 25m to spare.",
		"in nine of ten cases between 2026-11-21T17:13:00Z and 2026-11-21T17:35:00Z",
		"Its GPUs have cost 12.40 so far, and will have cost 31.00 at its end, as it is planned.",
		"deadline 18:00Z", "expected 17:21Z", "at worst 17:35Z", "now 15:21Z", "came 13:21Z",
		"4 → 8", "Nothing was trained for 36s in all of 4 resizes.", "Admitted", "93% chance to be in time",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q: %s", want, text)
		}
	}
	if strings.Contains(text, "0 → 7") {
		t.Error("it has the resize of a job of the same name elsewhere")
	}
}

// Whatever a job says, what is drawn of it is inside of the chart.
func TestAChartStaysWithinItsFrame(t *testing.T) {
	nothing := func(j *v1alpha1.ElasticJob) { j.Status = v1alpha1.ElasticJobStatus{} }
	fresh := func(j *v1alpha1.ElasticJob) { nothing(j); j.CreationTimestamp = metav1.NewTime(now) }
	odd := func(j *v1alpha1.ElasticJob) {
		j.Status.Workers = v1alpha1.WorkerStatus{Running: -3, Desired: 1 << 30, Max: -1}
		j.Status.Progress.PartsPerMillion = -5
		j.Status.Deadline, j.Status.Prediction.ETA, j.Status.Prediction.Latest = "1900-01-01T00:00:00Z",
			"2999-01-01T00:00:00Z", "soon"
	}
	for name, change := range map[string]func(*v1alpha1.ElasticJob){
		"on track": func(*v1alpha1.ElasticJob) {}, "at risk": atRisk, "waits": waits, "ended": met, "nothing known": nothing,
		"fresh": fresh, "odd": odd,
	} {
		var resizes []v1alpha1.Resize
		for _, r := range resized("team-a", "resnet", 2, 4) {
			resizes = append(resizes, *r.(*v1alpha1.Resize))
		}
		c := draw(told.Job{ElasticJob: elasticJob("team-a", "resnet", change), Resizes: resizes, Now: now}, new(History))
		within := func(what string, x, y float64) {
			if !(x >= 0 && x <= c.Width && y >= c.Above && y <= c.Above+c.Height) {
				t.Errorf("%s: %s is at %g %g", name, what, x, y)
			}
		}
		for _, m := range c.Marks {
			within(m.Text, m.LabelX, m.LabelY)
		}
		for _, k := range c.Knots {
			within("progress", k.X, k.Y)
		}
		for _, x := range append(c.Changes, c.Ahead) {
			within("a resize", x, c.Top)
		}
		for i, a := range c.Marks {
			for _, b := range c.Marks[i+1:] {
				if a.LabelY == b.LabelY && spans(a) < spans(b)+labelWidth && spans(b) < spans(a)+labelWidth {
					t.Errorf("%s: %q and %q touch", name, a.Text, b.Text)
				}
			}
		}
	}
}

// spans is where the name of a mark begins.
func spans(m mark) float64 {
	if m.Anchor == "end" {
		return m.LabelX - labelWidth
	}
	return m.LabelX
}

func TestAnotherDayIsNamed(t *testing.T) {
	if got := clock(now.Add(24*time.Hour), now); got != "Nov 22 15:21Z" {
		t.Errorf("tomorrow is %s", got)
	}
}
