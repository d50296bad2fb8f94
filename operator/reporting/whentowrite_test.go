package reporting

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/wording"
)

func TestSentencesFitIntoAStatus(t *testing.T) {
	long := strings.Repeat("ä", wording.LongestMessage)
	for name, test := range map[string]struct {
		all  []string
		want string
	}{
		"none":                  {nil, ""},
		"one":                   {[]string{"", "It runs.", ""}, "It runs."},
		"two":                   {[]string{"It runs.", "", "It is late."}, "It runs. It is late."},
		"one for which no room": {[]string{"It runs.", long, "It is late."}, "It runs. It is late."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := wording.Sentences(test.all...); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
	if got := wording.Sentences(long); len(got) > wording.LongestMessage || !utf8.ValidString(got) ||
		!strings.HasSuffix(got, "ä…") {
		t.Errorf("%d bytes that end with %q", len(got), got[len(got)-9:])
	}
}

func TestSpansAreWrittenAsPeopleDo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		39 * time.Minute: "39m", -65 * time.Minute: "-1h5m", 0: "0s", -time.Second: "-1s", -time.Millisecond: "0s",
		math.MaxInt64: "106751d23h", math.MinInt64: "-106751d23h",
	} {
		if got := wording.Span(d); got != want || len(got) > 16 {
			t.Errorf("span(%d) is %s, want %s", d, got, want)
		}
	}
}

// A speed near zero makes an end that no calendar has.
func TestMomentsThatNoCalendarHas(t *testing.T) {
	for _, s := range []elastic.Seconds{1e300, -1e300, elastic.Seconds(math.Inf(1))} {
		if far := coretime.Time(s).Sub(present).Abs(); far < 200*365*24*time.Hour {
			t.Errorf("moment(%g) is %v", s, coretime.Time(s))
		}
	}
	if got := coretime.Time(coretime.Seconds(present)); !got.Equal(present) {
		t.Errorf("%v comes back as %v", present, got)
	}
}

// A status is written at once when something has happened, and now and then when only figures move.
func TestWhenAStatusIsWorthAWrite(t *testing.T) {
	old := v1alpha1.ElasticJobStatus{
		Verdict: v1alpha1.VerdictOnTrack, Message: "It will be met with 40m to spare.",
		Progress:   v1alpha1.ProgressStatus{PartsPerMillion: 1000, ObservedAt: v1alpha1.NewTime(present)},
		Prediction: v1alpha1.PredictionStatus{ETA: v1alpha1.NewTime(present.Add(time.Hour))},
		Conditions: []metav1.Condition{{Type: v1alpha1.ConditionResizing, Status: metav1.ConditionFalse}},
	}
	for name, test := range map[string]struct {
		change  func(*v1alpha1.ElasticJobStatus)
		written time.Duration // ago
		wait    time.Duration
		due     bool
	}{
		"nothing": {func(*v1alpha1.ElasticJobStatus) {}, time.Hour, 0, false},
		"only read once more": {func(s *v1alpha1.ElasticJobStatus) {
			s.Progress.ObservedAt = v1alpha1.NewTime(
				present.Add(time.Minute))
		}, time.Hour, 0, false},
		"a verdict": {
			func(s *v1alpha1.ElasticJobStatus) { s.Verdict = v1alpha1.VerdictAtRisk }, 0, 0, true,
		},
		"a figure in words": {
			func(s *v1alpha1.ElasticJobStatus) { s.Message = "It will be met with 39m to spare." }, 20 * time.Minute,
			40 * time.Minute, false,
		},
		"a figure in words that has stood for long": {
			func(s *v1alpha1.ElasticJobStatus) { s.Message = "It will be met with 39m to spare." }, time.Hour, 0, true,
		},
		"other words": {
			func(s *v1alpha1.ElasticJobStatus) { s.Message = "It will be met." }, time.Hour, 0, true,
		},
		"progress, just written": {
			func(s *v1alpha1.ElasticJobStatus) { s.Progress.PartsPerMillion++ }, 5 * time.Second, 10 * time.Second, false,
		},
		"progress, a while ago": {
			func(s *v1alpha1.ElasticJobStatus) { s.Progress.PartsPerMillion++ }, 15 * time.Second, 0, true,
		},
		"an end that hardly moves": {func(s *v1alpha1.ElasticJobStatus) {
			s.Prediction.ETA = v1alpha1.NewTime(
				present.Add(61 * time.Minute))
		}, time.Hour, 0, false},
		"an end that moves": {func(s *v1alpha1.ElasticJobStatus) {
			s.Prediction.ETA = v1alpha1.NewTime(
				present.Add(90 * time.Minute))
		}, time.Hour, 0, true},
		"an end that nobody can tell": {func(s *v1alpha1.ElasticJobStatus) { s.Prediction.ETA = "" }, time.Hour, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			status := *old.DeepCopy()
			test.change(&status)
			if wait, due := whenToWrite(&old, &status, present, present.Add(-test.written), 15*time.Second,
				false); wait != test.wait || due != test.due {
				t.Errorf("wait %v, due %v; want %v, %v", wait, due, test.wait, test.due)
			}
		})
	}
	resizing := *old.DeepCopy()
	resizing.Conditions[0].Status = metav1.ConditionTrue
	onward := *resizing.DeepCopy()
	onward.Progress.PartsPerMillion++
	if wait, due := whenToWrite(&resizing, &onward, present, present.Add(-15*time.Second), 15*time.Second, false); due ||
		wait != 225*time.Second {
		t.Errorf("while it is resized: wait %v, due %v", wait, due)
	}
	onward.Message = "Its progress cannot be read."
	if _, due := whenToWrite(&resizing, &onward, present, present.Add(-15*time.Second), 15*time.Second, false); !due {
		t.Error("other words wait until it is resized")
	}
}

// A message that is about another worker is another, and so is what the condition Running says of it.
func TestWhoAMessageIsAboutIsNoFigure(t *testing.T) {
	said := func(worker, waits string) *v1alpha1.ElasticJobStatus {
		says := "Worker resnet-worker-" + worker + " cannot run, for " + waits + "."
		return &v1alpha1.ElasticJobStatus{Verdict: v1alpha1.VerdictAtRisk, Message: says, Conditions: []metav1.Condition{
			{Type: v1alpha1.ConditionRunning, Status: metav1.ConditionTrue, Reason: "WorkersCannotRun", Message: says},
		}}
	}
	if wait, due := whenToWrite(said("3", "5m"), said("1", "5m"), present, present, 15*time.Second, true); !due {
		t.Errorf("that another worker cannot run is written after %v", wait)
	}
	if _, due := whenToWrite(said("3", "5m"), said("3", "6m"), present, present, 15*time.Second, true); due {
		t.Error("that a minute has passed is written")
	}
	without := func(worker string) *v1alpha1.ElasticJobStatus {
		st := said(worker, "5m")
		st.Conditions = nil
		return st
	}
	if wait, due := whenToWrite(without("3"), without("1"), present, present, 15*time.Second, true); due ||
		wait != 15*time.Second {
		t.Errorf("a message about another worker is written: %t, after %v", due, wait)
	}
}

// A job that stands still ends later with every minute, which is nothing that anybody is to be told each time.
func TestAJobThatStandsStillIsNotWrittenAboutForItsEnd(t *testing.T) {
	at := func(end time.Duration) *v1alpha1.ElasticJobStatus {
		return &v1alpha1.ElasticJobStatus{
			Verdict: v1alpha1.VerdictAtRisk, Prediction: v1alpha1.PredictionStatus{ETA: v1alpha1.NewTime(present.Add(end))},
		}
	}
	for stands, want := range map[bool]bool{true: false, false: true} {
		if _, due := whenToWrite(at(time.Hour), at(2*time.Hour), present, present.Add(-time.Hour), 15*time.Second,
			stands); due != want {
			t.Errorf("it stands still: %t, and a later end is worth a write: %t", stands, due)
		}
	}
	late := at(2 * time.Hour)
	late.Verdict = v1alpha1.VerdictInfeasible
	if _, due := whenToWrite(at(time.Hour), late, present, present.Add(-time.Hour), 15*time.Second, true); !due {
		t.Error("another verdict is not written")
	}
}

// What is written on a job often changes by a figure alone, as where one time without a zone takes the place of
// another.
func TestOtherFiguresOnTheJobAreWrittenAtOnce(t *testing.T) {
	said := func(note string) *v1alpha1.ElasticJobStatus {
		return &v1alpha1.ElasticJobStatus{
			Verdict: v1alpha1.VerdictOnTrack, Message: "It will be met with 40m to spare. " + OnTheJob + note,
		}
	}
	for name, notes := range map[string][2]string{
		"misspelt": {`takt.dev/deadline is "2026-11-25 18:00": a time needs a zone.`,
			`takt.dev/deadline is "18:00": a time needs a zone.`},
		"overruled": {
			"takt.dev/workers (8) is overruled by spec.workers.max.", "takt.dev/workers (7) is overruled by spec.workers.max.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, stands := range []bool{true, false} {
				if wait, due := whenToWrite(said(notes[0]), said(notes[1]), present, present, 15*time.Second, stands); !due ||
					wait != 0 {
					t.Errorf("where the job stands still (%t), it is written: %t, after %v", stands, due, wait)
				}
			}
			if _, due := whenToWrite(said(notes[0]), said(notes[0]), present, present.Add(-time.Hour), 15*time.Second,
				false); due {
				t.Error("the same is written again")
			}
		})
	}
}

// present is the moment that all tests begin at.
var present = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
