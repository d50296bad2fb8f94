package stories

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/operator/zoo"
	"github.com/takt-dev/takt/operator/zoo/habit"
)

// chained has a job start after others.
func (l *loop) chained(name string, after ...string) {
	zoo.Change(l.z.Server, &v1alpha1.ElasticJob{ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: name}},
		func(ej *v1alpha1.ElasticJob) {
			ej.Generation++
			ej.Spec.After = nil
			for _, other := range after {
				ej.Spec.After = append(ej.Spec.After, v1alpha1.Predecessor{Name: other})
			}
		})
}

// elasticJob is how one stands.
func (l *loop) elasticJob(name string) *v1alpha1.ElasticJob {
	l.t.Helper()
	var ej v1alpha1.ElasticJob
	if err := l.z.Server.Get(l.t.Context(), client.ObjectKey{Namespace: zoo.Namespace, Name: name}, &ej); err != nil {
		l.t.Fatal(err)
	}
	return &ej
}

// play lets some time go by.
func (l *loop) play(span time.Duration) {
	l.z.Clock.Run(l.z.Clock.Now().Add(span), func() bool { return false })
}

// Three jobs start one after the other, and the deadline of the last is met: none of them begins before the one before
// it has succeeded, whether the process is killed in between or not, and though the first is gone once it was seen to
// succeed.
func TestStoryAChainMeetsTheDeadlineOfItsLast(t *testing.T) {
	l := newLoop(t)
	l.z.Nodes(1, 8)
	l.begin()
	habits := habit.Animals()[0].Habits
	habits.Hours = 1
	chain := []string{"prepare", "train", "evaluate"}
	trainings := map[string]*zoo.Training{}
	deadline := l.z.Clock.Now().Add(5 * time.Hour)
	for i, name := range chain {
		trainings[name] = l.z.Add(name, habits, 1, 4, 8)
		due := time.Time{}
		if name == "evaluate" {
			due = deadline
		}
		l.take(name, due)
		zoo.Change(l.z.Server, l.elasticJob(name), func(ej *v1alpha1.ElasticJob) {
			if name != "evaluate" {
				ej.Spec.Deadline = ""
			}
			ej.Spec.Expected = v1alpha1.ExpectedRun{
				Duration: v1alpha1.NewDuration(trainings[name].Takes(4)), Workers: new(int32(4)),
			}
		})
		if i > 0 {
			l.chained(name, chain[i-1])
		}
	}
	l.z.Server.Watch(func(before, after client.Object) {
		pod, is := after.(*corev1.Pod)
		if !is || before != nil {
			return
		}
		for i, name := range chain[1:] {
			if strings.HasPrefix(pod.Name, name+"-worker-") && trainings[chain[i]].Ended.IsZero() {
				t.Errorf("%s: %s starts before %s has ended", l.z.Clock.Now().Format("15:04:05"), name, chain[i])
			}
		}
	})
	l.play(20 * time.Minute)
	if last := l.elasticJob("evaluate"); last.Status.Prediction.StartsAt == "" || last.Status.Prediction.ETA == "" ||
		last.Status.Promised != "" {
		t.Errorf("it is told too little, or promised something: %+v", last.Status)
	}
	if first := l.elasticJob("prepare"); !strings.Contains(first.Status.Message,
		"so that evaluate can meet its deadline") {
		t.Errorf("the first is not steered: %s", first.Status.Message)
	}
	l.die(3)
	until := func(name string) {
		l.z.Clock.Run(deadline.Add(time.Hour), func() bool { return !trainings[name].Ended.IsZero() })
	}
	until("prepare")
	l.play(time.Minute)
	if seen := l.elasticJob("train").Status.After; len(seen) != 1 || seen[0].Name != "prepare" ||
		seen[0].SucceededAt == "" {
		t.Errorf("it is not remembered who has succeeded: %+v", seen)
	}
	at := metav1.ObjectMeta{Namespace: zoo.Namespace, Name: "prepare"}
	for _, gone := range []client.Object{&kubeflow.PyTorchJob{ObjectMeta: at}, &v1alpha1.ElasticJob{ObjectMeta: at}} {
		if err := l.z.Server.Delete(t.Context(), gone); err != nil {
			t.Fatal(err)
		}
	}
	l.die(0)
	until("train")
	l.die(0)
	until("evaluate")
	l.play(time.Minute)
	if last := trainings["evaluate"]; last.Ended.IsZero() || last.Ended.After(deadline) {
		t.Errorf("it ends at %s, and its deadline is %s: %s", last.Ended, deadline, l.elasticJob("evaluate").Status.Message)
	}
}

// A job waits for what will not succeed by itself, and is told what to do; it starts once that is put right. One that
// has begun goes on, whatever it is then said to start after.
func TestWhoWaitsInVainIsToldWhatToDo(t *testing.T) {
	l := newLoop(t)
	l.z.Nodes(1, 8)
	l.begin()
	habits := habit.Animals()[0].Habits
	habits.Hours = 2
	due := l.z.Clock.Now().Add(9 * time.Hour)
	add := func(name string, after ...string) *zoo.Training {
		training := l.z.Add(name, habits, 1, 2, 4)
		l.take(name, due)
		if after != nil {
			l.chained(name, after...)
		}
		return training
	}
	says := func(name, sentence, reason string, verdict v1alpha1.Verdict) {
		t.Helper()
		ej := l.elasticJob(name)
		admitted := meta.FindStatusCondition(ej.Status.Conditions, v1alpha1.ConditionAdmitted)
		if !strings.Contains(ej.Status.Message, sentence) || ej.Status.Verdict != verdict || admitted == nil ||
			admitted.Reason != reason {
			t.Errorf("%s is %s (%+v): %q, and is to say %q", name, ej.Status.Verdict, admitted, ej.Status.Message, sentence)
		}
	}
	waits, left, right := add("waits", "nowhere"), add("left", "right"), add("right", "left")
	l.play(2 * time.Minute)
	says("waits", "there is no ElasticJob of that name", "PredecessorMissing", v1alpha1.VerdictAtRisk)
	says("left", "It waits for right, which waits for it: none of them will ever start.", "AfterOthers",
		v1alpha1.VerdictAtRisk)
	for _, training := range []*zoo.Training{waits, left, right} {
		if !l.z.Waits(training) {
			t.Errorf("%+v has started", training.Submitted)
		}
	}
	l.chained("right")
	l.play(2 * time.Minute)
	if l.z.Waits(right) || !l.z.Waits(left) {
		t.Errorf("right waits: %t, and left: %t", l.z.Waits(right), l.z.Waits(left))
	}
	l.chained("right", "nowhere")
	l.play(2 * time.Minute)
	if ej := l.elasticJob("right"); l.z.Waits(right) ||
		!strings.Contains(ej.Status.Message, "It has begun already, so it does not wait for nowhere.") {
		t.Errorf("right waits: %t: %s", l.z.Waits(right), ej.Status.Message)
	}
	add("nowhere")
	l.play(2 * time.Minute)
	if ej := l.elasticJob("waits"); !l.z.Waits(waits) || strings.Contains(ej.Status.Message, "there is no ElasticJob") {
		t.Errorf("it waits: %t: %s", l.z.Waits(waits), ej.Status.Message)
	}
	zoo.Change(l.z.Server, &kubeflow.PyTorchJob{ObjectMeta: metav1.ObjectMeta{Namespace: zoo.Namespace, Name: "nowhere"}},
		func(job *kubeflow.PyTorchJob) {
			job.Status.Conditions = append(job.Status.Conditions, kubeflow.JobCondition{
				Type: kubeflow.JobFailed, Status: corev1.ConditionTrue, Message: "out of memory",
			})
		})
	l.play(2 * time.Minute)
	says("waits", "that has failed: delete that job and submit it anew", "PredecessorFailed", v1alpha1.VerdictAtRisk)
}
