package learn

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/predictor"
)

var dawn = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func at(seconds int) time.Time { return dawn.Add(time.Duration(seconds) * time.Second) }

func size(workers int) predictor.Shape {
	return predictor.Shape{Workers: predictor.Workers(workers), Nodes: 1, GPU: "A100"}
}

func steps(seconds int, done float64) progress.Sample {
	return progress.Sample{Source: v1alpha1.ProgressAgent, At: at(seconds), Done: done, Total: 1000, Unit: "steps"}
}

// shows are readings every ten seconds of a counter that stands still.
func shows(done float64, from, to int) (all []progress.Sample) {
	for ; from <= to; from += 10 {
		all = append(all, steps(from, done))
	}
	return all
}

// tell is one thing that a run is told.
type tell func(r *Run)

func reads(workers int, samples ...progress.Sample) tell {
	return func(r *Run) {
		for _, s := range samples {
			r.Sample(s, size(workers))
		}
	}
}

func changes(seconds int) tell { return func(r *Run) { r.Changed(at(seconds)) } }

func fails(seconds int, why string) tell {
	return func(r *Run) { r.Failed(errors.New(why), at(seconds)) }
}

func times(seconds int) tell { return func(r *Run) { r.Failed(progress.ErrTimeout, at(seconds)) } }
func lies(seconds int) tell  { return func(r *Run) { r.Failed(progress.ErrLie, at(seconds)) } }

func TestHowFarAndHowHealthy(t *testing.T) {
	steady := reads(2, steps(0, 100), steps(10, 110), steps(20, 120), steps(30, 130))
	other := func(s progress.Sample, change func(*progress.Sample)) progress.Sample {
		change(&s)
		return s
	}
	jumpedTo := func(share string) string {
		return "The progress jumped from 13 % to " + share +
			" at 10:00 UTC. Such a reading counts only if the next one bears it out; if it keeps jumping, see what the " +
			"job reports."
	}
	tests := map[string]struct {
		told         []tell
		now          int
		want         Health
		wantSentence string
		wantDone     float64 // -1: not known
	}{
		"nothing": {nil, 0, Unread, "No progress was read yet.", -1},
		"no source": {[]tell{fails(0, "pod resnet-worker-0 has no agent")}, 5, Unread,
			"No progress was read yet: pod resnet-worker-0 has no agent.", -1},
		"no source for long": {[]tell{fails(0, "pod resnet-worker-0 has no agent"), fails(400, "it has none")}, 405,
			Unreadable, "No progress can be read: it has none.", -1},
		"no source, which is too late once": {[]tell{fails(0, "it has none"), fails(400, "it has none"), times(520)}, 525,
			Unreadable, "No progress can be read: it has none.", -1},
		"no source, which is too late each time": {[]tell{fails(0, "it has none"), times(400), times(520)}, 525,
			Unreadable, "No progress can be read: the progress was not told in time. Or say how long it takes, such as " +
				`takt.dev/expected: "6h at 4 workers".`, -1},
		"told to be wrong": {[]tell{steady, lies(40), lies(50)}, 55, Invalid,
			"The progress cannot be read any more: the progress cannot be true.", 0.13},
		"wrong once":  {[]tell{steady, lies(40)}, 45, Good, "", 0.13},
		"steady":      {[]tell{steady}, 35, Good, "", 0.13},
		"one failure": {[]tell{steady, times(40)}, 45, Good, "", 0.13},
		"fails for long": {[]tell{steady, times(40), times(400)}, 400, Unreadable,
			"No progress was read since 10:00 UTC: the progress was not told in time.", 0.13},
		"answers again": {[]tell{steady, times(40), reads(2, steps(50, 150))}, 1000, Stale,
			"The last reading of its progress is 15m old.", 0.15},
		"old": {[]tell{steady}, 331, Stale, "The last reading of its progress is 5m old.", 0.13},
		"rare": {
			[]tell{reads(2, steps(0, 0), steps(400, 100), steps(800, 200), steps(1200, 300))}, 1700, Good, "", 0.3,
		},
		"dated ahead": {[]tell{steady}, -300, Clock,
			"The last reading of its progress is dated 5m ahead: the clock of the job's node, or Takt's, is wrong.", 0.13},
		"complete is done": {[]tell{reads(2, steps(0, 980), steps(10, 990), steps(20, 1000))}, 4000, Good, "", 1},
		"stands still": {[]tell{steady, reads(2, steps(60, 130), steps(100, 130), steps(140, 130))}, 140, Stalled,
			"The progress has stood still since 10:00 UTC.", 0.13},
		"stands still since yesterday": {[]tell{steady, reads(2, steps(60, 130), steps(100, 130), steps(140, 130))},
			140 + 24*3600, Stale,
			"The last reading of its progress is 24h old.", 0.13},
		"compiles after a change": {[]tell{steady, changes(32), reads(4, line(60, 30, 18, 130, 0)...)}, 570, Good, "", 0.013},
		"stands still after a change": {[]tell{steady, changes(32), reads(4, line(60, 30, 21, 130, 0)...)}, 665, Stalled,
			"The training has not advanced since its workers changed at 10:00 UTC.", 0.013},
		"evaluates for as long as it has trained": {
			[]tell{reads(2, line(0, 10, 61, 0, 1)...), reads(2, line(610, 10, 50, 600, 0)...)}, 1105, Good, "", 0.06,
		},
		"stands still for longer than it has trained": {[]tell{reads(2, line(0, 10, 61, 0, 1)...),
			reads(2, line(610, 10, 60, 600, 0)...)}, 1205, Stalled,
			"The progress has stood still since 10:10 UTC.", 0.06},
		"said nothing new while it was asked": {
			[]tell{reads(2, line(0, 5, 121, 0, 1)...), reads(2, line(600, 5, 1, 600, 1)...)}, 1150, Good, "", 0.06,
		},
		"was not asked": {
			[]tell{reads(2, line(0, 5, 121, 0, 1)...)}, 1150, Stale, "The last reading of its progress is 9m old.", 0.06,
		},
		"writes once an hour": {[]tell{reads(2, line(0, 10, 360, 0, 0)...), reads(2, line(3600, 10, 360, 600, 0)...),
			reads(2, line(7200, 10, 360, 1200, 0)...)},
			10795, Good, "", 0.12},
		"never writes": {[]tell{reads(2, line(0, 10, 8000, 0, 0)...)}, 79995, Good, "", 0},
		"goes on": {
			[]tell{steady, reads(2, steps(60, 130), steps(100, 130), steps(140, 130), steps(150, 140))}, 150, Good, "", 0.14,
		},
		"went back": {[]tell{steady, reads(2, steps(40, 90))}, 40, WentBack,
			"The progress went back from 13 % to 9 % at 10:00 UTC, as after a restart.", 0.09},
		"began again in place": {[]tell{steady, reads(2, steps(60, 0))}, 60, WentBack,
			"The training began again at 10:01 UTC, and does not tell yet from where it goes on.", 0.13},
		"began again in place, and loads": {
			[]tell{steady, reads(2, shows(0, 60, 90)...)}, 90, WentBack,
			"The training began again at 10:01 UTC, and does not tell yet from where it goes on.", 0.13,
		},
		"began again in place, and went on": {
			[]tell{steady, reads(2, steps(60, 0), steps(61, 120), steps(70, 130))}, 70, Good, "", 0.13,
		},
		"began again in place, and lost something": {[]tell{steady, reads(2, steps(60, 0), steps(70, 90))}, 70, WentBack,
			"The progress went back from 13 % to 9 % at 10:01 UTC, as after a restart.", 0.09},
		"began again in place, and lost all": {[]tell{steady, reads(2, shows(0, 60, 750)...)}, 750, Stalled,
			"The progress has stood still since 10:01 UTC.", 0},
		"went back and on": {
			[]tell{steady, reads(2, steps(40, 90), steps(50, 100), steps(60, 110))}, 60, Good, "", 0.11,
		},
		"went back, resized": {
			[]tell{steady, changes(35), reads(4, steps(60, 110), steps(70, 130))}, 70, Good, "", 0.13,
		},
		"starts at the bottom": {[]tell{steady, changes(35), reads(4, steps(60, 0))}, 60, Good, "", 0.13},
		"and loads its state":  {[]tell{steady, changes(35), reads(4, steps(60, 0), steps(61, 120))}, 60, Good, "", 0.12},
		"jumped":               {[]tell{steady, reads(2, steps(40, 1000))}, 40, Jumped, jumpedTo("100 %"), 0.13},
		"jumped, and stays": {
			[]tell{steady, reads(2, steps(40, 990), steps(50, 990))}, 50, Jumped, jumpedTo("99 %"), 0.99,
		},
		"a glitch": {
			[]tell{steady, reads(2, steps(40, 1000), steps(50, 150))}, 50, Jumped, jumpedTo("100 %"), 0.15,
		},
		"nobody read for a moment": {[]tell{reads(2, line(0, 1, 60, 0, 1)...), reads(2, steps(80, 80))}, 80, Good, "", 0.08},
		"nobody read for long": {
			[]tell{steady, reads(2, steps(7230, 700))}, 7230, Gap, "Its progress was not read for 2h until 12:00 UTC.", 0.7,
		},
		"no number": {[]tell{steady, reads(2, steps(40, math.NaN()))}, 40, Invalid,
			"The source Agent says that NaN of 1000 steps are done, which cannot be.", 0.13},
		"below zero": {[]tell{reads(2, steps(40, -1))}, 40, Invalid,
			"The source Agent says that -1 of 1000 steps are done, which cannot be.", -1},
		"beyond the whole": {[]tell{steady, reads(2, steps(40, 1200))}, 40, Invalid,
			"The source Agent says that 1200 of 1000 steps are done: correct the total, in spec.progress.total or where the " +
				"job reports it.", 0.13},
		"no number, then one": {[]tell{steady, reads(2, steps(40, math.Inf(1)), steps(50, 150))}, 50, Good, "", 0.15},
		"no time": {[]tell{reads(2, progress.Sample{Source: v1alpha1.ProgressLogs, Done: 1, Total: 2})}, 0, Invalid,
			"The source Logs does not say when its reading was made.", -1},
		"no total": {[]tell{reads(2, progress.Sample{Source: v1alpha1.ProgressLogs, At: at(0), Done: 5, Unit: "steps"})},
			0, NoTotal,
			"The source Logs does not say how much there is to do: set spec.progress.total.", -1},
		"a total at last": {[]tell{reads(2, progress.Sample{Source: v1alpha1.ProgressAgent, At: at(0), Done: 5,
			Unit: "steps"}, steps(10, 100))}, 10, Good, "", 0.1},
		"the same again": {[]tell{steady, reads(2, steps(30, 130), steps(30, 130))}, 35, Good, "", 0.13},
		"out of order": {
			[]tell{steady, reads(2, steps(10, 110), steps(20, 120), steps(30, 130), steps(0, 100))}, 35, Good, "", 0.13,
		},
		"the clock was set back": {[]tell{steady, reads(2, steps(-3600, 140), steps(-3590, 150), steps(-3580, 160))},
			-3580, Clock,
			"The clock that dates the readings was set back: there was one of 10:00 UTC already.", 0.16},
		"and trains on": {[]tell{steady, reads(2, steps(-3600, 140), steps(-3590, 150), steps(-3580, 160), steps(-3570, 170),
			steps(-3560, 180))}, -3560, Good, "", 0.18},
		"more to do": {
			[]tell{steady, reads(2, other(steps(40, 140), func(s *progress.Sample) { s.Total = 2000 }))}, 40, Good, "", 0.07,
		},
		"other steps": {
			[]tell{steady, reads(2, other(steps(40, 70), func(s *progress.Sample) { s.Total = 500 }))}, 40, Good, "", 0.14,
		},
		"another source": {[]tell{steady, reads(2, progress.Sample{
			Source: v1alpha1.ProgressAnnotation, At: at(40), Done: 0.14, Total: 1, Unit: progress.Share,
		})},
			40, Good, "", 0.14},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			for _, tell := range tt.told {
				tell(r)
			}
			v := r.View(at(tt.now), 5*time.Minute)
			if v.Health != tt.want || v.Sentence != tt.wantSentence {
				t.Errorf("got %s: %s\nwant %s: %s", v.Health, v.Sentence, tt.want, tt.wantSentence)
			}
			if v.Known != (tt.wantDone >= 0) || v.Known && math.Abs(v.Done-tt.wantDone) > 1e-9 {
				t.Errorf("done is %g, known %t; want %g", v.Done, v.Known, tt.wantDone)
			}
		})
	}
}

func TestAdvances(t *testing.T) {
	saved := func(s progress.Sample, seconds int) progress.Sample {
		s.SavedAt = at(seconds)
		return s
	}
	steady := reads(2, steps(0, 100), steps(10, 110), steps(20, 120), saved(steps(30, 130), 25))
	tests := map[string]struct {
		told []tell
		want resize.Progress
	}{
		"nothing": {nil, resize.Progress{}},
		"a first start": {[]tell{changes(0), reads(2, steps(20, 0), steps(30, 10), steps(40, 20))},
			resize.Progress{Reported: true, ResumedAt: at(30), Advances: 2, AdvancedAt: at(40)}},
		"a reading is no advance": {[]tell{changes(0), reads(2, steps(20, 500))}, resize.Progress{Reported: true}},
		"stopped": {
			[]tell{steady, changes(32)}, resize.Progress{Reported: true, StoppedAt: at(30), SavedAt: at(25)},
		},
		"resumed where it was": {[]tell{steady, changes(32), reads(4, steps(40, 130), steps(50, 150), steps(60, 170))},
			resize.Progress{
				Reported: true, StoppedAt: at(30), ResumedAt: at(50), Advances: 2, AdvancedAt: at(60), SavedAt: at(25),
			}},
		"resumed further back": {[]tell{steady, changes(32), reads(4, steps(40, 120), steps(50, 125), steps(60, 145))},
			resize.Progress{Reported: true, StoppedAt: at(30), ResumedAt: at(50), Advances: 2, AdvancedAt: at(60),
				SavedAt: at(25), Redoes: 10 * time.Second}},
		"loads its state": {[]tell{steady, changes(32), reads(4, steps(40, 0), steps(41, 120), steps(50, 130))},
			resize.Progress{Reported: true, StoppedAt: at(30), ResumedAt: at(50), Advances: 1, AdvancedAt: at(50),
				SavedAt: at(25), Redoes: 10 * time.Second}},
		"shows its start, and loads its state": {
			[]tell{steady, changes(32), reads(4, steps(40, 0), steps(55, 120), steps(60, 130))},
			resize.Progress{Reported: true, StoppedAt: at(30), ResumedAt: at(60), Advances: 1, AdvancedAt: at(60),
				SavedAt: at(25), Redoes: 10 * time.Second},
		},
		"shows its start, and trains again from there": {
			[]tell{steady, changes(32), reads(4, steps(40, 0), steps(95, 120), steps(100, 130))},
			resize.Progress{Reported: true, StoppedAt: at(30), ResumedAt: at(95), Advances: 2, AdvancedAt: at(100),
				SavedAt: at(25), Redoes: 130 * time.Second},
		},
		"told just before its next report": {
			[]tell{reads(2, line(0, 100, 5, 0, 1)...), changes(495), reads(4, steps(500, 500))},
			resize.Progress{Reported: true, StoppedAt: at(400), ResumedAt: at(500), Advances: 1, AdvancedAt: at(500)},
		},
		"delivered again": {[]tell{
			steady, changes(32), reads(4, steps(40, 140), steps(40, 140), steps(40, 140), steps(30, 130), steps(40, 140)),
		},
			resize.Progress{
				Reported: true, StoppedAt: at(30), ResumedAt: at(40), Advances: 1, AdvancedAt: at(40), SavedAt: at(25),
			}},
		"out of order": {[]tell{steady, changes(32), reads(4, steps(50, 150), steps(40, 140), steps(60, 160))},
			resize.Progress{
				Reported: true, StoppedAt: at(30), ResumedAt: at(50), Advances: 2, AdvancedAt: at(60), SavedAt: at(25),
			}},
		"read before, told after": {[]tell{steady, changes(38), reads(4, steps(37, 137), steps(47, 147))},
			resize.Progress{
				Reported: true, StoppedAt: at(30), ResumedAt: at(47), Advances: 1, AdvancedAt: at(47), SavedAt: at(25),
			}},
		"told late": {[]tell{steady, changes(15)},
			resize.Progress{Reported: true, StoppedAt: at(10), ResumedAt: at(20), Advances: 2, AdvancedAt: at(30)}},
		"told twice": {[]tell{steady, changes(32), reads(4, steps(40, 140)), changes(32)},
			resize.Progress{
				Reported: true, StoppedAt: at(30), ResumedAt: at(40), Advances: 1, AdvancedAt: at(40), SavedAt: at(25),
			}},
		"in two parts": {[]tell{steady, changes(32), changes(34), reads(4, steps(40, 140))},
			resize.Progress{
				Reported: true, StoppedAt: at(30), ResumedAt: at(40), Advances: 1, AdvancedAt: at(40), SavedAt: at(25),
			}},
		"trained on before it noticed": {[]tell{
			steady, changes(32), reads(4, steps(40, 140), steps(65, 145), steps(75, 165)),
		},
			resize.Progress{
				Reported: true, StoppedAt: at(40), ResumedAt: at(65), Advances: 2, AdvancedAt: at(75), SavedAt: at(25),
			}},
		"found running, trained on before it noticed": {[]tell{
			changes(-1), steady, changes(32), reads(4, steps(40, 140), steps(65, 145), steps(75, 165)),
		}, resize.Progress{
			Reported: true, StoppedAt: at(40), ResumedAt: at(65), Advances: 2, AdvancedAt: at(75), SavedAt: at(25),
		}},
		"once hesitated, trained on before it noticed": {[]tell{
			steady, reads(2, steps(80, 140), steps(90, 150)), changes(92),
			reads(4, steps(100, 160), steps(117, 165), steps(127, 185)),
		}, resize.Progress{
			Reported: true, StoppedAt: at(100), ResumedAt: at(117), Advances: 2, AdvancedAt: at(127), SavedAt: at(25),
		}},
		"advances late, having resumed": {[]tell{
			steady, changes(32), reads(4, steps(60, 140), steps(85, 160), steps(95, 180)),
		},
			resize.Progress{
				Reported: true, StoppedAt: at(30), ResumedAt: at(60), Advances: 3, AdvancedAt: at(95), SavedAt: at(25),
			}},
		"is not quite regular": {[]tell{steady, changes(32), reads(4, steps(40, 140), steps(55, 160), steps(65, 180))},
			resize.Progress{
				Reported: true, StoppedAt: at(30), ResumedAt: at(40), Advances: 3, AdvancedAt: at(65), SavedAt: at(25),
			}},
		"saved late, told later": {[]tell{steady, changes(32), reads(4, saved(steps(40, 130), 31))},
			resize.Progress{Reported: true, StoppedAt: at(30), SavedAt: at(31)}},
		"saved since": {[]tell{steady, changes(32), reads(4, saved(steps(40, 130), 39))},
			resize.Progress{Reported: true, StoppedAt: at(30), SavedAt: at(25)}},
		"twice as many workers, twice as fast": {[]tell{steady, changes(32), reads(64, steps(40, 400), steps(50, 700))},
			resize.Progress{
				Reported: true, StoppedAt: at(30), ResumedAt: at(40), Advances: 2, AdvancedAt: at(50), SavedAt: at(25),
			}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := NewRun("resnet-1")
			for _, tell := range tt.told {
				tell(r)
			}
			got := r.Progress()
			got.Cadence, got.Alone, got.Silent, got.Quiet = 0, 0, 0, 0 // they have tests
			got.BeganAt, got.TrainsSince = time.Time{}, time.Time{}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// How often a training advances is known across a change of its workers, right after which it has not yet.
func TestCadenceIsKnownAcrossAChange(t *testing.T) {
	r := NewRun("resnet-1")
	expect := func(when string, want time.Duration) {
		t.Helper()
		if got := r.Progress().Cadence; got != want {
			t.Errorf("%s: the cadence is %v, want %v", when, got, want)
		}
	}
	expect("at first", 0)
	for i := range 4 {
		r.Sample(steps(600*i, float64(100*i)), size(2))
	}
	expect("after four readings", 10*time.Minute)
	r.Changed(at(1900))
	expect("after a change", 10*time.Minute)
	r.Changed(at(1905))
	expect("after the second part of it", 10*time.Minute)
}

// How long a training was silent at most is known across a change of its workers, and to the next process; half as much
// counts after each further change.
func TestTheLongestSilenceIsKnownAcrossAChange(t *testing.T) {
	r := NewRun("resnet-1")
	expect := func(when string, want time.Duration) {
		t.Helper()
		if got := r.Progress().Silent; got != want {
			t.Errorf("%s: the longest silence is %v, want %v", when, got, want)
		}
	}
	for _, second := range []int{0, 10, 20, 30, 330, 340} {
		r.Sample(steps(second, float64(second)), size(2))
	}
	expect("before any change", 0)
	r.Changed(at(350))
	expect("after a change", 5*time.Minute)
	r.Changed(at(355))
	expect("after the second part of it", 5*time.Minute)
	for _, second := range []int{370, 380, 390} {
		r.Sample(steps(second, float64(second)), size(4))
	}
	r.Changed(at(590))
	expect("after a change in a silence", 200*time.Second)
	r, err := Recalled("resnet-1", r.Keep())
	if err != nil {
		t.Fatal(err)
	}
	expect("in the next process", 200*time.Second)
}

func TestCheckpoints(t *testing.T) {
	saves := func(r *Run, times ...int) {
		for _, seconds := range times {
			s := steps(seconds+1, float64(seconds))
			s.SavedAt = at(seconds)
			r.Sample(s, size(2))
		}
	}
	r := NewRun("resnet-1")
	saves(r, 60, 120)
	if got := r.Checkpoint(); !got.CompletedAt.Equal(at(120)) || !got.ExpectedAt.IsZero() {
		t.Errorf("after one interval: got %+v, want none expected yet", got)
	}
	saves(r, 181)
	if got := r.Checkpoint(); !got.CompletedAt.Equal(at(181)) || got.ExpectedAt.Sub(at(241)).Abs() > time.Second {
		t.Errorf("after two intervals: got %+v, want one expected at %v", got, at(241))
	}
	r.Changed(at(200))
	saves(r, 215, 230)
	if got := r.Checkpoint(); !got.ExpectedAt.IsZero() {
		t.Errorf("after a change of size: got %+v, want none expected yet", got)
	}
	saves(r, 245)
	if got := r.Checkpoint(); !got.ExpectedAt.Equal(at(260)) {
		t.Errorf("at the new size: got %+v, want one expected at %v", got, at(260))
	}
}

// An address that is cut off leads nowhere, and two full stops are one too many.
func TestErrorsEndASentence(t *testing.T) {
	url := "http://10.0.0.1:9090/" + strings.Repeat("x", 40)
	for text, want := range map[string]string{
		"it has none":  "it has none.",
		"it has none.": "it has none.",
		"is it there?": "is it there?",
		`cannot read it: Get "https://10.0.0.1:10250/logs/x?follow=1&tail=5": ` +
			"dial tcp: refused": "cannot read it: dial tcp: refused.",
		"it redirects to " + url:                                "it redirects to " + url + ".",
		strings.Repeat("again ", 46) + "to " + url + url + url:  strings.Repeat("again ", 46) + "to …",
		"Get " + strings.Repeat("again ", 46) + url + " failed": "Get " + strings.Repeat("again ", 46) + "…",
	} {
		want = strings.ReplaceAll(want, " …", "…")
		if got := sentence(errors.New(text)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
