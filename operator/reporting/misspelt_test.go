package reporting_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/reporting"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wording"
)

// What people read where something on the job cannot be used as it is written: for as long as it is there.
func TestWhatIsMisspeltIsToldInTheVerdict(t *testing.T) {
	expected := coretime.Seconds(fixture.Start.Add(20 * time.Minute))
	onTrack := func(known *memory.Job, due time.Time) {
		known.Decide(elastic.Outcome{
			Workers: 1, Verdict: elastic.OnTrack, Message: "The deadline is promised.", Reason: elastic.ForDeadline,
			Promised: true, ExpectedEnd: &expected,
		}, due, fixture.Start)
	}
	admitted := func(status metav1.ConditionStatus, reason string) func(*v1alpha1.ElasticJob) {
		return func(ej *v1alpha1.ElasticJob) {
			meta.SetStatusCondition(&ej.Status.Conditions, metav1.Condition{
				Type: v1alpha1.ConditionAdmitted, Status: status, Reason: reason,
			})
		}
	}
	explicit := func(ej *v1alpha1.ElasticJob) { ej.Labels = nil }
	const soon = `takt.dev/deadline is "soon": write a time span such as 6h, or a moment such as 2026-11-21T18:00:00Z.`
	for name, test := range map[string]struct {
		annotations map[string]string
		ej          func(*v1alpha1.ElasticJob)
		misspelt    string
		want        string
	}{
		"nothing": {map[string]string{shorthand.DeadlineAnnotation: "6h"}, nil, "", `
			OnTrack: The deadline is promised. No progress was read yet.
			Admitted True Promised`},
		"a value, before it was taken on": {map[string]string{shorthand.DeadlineAnnotation: "soon"},
			nil, "takt.dev/deadline", `
			LeftAlone: Takt leaves this job alone. ` + soon + `
			Admitted False InvalidShorthand`},
		"a value, still": {map[string]string{shorthand.DeadlineAnnotation: "soon"},
			admitted("False", view.ReasonMisspelt), "takt.dev/deadline", `
			LeftAlone: Takt leaves this job alone. ` + soon + `
			Admitted False InvalidShorthand`},
		"a value, of a job that runs": {map[string]string{shorthand.DeadlineAnnotation: "soon"},
			admitted("True", view.ReasonPromised), "takt.dev/deadline", `
			OnTrack: The deadline is promised. No progress was read yet. On the job: ` + soon + ` Until that is put right, the job is as it was, or without it.
			Admitted True Promised`},
		"a value, of a job that waits for its promise": {map[string]string{shorthand.DeadlineAnnotation: "soon"},
			admitted("False", string(elastic.NotPromised)), "takt.dev/deadline", `
			OnTrack: The deadline is promised. No progress was read yet. On the job: ` + soon + ` Until that is put right, the job is as it was, or without it.
			Admitted True Promised`},
		"a value, beside an ElasticJob that somebody wrote": {map[string]string{shorthand.DeadlineAnnotation: "soon"},
			explicit, "takt.dev/deadline", `
			OnTrack: The deadline is promised. No progress was read yet. On the job: ` + soon + ` Until that is put right, the job is as it was, or without it.
			Admitted True Promised`},
		"a key": {map[string]string{shorthand.DeadlineAnnotation: "6h", "takt.dev/worker": "1-8"}, nil, "takt.dev/worker", `
			OnTrack: The deadline is promised. No progress was read yet. On the job: takt.dev/worker is no key that Takt knows: write takt.dev/workers.
			Admitted True Promised`},
		"the only key": {map[string]string{"takt.dev/deadlin": "6h"}, nil, "takt.dev/deadlin", `
			LeftAlone: Takt leaves this job alone. takt.dev/deadlin is no key that Takt knows: write takt.dev/deadline.
			Admitted False InvalidShorthand`},
		"the queue as an annotation": {
			map[string]string{shorthand.DeadlineAnnotation: "6h", shorthand.QueueLabel: "research"},
			nil, "takt.dev/queue", `
			OnTrack: The deadline is promised. No progress was read yet. On the job: takt.dev/queue ("research") is an annotation of the job, and is read only as a label: write it among its labels.
			Admitted True Promised`},
		"two": {
			map[string]string{shorthand.DeadlineAnnotation: "6h", shorthand.WorkersAnnotation: "8-1", "takt.dev/colour": "red"},
			admitted("True", "Planned"), "takt.dev/workers,takt.dev/colour", `
			OnTrack: The deadline is promised. No progress was read yet. On the job: takt.dev/workers is "8-1": write a number of workers such as 4, a range such as 1-8, all sizes such as 1,2,4,8, or a range of multiples such as 8-64 by 8. takt.dev/colour is no key that Takt knows: take it off the job, or write one of takt.dev/checkpoint, takt.dev/deadline, takt.dev/expected, takt.dev/guarantee, takt.dev/hold, takt.dev/interruptible, takt.dev/profile, takt.dev/progress, takt.dev/queue, takt.dev/workers. Until that is put right, the job is as it was, or without it.
			Admitted True Promised`},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
				ej.Labels, ej.Spec.Deadline = map[string]string{shorthand.MadeLabel: "true"}, fixture.Hour(13)
				if test.ej != nil {
					test.ej(ej)
				}
			})
			job := fixture.AnnotatedJob(test.annotations)
			o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Worker0(job, "node"), fixture.Node("node", "8"),
				&corev1.Namespace{
					ObjectMeta: metav1.ObjectMeta{Name: "team"},
				})
			status := fixture.StatusAsWritten(t.Context(), t, o, ej, onTrack)
			lines := strings.Split(inWords(status), "\n")
			conditions, _, _ := strings.Cut(lines[len(lines)-1], ",")
			want := strings.ReplaceAll(strings.TrimSpace(test.want), "\t", "")
			if diff := cmp.Diff(want, lines[0]+"\n"+conditions); diff != "" || status.Summary.Misspelt != test.misspelt {
				t.Errorf("misspelt: %q, want %q (-want +got)\n%s", status.Summary.Misspelt, test.misspelt, diff)
			}
			if on := meta.FindStatusCondition(status.Conditions, v1alpha1.ConditionOnTrack); on.Message != status.Message {
				t.Errorf("the condition says %q", on.Message)
			}
			// A process that has just started goes by what the last one has written, until it has planned.
			ej.Status = status
			o.Memory.Keep(nil)
			if again := fixture.StatusAsWritten(t.Context(), t, o, ej, nil); again.Message != status.Message {
				t.Errorf("said again: %s", again.Message)
			}
		})
	}
}

func TestALongVerdictLeavesRoomForWhatIsMisspelt(t *testing.T) {
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
		ej.Status.Verdict, ej.Status.Message = v1alpha1.VerdictOnTrack, strings.Repeat("ü", 500)
	})
	annotations := map[string]string{}
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		annotations["takt.dev/"+strings.Repeat(key, 60)] = "x"
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, fixture.AnnotatedJob(annotations))
	message := fixture.StatusAsWritten(t.Context(), t, o, ej, nil).Message
	if len(message) > wording.LongestMessage || !strings.Contains(message, reporting.OnTheJob+"takt.dev/aaa") ||
		!strings.HasPrefix(message, "üüü") {
		t.Errorf("%d bytes: %s", len(message), message)
	}
}

// Before, a slip of the pen left no ElasticJob at all, and a deadline that nobody knew to be the old one.
func TestAMisspeltDeadlineHasAnElasticJobAndKeepsTheLastOne(t *testing.T) {
	for name, annotations := range map[string]map[string]string{
		"a value":                    {shorthand.DeadlineAnnotation: "soon"},
		"a key":                      {"takt.dev/deadlin": "6h"},
		"the queue as an annotation": {shorthand.QueueLabel: "research"},
	} {
		t.Run(name, func(t *testing.T) {
			o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(annotations))
			events := fixture.Listens(o)
			if ej := fixture.Keeps(t, o); ej == nil || ej.Spec.Deadline != "" {
				t.Fatalf("%+v", ej)
			}
			if told := <-events; !strings.Contains(told,
				"InvalidShorthand What is written on the job cannot be used: takt.dev/") || len(events) > 0 {
				t.Errorf("told: %s, and %d more", told, len(events))
			}
			fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: "6h"})
			if ej := fixture.Keeps(t, o); ej.Spec.Deadline != fixture.Hour(18) {
				t.Errorf("put right: %+v", ej.Spec)
			}
			fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{
				shorthand.DeadlineAnnotation: "six hours", shorthand.ProfileAnnotation: "resnet50",
			})
			if ej := fixture.Keeps(t, o); ej.Spec.Deadline != fixture.Hour(18) || ej.Spec.Profile != "resnet50" {
				t.Errorf("misspelt again: %+v", ej.Spec)
			}
		})
	}
}

// A key of Takt's that it does not know was meant for it, even if no other is there: people look for it in the list of
// ElasticJobs. It goes once the key does, or is put right and asks for nothing.
func TestAnUnknownKeyAloneHasAnElasticJobForAsLongAsItIsThere(t *testing.T) {
	for name, then := range map[string]map[string]string{
		"taken off": {"takt.dev/worker": ""}, "put right": {"takt.dev/worker": "", shorthand.WorkersAnnotation: "1-8"},
	} {
		t.Run(name, func(t *testing.T) {
			o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(map[string]string{"takt.dev/worker": "1-8"}))
			events := fixture.Listens(o)
			ej := fixture.Keeps(t, o)
			if ej == nil || ej.Labels[shorthand.MadeLabel] == "" {
				t.Fatalf("%+v", ej)
			}
			if told := <-events; !strings.Contains(told, "write takt.dev/workers.") || len(events) > 0 {
				t.Errorf("told: %s, and %d more", told, len(events))
			}
			if status := fixture.StatusAsWritten(t.Context(), t, o, ej, nil); status.Verdict != v1alpha1.VerdictLeftAlone ||
				status.Summary.Misspelt != "takt.dev/worker" ||
				!strings.HasSuffix(status.Message,
					"write takt.dev/workers. Takt looks after jobs with takt.dev/deadline or takt.dev/queue.") {
				t.Errorf("%s, %q: %s", status.Verdict, status.Summary.Misspelt, status.Message)
			}
			fixture.Annotate(t, o, "kubectl-edit", fixture.Start, then)
			if ej := fixture.Keeps(t, o); ej != nil {
				t.Errorf("it stays: %+v", ej)
			}
		})
	}
}

// A job that was looked after is let go of when its deadline is taken off, whatever else is left on it.
func TestAnUnknownKeyKeepsNoJobThatIsLetGoOf(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(map[string]string{
		shorthand.DeadlineAnnotation: "6h", "takt.dev/worker": "1-8",
	}))
	ej := fixture.Keeps(t, o)
	meta.SetStatusCondition(&ej.Status.Conditions, metav1.Condition{
		Type: v1alpha1.ConditionAdmitted, Status: metav1.ConditionTrue, Reason: view.ReasonPromised,
	})
	if err := o.Client.Status().Update(t.Context(), ej); err != nil {
		t.Fatal(err)
	}
	fixture.Annotate(t, o, "kubectl-edit", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: ""})
	again := fixture.Keeps(t, o)
	if again == nil || again.Spec.Deadline != "" || view.TakenOn(&again.Status) {
		t.Fatalf("%+v", again)
	}
	if status := fixture.StatusAsWritten(t.Context(), t, o, again, nil); status.Verdict != v1alpha1.VerdictLeftAlone {
		t.Errorf("%s: %s", status.Verdict, status.Message)
	}
	if job := fixture.Get(t, o, "resnet", &kubeflow.PyTorchJob{}); job.Annotations[shorthand.TakenAnnotation] != "" {
		t.Error("it counts as taken on")
	}
}

// The pod of the leader is one of the pods.
func TestADeadlineOnThePodOfTheLeaderIsNamed(t *testing.T) {
	job := fixture.AnnotatedJob(nil)
	master := *job.Spec.PyTorchReplicaSpecs["Worker"].DeepCopy()
	master.Replicas = new(int32(1))
	master.Template.Annotations = map[string]string{shorthand.DeadlineAnnotation: "6h"}
	job.Spec.PyTorchReplicaSpecs["Master"], job.Spec.ElasticPolicy = &master, nil
	o := fixture.Stopped(t, interceptor.Funcs{}, job)
	ej := fixture.Keeps(t, o)
	if ej == nil {
		t.Fatal("nobody is told")
	}
	status := fixture.StatusAsWritten(t.Context(), t, o, ej, nil)
	if status.Verdict != v1alpha1.VerdictLeftAlone || status.Summary.Misspelt != shorthand.DeadlineAnnotation {
		t.Errorf("%s, misspelt %q: %s", status.Verdict, status.Summary.Misspelt, status.Message)
	}
}

// Whoever writes the line on the pods sees it in the list of ElasticJobs. It keeps no job that is let go of.
func TestADeadlineOnThePodsIsNamedAndAsksForNothing(t *testing.T) {
	job := fixture.AnnotatedJob(map[string]string{shorthand.DeadlineAnnotation: "6h"})
	job.Spec.PyTorchReplicaSpecs["Worker"].Template.Annotations = map[string]string{shorthand.DeadlineAnnotation: "6h"}
	o := fixture.Stopped(t, interceptor.Funcs{}, job)
	taken := fixture.Keeps(t, o)
	if taken == nil || taken.Spec.Deadline != fixture.Hour(17) {
		t.Fatalf("%+v", taken)
	}
	if status := fixture.StatusAsWritten(t.Context(), t, o, taken, nil); status.Summary.Misspelt != "" {
		t.Errorf("it is on the job as well, and is misspelt: %q", status.Summary.Misspelt)
	}
	fixture.Annotate(t, o, "kubectl-annotate", fixture.Start, map[string]string{shorthand.DeadlineAnnotation: ""})
	alone := fixture.Keeps(t, o)
	if alone == nil || alone.Spec.Deadline != "" {
		t.Fatalf("%+v", alone)
	}
	const says = `takt.dev/deadline ("6h") is an annotation of the pods, and is read only on the job itself: write it among the annotations of its own metadata.`
	status := fixture.StatusAsWritten(t.Context(), t, o, alone, nil)
	if status.Verdict != v1alpha1.VerdictLeftAlone || status.Summary.Misspelt != shorthand.DeadlineAnnotation ||
		!strings.Contains(status.Message, says) {
		t.Errorf("%s, misspelt %q: %s", status.Verdict, status.Summary.Misspelt, status.Message)
	}
}

// Words that say how a job is to be looked after, and none that it is: nothing happens, and an event says why.
func TestWordsThatAskForNothingAreTold(t *testing.T) {
	o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(map[string]string{
		shorthand.WorkersAnnotation: "1-8", shorthand.ProfileAnnotation: "resnet50",
	}))
	events := fixture.Listens(o)
	if ej := fixture.Keeps(t, o); ej != nil {
		t.Errorf("nobody asks for %+v", ej)
	}
	const want = "takt.dev/profile, takt.dev/workers: Takt looks after jobs with takt.dev/deadline or takt.dev/queue, " +
		"and this one has neither."
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	if told := <-events; !strings.Contains(told, want) {
		t.Errorf("told: %s, want %s", told, want)
	}
	// What its training writes, and what is left of a job that was let go of, is no question.
	for _, annotations := range []map[string]string{{"takt.dev/progress": "42%"}, {"takt.dev/hold": "please"}, nil} {
		o := fixture.Stopped(t, interceptor.Funcs{}, fixture.AnnotatedJob(annotations))
		events := fixture.Listens(o)
		if fixture.Keeps(t, o); len(events) > 0 {
			t.Errorf("%v: told %s", annotations, <-events)
		}
	}
}
