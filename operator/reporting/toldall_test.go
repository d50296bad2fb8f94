package reporting_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/progress"
)

// A script that has warmed up for five epochs, and begins twenty others half an hour later, is not about to end all the
// while: it has told all of its work, and still runs. Nobody knows until when, so that no end is told.
func TestAJobThatHasToldAllAndStillRuns(t *testing.T) {
	for name, c := range map[string]struct {
		killEvery int
		due       time.Duration
		verdict   v1alpha1.Verdict // after half an hour
	}{
		"the deadline is far away":  {0, 7 * time.Hour, v1alpha1.VerdictOnTrack},
		"operators that are killed": {7, 7 * time.Hour, v1alpha1.VerdictOnTrack},
		"the deadline may pass":     {0, time.Hour, v1alpha1.VerdictAtRisk},
		"there is no deadline":      {0, 0, v1alpha1.VerdictBestEffort},
	} {
		t.Run(name, func(t *testing.T) {
			w := fixture.Watch(t, func(seconds float64) (progress.Sample, error) {
				if seconds < 2100 {
					return progress.Sample{Done: math.Min(5, math.Floor(seconds/60)), Total: 5, Unit: "epochs"}, nil
				}
				return progress.Sample{Done: math.Floor((seconds - 2040) / 60), Total: 20, Unit: "epochs"}, nil
			}, func(ej *v1alpha1.ElasticJob) {
				if ej.Spec.Deadline = ""; c.due > 0 {
					ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(c.due))
				}
			})
			is := func(minutes float64, ends bool, verdict v1alpha1.Verdict) {
				t.Helper()
				w.Minutes(minutes, c.killEvery)
				st := fixture.Get(t, w.Rooms, w.Job, &v1alpha1.ElasticJob{}).Status
				says := strings.Contains(st.Message, "has told all of its work, at 12:05 UTC, and still runs")
				spare := strings.Contains(st.Message, "to spare")
				if (st.Prediction.ETA != "") != ends || says == ends || st.Verdict != verdict ||
					!ends && (spare || st.Summary.Slack != "" || st.Prediction.Latest != "") {
					t.Errorf("%s: %s, slack %q, ETA %q: %s", w.At.Format("15:04"), st.Verdict, st.Summary.Slack, st.Prediction.ETA,
						st.Message)
				}
			}
			good := v1alpha1.VerdictOnTrack
			if c.due == 0 {
				good = v1alpha1.VerdictBestEffort
			}
			is(5, true, good)
			is(3, false, good)
			is(25, false, c.verdict)
			is(5, true, good)
		})
	}
}
