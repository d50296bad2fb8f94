package stories

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// The judge of the zoo sees what must not be: here nobody looks after a training, and what Takt would do is forged.
func TestTheJudgeOfTheZooSeesHarm(t *testing.T) {
	resized := func(l *loop, job string, from, to int32) {
		r := &v1alpha1.Resize{
			ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: fmt.Sprintf("%s-%d-%d", job, from, to)},
			Spec:       v1alpha1.ResizeSpec{ElasticJob: job, From: from, To: to, Mode: v1alpha1.ResizeLive},
		}
		if err := l.z.Server.Create(l.t.Context(), r); err != nil {
			l.t.Fatal(err)
		}
	}
	said := func(l *loop, say func(*v1alpha1.ElasticJobStatus)) {
		ej := &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: "job"}}
		zoo.Change(l.z.Server, ej, func(ej *v1alpha1.ElasticJob) { say(&ej.Status) })
	}
	promised := func(l *loop, job string) {
		ej := &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: job}}
		zoo.Change(l.z.Server, ej, func(ej *v1alpha1.ElasticJob) {
			ej.Status.Conditions = []metav1.Condition{{
				Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue, Reason: view.ReasonPromised,
			}}
		})
	}
	in := func(l *loop, wait time.Duration) v1alpha1.Time { return v1alpha1.NewTime(l.z.Clock.Now().Add(wait)) }
	onTrack := func(figure string) func(*loop) {
		return func(l *loop) {
			said(l, func(s *v1alpha1.ElasticJobStatus) {
				s.Verdict, s.Deadline, s.Message = v1alpha1.VerdictOnTrack, in(l, 2*time.Hour),
					"At worst it will be met with "+figure+" to spare."
				s.Prediction.ETA, s.Prediction.Latest, s.Summary.Slack = in(l, time.Hour), in(l, 75*time.Minute), "1h"
			})
		}
	}
	for name, test := range map[string]struct {
		forge func(*loop)
		harm  string // empty for none
		flaps int
		new   bool // nothing is known of it
	}{
		"nothing": {func(*loop) {}, "", 0, false},
		"a worker is deleted that its job is to have": {func(l *loop) {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: "job-worker-1"}}
			if err := l.z.Server.Delete(l.t.Context(), pod); err != nil {
				l.t.Fatal(err)
			}
		}, "worker 1 of 4 was deleted", 0, false},
		"it gives to nobody": {func(l *loop) { resized(l, "job", 4, 2) }, "nobody has taken", 0, false},
		"it gives to another, and nobody needs that": {func(l *loop) {
			resized(l, "job", 4, 2)
			l.z.Clock.In(2*time.Minute, func() { resized(l, "other", 0, 2) })
		}, "nothing is known of it, and nobody needs its GPUs: 4→2", 0, true},
		"it is stopped, and nobody needs that": {func(l *loop) { resized(l, "job", 4, 0) },
			"nothing is known of it, and nobody needs its GPUs: 4→0", 0, true},
		"it is stopped beside one that has time": {func(l *loop) {
			l.joins(time.Minute, 30*time.Hour)
			l.z.Clock.In(time.Minute, func() { resized(l, "job", 4, 0) })
		}, "nothing is known of it, and nobody needs its GPUs: 4→0", 0, true},
		"it is stopped for one that is promised": {func(l *loop) {
			l.joins(time.Minute, 30*time.Hour)
			promised(l, "other")
			l.z.Clock.In(time.Minute, func() { resized(l, "job", 4, 0) })
		}, "", 0, true},
		"it is stopped for one that would be late": {func(l *loop) {
			l.joins(time.Minute, 10*time.Minute)
			l.z.Clock.In(time.Minute, func() { resized(l, "job", 4, 0) })
		}, "", 0, true},
		"it is stopped for one that waits": {func(l *loop) {
			l.joins(0, 30*time.Hour)
			resized(l, "job", 4, 0)
		}, "", 0, true},
		"it gives to another": {func(l *loop) {
			resized(l, "job", 4, 2)
			l.z.Clock.In(2*time.Minute, func() { resized(l, "other", 0, 2) })
		}, "", 0, false},
		"a growth is given back": {func(l *loop) {
			resized(l, "job", 4, 8)
			l.z.Clock.In(7*time.Minute, func() {
				resized(l, "job", 8, 4)
				resized(l, "other", 2, 6)
			})
		}, "", 1, false},
		"a growth is given back to one that has come": {func(l *loop) {
			resized(l, "job", 4, 8)
			l.z.Clock.In(7*time.Minute, func() {
				l.take("other", l.z.Clock.Now().Add(time.Hour))
				resized(l, "job", 8, 4)
				resized(l, "other", 0, 4)
			})
		}, "", 0, false},
		"it stays undecided": {func(l *loop) {
			said(l, func(s *v1alpha1.ElasticJobStatus) { s.Verdict, s.Message = v1alpha1.VerdictEstimating, "Who knows?" })
		}, "undecided for 15m0s while GPUs are free: Who knows?", 0, false},
		"it is called met": {func(l *loop) {
			said(l,
				func(s *v1alpha1.ElasticJobStatus) { s.Verdict = v1alpha1.VerdictMet })
		}, "it is called met", 0, false},
		"the sentence is right": {onTrack("45m"), "", 0, false},
		"it is short of almost nothing": {func(l *loop) {
			said(l, func(s *v1alpha1.ElasticJobStatus) {
				s.Verdict, s.Deadline = v1alpha1.VerdictAtRisk, in(l, time.Hour)
				s.Message = "It is expected to miss its deadline by less than a second."
				s.Prediction.ETA, s.Summary.Slack = s.Deadline, "0s"
			})
		}, "", 0, false},
		"the sentence is of the slack": {onTrack("1h"), "by its columns it is 45m0s", 0, false},
		"the column is of the worst": {func(l *loop) {
			said(l, func(s *v1alpha1.ElasticJobStatus) {
				s.Verdict, s.Deadline, s.Message = v1alpha1.VerdictAtRisk, in(l, 2*time.Hour), "It cannot train at present."
				s.Prediction.ETA, s.Summary.Slack = in(l, time.Hour), "45m"
			})
		}, "SLACK is 45m, and by the ETA 1h0m0s", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLoop(t)
			l.forged = true
			l.z.Nodes(2, 8)
			habits := habit.Animals()[0].Habits
			habits.Ran = time.Minute // it was started by others
			training := l.z.Add("job", habits, 1, 4, most)
			l.z.Clock.Run(l.z.Clock.Now().Add(5*time.Minute), training.Over)
			deadline := l.z.Clock.Now().Add(5 * time.Hour)
			j := l.judge("job", "forged", training, deadline, false)
			l.take("job", deadline)
			if !test.new {
				said(l, func(s *v1alpha1.ElasticJobStatus) { s.Prediction.ETA = in(l, 4*time.Hour) })
			}
			l.z.Clock.In(time.Minute, func() { test.forge(l) })
			l.z.Clock.Run(l.z.Clock.Now().Add(30*time.Minute), training.Over)
			switch {
			case test.harm == "" && len(j.harm) > 0, test.harm != "" &&
				(len(j.harm) != 1 || !strings.Contains(j.harm[0], test.harm)):
				t.Errorf("the judge sees %q, want %q", j.harm, test.harm)
			}
			if j.flaps != test.flaps || test.flaps > 0 && j.gaveBack < 5*time.Minute {
				t.Errorf("%d growths were given back, and %s were lost for nothing", j.flaps, j.gaveBack)
			}
		})
	}
}

// joins adds another training, which was started so long ago or waits, and is due within some time.
func (l *loop) joins(ran, within time.Duration) {
	habits := habit.Animals()[0].Habits
	habits.Ran = ran
	deadline := l.z.Clock.Now().Add(within)
	l.judge("other", "another", l.z.Add("other", habits, 1, 4, most), deadline, false)
	l.take("other", deadline)
}
