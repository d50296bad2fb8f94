package planning_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/fixture"
)

// What a job does not say itself it has from its queue.
func TestAQueueGivesItsJobsItsClassOfService(t *testing.T) {
	const says = "Its deadline is the one that queue default gives its jobs."
	promised := v1alpha1.ServiceClass{Guarantee: v1alpha1.GuaranteePromise, DeadlineAfter: "24h"}
	for name, test := range map[string]struct {
		class v1alpha1.ServiceClass
		own   v1alpha1.ElasticJobSpec
		after time.Duration // 0 is no deadline
		only  bool          // starts with a promise only
		says  bool
	}{
		"nothing is said":    {},
		"by the queue alone": {promised, v1alpha1.ElasticJobSpec{}, 24 * time.Hour, true, true},
		"a deadline of its own": {
			promised, v1alpha1.ElasticJobSpec{DeadlineAfter: "48h"}, 48 * time.Hour, true, false,
		},
		"a moment of its own": {promised,
			v1alpha1.ElasticJobSpec{Deadline: v1alpha1.NewTime(fixture.Start.Add(30 * time.Hour))}, 30 * time.Hour, true, false},
		"a guarantee of its own": {
			promised, v1alpha1.ElasticJobSpec{Guarantee: v1alpha1.GuaranteeBestEffort}, 24 * time.Hour, false, true,
		},
		"no deadline to be guaranteed": {
			v1alpha1.ServiceClass{Guarantee: v1alpha1.GuaranteePromise}, v1alpha1.ElasticJobSpec{}, 0, true, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			queue := &v1alpha1.TrainingQueue{
				ObjectMeta: metav1.ObjectMeta{Name: "default"}, Spec: v1alpha1.TrainingQueueSpec{Jobs: test.class},
			}
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.CreationTimestamp = metav1.NewTime(fixture.Start)
				ej.Spec.Guarantee, ej.Spec.Deadline, ej.Spec.DeadlineAfter = test.own.Guarantee, test.own.Deadline,
					test.own.DeadlineAfter
			})
			o := fixture.Stopped(t, interceptor.Funcs{}, queue, ej, fixture.PyTorchJob("resnet", 4), fixture.Node("n", "8"))
			sc, err := o.Planner.Observe(t.Context())
			if err != nil || len(sc.Subjects) != 1 {
				t.Fatal(len(sc.Subjects), err)
			}
			job := sc.Snapshot.Jobs[0]
			if job.OnlyPromised != test.only {
				t.Errorf("it starts with a promise only: %t", job.OnlyPromised)
			}
			switch want := coretime.Seconds(fixture.Start.Add(test.after)); {
			case test.after == 0 && job.Deadline != nil:
				t.Errorf("its deadline is %v", *job.Deadline)
			case test.after > 0 && (job.Deadline == nil || *job.Deadline != want):
				t.Errorf("its deadline is %v, want %v", job.Deadline, want)
			}
			status, _ := o.Reporter.StatusOf(sc.Subjects[0], nil)
			if strings.Contains(status.Message, says) != test.says {
				t.Errorf("it is said %q", status.Message)
			}
		})
	}
}

// A promise stands whatever becomes of the queue that has given the deadline, and so does what was said of the end.
func TestAPromiseOutlivesTheClassOfItsQueue(t *testing.T) {
	given := v1alpha1.NewTime(fixture.Start.Add(24 * time.Hour))
	for name, test := range map[string]struct {
		status v1alpha1.ElasticJobStatus
		class  v1alpha1.ServiceClass // by now
		own    v1alpha1.Duration
		want   time.Duration // 0 is no deadline
	}{
		"promised": {v1alpha1.ElasticJobStatus{Deadline: given, DeadlineQueue: "default", Promised: given},
			v1alpha1.ServiceClass{}, "", 24 * time.Hour},
		"promised, and less now": {v1alpha1.ElasticJobStatus{Deadline: given, DeadlineQueue: "default", Promised: given},
			v1alpha1.ServiceClass{DeadlineAfter: "6h"}, "", 24 * time.Hour},
		"only planned": {v1alpha1.ElasticJobStatus{Deadline: given, DeadlineQueue: "default"},
			v1alpha1.ServiceClass{DeadlineAfter: "6h"}, "", 6 * time.Hour},
		"its own was promised, and is taken away": {
			v1alpha1.ElasticJobStatus{Deadline: given, Promised: given}, v1alpha1.ServiceClass{}, "", 0,
		},
		"it has one of its own now": {v1alpha1.ElasticJobStatus{Deadline: given, DeadlineQueue: "default",
			Promised: given}, v1alpha1.ServiceClass{}, "48h", 48 * time.Hour},
		"it has ended": {ended(v1alpha1.ElasticJobStatus{Deadline: given,
			DeadlineQueue: "default"}), v1alpha1.ServiceClass{}, "", 24 * time.Hour},
		"it has ended, and its own is taken away": {
			ended(v1alpha1.ElasticJobStatus{Deadline: given}), v1alpha1.ServiceClass{DeadlineAfter: "6h"}, "", 24 * time.Hour,
		},
		"it has ended without one": {
			ended(v1alpha1.ElasticJobStatus{}), v1alpha1.ServiceClass{DeadlineAfter: "6h"}, "", 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			queue := &v1alpha1.TrainingQueue{
				ObjectMeta: metav1.ObjectMeta{Name: "default"}, Spec: v1alpha1.TrainingQueueSpec{Jobs: test.class},
			}
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.CreationTimestamp, ej.Status = metav1.NewTime(fixture.Start), test.status
				ej.Spec.Deadline, ej.Spec.DeadlineAfter = "", test.own
			})
			o := fixture.Stopped(t, interceptor.Funcs{}, queue, ej, fixture.PyTorchJob("resnet", 4), fixture.Node("n", "8"))
			s, err := o.View.Look(t.Context(), ej)
			if err != nil {
				t.Fatal(err)
			}
			at, dated := s.Deadline()
			if status, _ := o.Reporter.StatusOf(s, nil); test.own == "" && dated && test.status.DeadlineQueue == "" &&
				status.DeadlineQueue != "" {
				t.Errorf("its deadline is said to be that of queue %s", status.DeadlineQueue)
			}
			if dated != (test.want > 0) || dated && !at.Equal(fixture.Start.Add(test.want)) {
				t.Errorf("its deadline is %v (%t), want that %v from the start", at, dated, test.want)
			}
		})
	}
}

func ended(st v1alpha1.ElasticJobStatus) v1alpha1.ElasticJobStatus {
	st.Conditions = []metav1.Condition{
		{Type: v1alpha1.ConditionSucceeded, Status: metav1.ConditionTrue, LastTransitionTime: metav1.NewTime(fixture.Start)},
	}
	return st
}

// Who is waited for goes by the deadlines of those that wait.
func TestAJobThatOthersWaitForHasNoDeadlineOfItsQueue(t *testing.T) {
	queue := &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "default"},
		Spec: v1alpha1.TrainingQueueSpec{Jobs: v1alpha1.ServiceClass{DeadlineAfter: "168h"}}}
	plain := func(ej *v1alpha1.ElasticJob) { ej.Spec.Deadline, ej.Spec.DeadlineAfter = "", "" }
	prepare := fixture.ElasticJob("prepare", plain)
	train := fixture.ElasticJob("train", func(ej *v1alpha1.ElasticJob) {
		ej.Spec.After = []v1alpha1.Predecessor{{Name: "prepare"}}
		ej.Spec.DeadlineAfter = "12h"
	})
	o := fixture.Stopped(t, interceptor.Funcs{}, queue, prepare, train, fixture.PyTorchJob("prepare", 4),
		fixture.PyTorchJob("train", 4),
		fixture.Node("n", "8"))
	sc, err := o.Planner.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range sc.Snapshot.Jobs {
		if has := job.Deadline != nil; has != (job.Name == train.Namespace+"/train") {
			t.Errorf("%s has a deadline: %t", job.Name, has)
		}
	}
}

// A job whose queue bounds its wait waits from its submission on, or from when it was stopped; and one that was started
// because it had waited for so long has its turn for as long.
func TestWhenTheTurnOfAJobComes(t *testing.T) {
	at := func(minutes int) time.Time { return fixture.Start.Add(time.Duration(minutes) * time.Minute) }
	resize := func(epoch int64, from, to int32, begun, ended int, how string) *v1alpha1.Resize {
		r := &v1alpha1.Resize{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "team", Name: fmt.Sprintf("resnet-%d", epoch), CreationTimestamp: metav1.NewTime(at(begun)),
			},
			Spec: v1alpha1.ResizeSpec{ElasticJob: "resnet", Epoch: epoch, From: from, To: to},
		}
		if how != "" {
			r.Status.Conditions = []metav1.Condition{
				{Type: how, Status: metav1.ConditionTrue, LastTransitionTime: metav1.NewTime(at(ended))},
			}
		}
		return r
	}
	const good, back = v1alpha1.ConditionSucceeded, v1alpha1.ConditionRolledBack
	for name, test := range map[string]struct {
		resizes      []*v1alpha1.Resize
		since, until int // minutes from the start; no turn is 0
	}{
		"it has just come":       {nil, 0, 0},
		"it was started at once": {[]*v1alpha1.Resize{resize(1, 0, 2, 1, 2, good)}, 0, 0},
		"its turn begins":        {[]*v1alpha1.Resize{resize(1, 0, 2, 241, 0, "")}, 0, 241 + 240},
		"it has its turn":        {[]*v1alpha1.Resize{resize(1, 0, 2, 241, 243, good)}, 0, 243 + 240},
		"it has grown since": {
			[]*v1alpha1.Resize{resize(1, 0, 2, 241, 243, good), resize(2, 2, 4, 250, 251, good)}, 0, 243 + 240,
		},
		"it did not start": {[]*v1alpha1.Resize{resize(1, 0, 2, 241, 243, back)}, 0, 0},
		"it was stopped": {
			[]*v1alpha1.Resize{resize(1, 0, 2, 241, 243, good), resize(2, 2, 0, 500, 501, good)}, 501, 0,
		},
		"it is being stopped": {
			[]*v1alpha1.Resize{resize(1, 0, 2, 241, 243, good), resize(2, 2, 0, 500, 0, "")}, 500, 0,
		},
		"by a clock that is behind": {[]*v1alpha1.Resize{resize(1, 0, 2, 239, 243, good)}, 0, 243 + 240},
		"it was stopped, and came back": {[]*v1alpha1.Resize{resize(1, 0, 2, 1, 2, good), resize(2, 2, 0, 500, 501, good),
			resize(3, 0, 2, 510, 511, good)}, 501, 0},
	} {
		t.Run(name, func(t *testing.T) {
			queue := &v1alpha1.TrainingQueue{ObjectMeta: metav1.ObjectMeta{Name: "default"},
				Spec: v1alpha1.TrainingQueueSpec{Jobs: v1alpha1.ServiceClass{MaxWait: "4h"}}}
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Namespace, ej.CreationTimestamp = "team", metav1.NewTime(fixture.Start)
				ej.Spec.Deadline, ej.Spec.DeadlineAfter = "", ""
			})
			objects := []client.Object{queue, ej, fixture.PyTorchJob("resnet", 4), fixture.Node("n", "8")}
			for _, r := range test.resizes {
				r.OwnerReferences = []metav1.OwnerReference{
					*metav1.NewControllerRef(ej, v1alpha1.GroupVersion.WithKind("ElasticJob")),
				}
				objects = append(objects, r)
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			sc, err := o.Planner.Observe(t.Context())
			if err != nil || len(sc.Snapshot.Jobs) != 1 {
				t.Fatal(len(sc.Snapshot.Jobs), err)
			}
			job, until := sc.Snapshot.Jobs[0], elastic.Seconds(0)
			if test.until > 0 {
				until = coretime.Seconds(at(test.until))
			}
			if job.MaxWait != 4*3600 || job.WaitsSince != coretime.Seconds(at(test.since)) || job.TurnUntil != until {
				t.Errorf("it may have to wait for %v, since %v, and has its turn until %v: want since %v and until %v",
					job.MaxWait, job.WaitsSince, job.TurnUntil, coretime.Seconds(at(test.since)), until)
			}
		})
	}
}
