package reporting_test

import (
	"context"
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	dto "github.com/prometheus/client_model/go"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/learn"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/reporting"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/writing"
)

// endedWhileShrunk is a job that counts as finished at 42 %, and the Resize that had told one of its workers to leave.
func endedWhileShrunk(edit func(*v1alpha1.ElasticJob)) (*v1alpha1.ElasticJob, *kubeflow.PyTorchJob, *v1alpha1.Resize) {
	end := metav1.NewTime(fixture.Start.Add(-time.Minute))
	ej := fixture.ElasticJob("first", edit)
	ej.Status.Progress = v1alpha1.ProgressStatus{
		PartsPerMillion: 420_000, ObservedAt: v1alpha1.NewTime(end.Add(-10 * time.Second)),
	}
	return ej, fixture.PyTorchJob("first", 3, fixture.FinishedAt(end.Time),
			fixture.AskedFor(1, resize.Forward)), &v1alpha1.Resize{
			ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "first-1",
				OwnerReferences: []metav1.OwnerReference{writing.OwnedBy(ej)}, CreationTimestamp: end},
			Spec: v1alpha1.ResizeSpec{ElasticJob: "first", Epoch: 1, From: 4, To: 3, Mode: v1alpha1.ResizeLive},
			Status: v1alpha1.ResizeStatus{Conditions: []metav1.Condition{
				{Type: v1alpha1.ConditionCommitted, Status: metav1.ConditionTrue, Reason: "Test", LastTransitionTime: end},
			}},
		}
}

// A training that stops early, within the second in which it was seen to go on without those who left, has ended by
// itself: nobody was left who had been told to leave. The API server tells times by the second.
func TestAJobThatEndsJustAfterItWasMadeSmallerIsNotCutShort(t *testing.T) {
	for how, short := range map[metav1.Condition]bool{
		{Type: v1alpha1.ConditionSucceeded, Reason: string(resize.ProgressSeen)}:  false,
		{Type: v1alpha1.ConditionSucceeded, Reason: string(resize.JobIsFinished)}: true,
		{Type: v1alpha1.ConditionFailed, Reason: string(resize.JobIsCutShort)}:    true,
	} {
		ej, job, r := endedWhileShrunk(func(*v1alpha1.ElasticJob) {})
		how.Status, how.LastTransitionTime = metav1.ConditionTrue, r.CreationTimestamp
		r.Status.Conditions = append(r.Status.Conditions, how)
		s, err := fixture.Stopped(t, interceptor.Funcs{}, ej, job, r).View.Look(t.Context(), ej)
		if err != nil {
			t.Fatal(err)
		}
		if s.CutShort() != short {
			t.Errorf("where its Resize has ended as %s, the job is cut short: %v, want %v", how.Reason, s.CutShort(), short)
		}
	}
}

// Workers leave for more than a growth's opposite: those of a growth that is taken back leave as well, some outlive the
// Resize that has told them to, and some were never told.
func TestWhoeverWasToldToLeaveMayHaveEndedTheJob(t *testing.T) {
	const long = 4 * time.Minute
	back := metav1.Condition{Type: v1alpha1.ConditionRollingBack, Reason: string(resize.NoProgress)}
	over := func(kind string, reason resize.Reason) metav1.Condition {
		return metav1.Condition{Type: kind, Reason: string(reason)}
	}
	for name, tt := range map[string]struct {
		from, to int32
		ask      func(*kubeflow.PyTorchJob)
		grace    int64
		before   time.Duration // the end of the job, when all of this was written
		said     []metav1.Condition
		short    bool
	}{
		"a growth that is taken back": {2, 3, fixture.AskedFor(1, resize.Back), 0, 0, []metav1.Condition{back}, true},
		"a growth that was taken back just now": {2, 3, fixture.AskedFor(1, resize.Back), 0, 0,
			[]metav1.Condition{back, over(v1alpha1.ConditionRolledBack, resize.NoProgress)}, true},
		"a growth that is to be taken back, and nobody was told": {2, 3, fixture.AskedFor(1, resize.Forward), 0, 0,
			[]metav1.Condition{back}, false},
		"a shrink that nobody was told of": {4, 3, fixture.AskedFor(0, resize.Forward), 0, 0, nil, false},
		"one that nobody heard of within its time": {4, 3, fixture.AskedFor(1, resize.Forward), 0, long,
			[]metav1.Condition{over(v1alpha1.ConditionFailed, resize.PodsNotGone)}, true},
		"one that nobody heard of, and there was another since": {4, 3, fixture.AskedFor(2, resize.Forward), 0, long,
			[]metav1.Condition{over(v1alpha1.ConditionFailed, resize.PodsNotGone)}, false},
		"leavers that take their time": {4, 3, fixture.AskedFor(1, resize.Forward), 600, long,
			[]metav1.Condition{over(v1alpha1.ConditionSucceeded, resize.WorkersRunning)}, true},
		"leavers that take their time, while the others go on": {4, 3, fixture.AskedFor(1, resize.Forward), 600, long,
			[]metav1.Condition{over(v1alpha1.ConditionSucceeded, resize.ProgressSeen)}, true},
		"leavers that could not take so long": {4, 3, fixture.AskedFor(1, resize.Forward), 60, long,
			[]metav1.Condition{over(v1alpha1.ConditionSucceeded, resize.WorkersRunning)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			ej, job, r := endedWhileShrunk(func(*v1alpha1.ElasticJob) {})
			tt.ask(job)
			if tt.grace > 0 {
				worker := job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker]
				worker.Template.Spec.TerminationGracePeriodSeconds = &tt.grace
			}
			ej.Status.Prediction.Earliest = v1alpha1.NewTime(fixture.Start.Add(time.Hour))
			r.Spec.From, r.Spec.To = tt.from, tt.to
			at := metav1.NewTime(r.CreationTimestamp.Add(-tt.before))
			r.Status.Conditions[0].LastTransitionTime = at
			for _, c := range tt.said {
				c.Status, c.LastTransitionTime = metav1.ConditionTrue, at
				r.Status.Conditions = append(r.Status.Conditions, c)
			}
			if _, err := cached.TrimResize(r); err != nil { // as the operator reads it
				t.Fatal(err)
			}
			s, err := fixture.Stopped(t, interceptor.Funcs{}, ej, job, r).View.Look(t.Context(), ej)
			if err != nil {
				t.Fatal(err)
			}
			if s.CutShort() != tt.short {
				t.Errorf("the job is cut short: %v, want %v", s.CutShort(), tt.short)
			}
		})
	}
}

// A training that ends when it was expected to has done its work, though others were told to leave in its last second:
// the end that the API server tells has whole seconds, and what was read last may seem to be later.
func TestAJobThatEndsAsExpectedWhileItIsMadeSmallerIsNotCutShort(t *testing.T) {
	for name, tt := range map[string]struct {
		read, earliest, eta time.Duration // after the second of its end
		short               bool
	}{
		"read after its second had begun": {time.Second, 0, 0, false},
		"expected within it":              {0, time.Second, time.Second, false},
		"expected long after it":          {0, 20 * time.Second, 30 * time.Second, true},
		"much of the rest was to come":    {-time.Second, 0, 10 * time.Second, true},
	} {
		ej, job, r := endedWhileShrunk(func(*v1alpha1.ElasticJob) {})
		end := r.CreationTimestamp.Time
		ej.Status.Progress.PartsPerMillion, ej.Status.Progress.ObservedAt = 990_000, v1alpha1.NewTime(end.Add(tt.read))
		ej.Status.Prediction.Earliest, ej.Status.Prediction.ETA = v1alpha1.NewTime(end.Add(tt.earliest)),
			v1alpha1.NewTime(end.Add(tt.eta))
		s, err := fixture.Stopped(t, interceptor.Funcs{}, ej, job, r).View.Look(t.Context(), ej)
		if err != nil {
			t.Fatal(err)
		}
		if s.CutShort() != tt.short {
			t.Errorf("%s: the job is cut short: %v, want %v", name, s.CutShort(), tt.short)
		}
	}
}

// A job that ends by itself while it is made smaller says so at last, and that is heard before anything is said of its
// end: what is said once stays. It is read again where that fails in a way that may pass, also by a process that begins
// long after it, and from its output where its agent has ended with it. Nobody waits for a word that cannot be read.
func TestTheLastWordOfAJobIsHeardBeforeItsEndIsJudged(t *testing.T) {
	for name, tt := range map[string]struct {
		word    string        // on the job
		output  *output       // of its pods, which have ended as the job has; nil if there are none left
		names   bool          // the job names its agent as what tells its progress
		begins  time.Duration // when this process does, after the end of the job
		unread  time.Duration // for how long nobody reads it from then on
		reads   bool
		short   bool
		nothing bool // is said yet
	}{
		"all was done":                         {word: "1000/1000", reads: true},
		"nobody has read it yet":               {word: "1000/1000", nothing: true},
		"nobody reads it":                      {word: "1000/1000", unread: time.Minute, short: true},
		"it had said how far it was":           {word: "430/1000 at 2026-11-20T23:58:59Z", reads: true, short: true},
		"nobody knows when it had said that":   {word: "430/1000", reads: true, short: true},
		"it has said nothing that can be read": {word: "nearly done", reads: true, short: true},

		"a process that begins later reads it":      {word: "1000/1000", begins: time.Minute, reads: true},
		"one that begins later has not read it yet": {word: "1000/1000", begins: time.Minute, nothing: true},
		"one that begins later does not read it": {
			word: "1000/1000", begins: time.Hour, unread: time.Minute, short: true,
		},
		"the first reading times out":                  {output: &output{late: 1}, reads: true},
		"each reading times out":                       {output: &output{late: 100}, reads: true, short: true},
		"its agent has ended with it":                  {output: &output{}, reads: true},
		"its agent has ended with it, which it names":  {output: &output{}, names: true, reads: true},
		"there is no output of it left, nor an answer": {reads: true, short: true},
	} {
		t.Run(name, func(t *testing.T) {
			ej, job, r := endedWhileShrunk(func(*v1alpha1.ElasticJob) {})
			ej.Status.Prediction.Earliest = v1alpha1.NewTime(fixture.Start.Add(time.Hour))
			objects := []client.Object{ej, job, r}
			sources := []progress.Source{progress.Annotation{}}
			if tt.word != "" {
				job.Annotations[progress.ProgressAnnotation] = tt.word
			}
			if tt.output != nil {
				ej.Status.Progress.Source = string(v1alpha1.ProgressAgent)
				for _, pod := range fixture.WorkersOf(job, 3, "node") {
					pod.Annotations = map[string]string{progress.AgentPortAnnotation: "65535"}
					pod.Status.Phase, pod.Status.PodIP = corev1.PodSucceeded, "127.0.0.1"
					objects = append(objects, pod)
				}
				sources = append(sources, tt.output,
					progress.NewAgent(progress.Limits{Timeout: time.Second, MaxBytes: 1 << 20}))
			}
			if tt.names {
				ej.Spec.Progress.Source = v1alpha1.ProgressAgent
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			o.Sources = fixture.SourcesOf(o.Settings.Progress.Every.Duration, sources...)
			now := r.CreationTimestamp.Add(tt.begins)
			o.Now = func() time.Time { return now }
			o.Furnish()
			of := reconcile.Request{NamespacedName: client.ObjectKeyFromObject(ej)}
			for wait := time.Nanosecond; tt.reads && wait > 0; now = now.Add(wait) {
				read, err := o.Reader.Reconcile(t.Context(), of)
				if err != nil {
					t.Fatal(err)
				}
				if wait = read.RequeueAfter; now.Sub(r.CreationTimestamp.Time) > tt.begins+time.Minute {
					t.Fatalf("it is still read after %s", now.Sub(r.CreationTimestamp.Time))
				}
			}
			if tt.unread > 0 {
				if _, err := o.Reporter.Reconcile(t.Context(), of); err != nil {
					t.Fatal(err)
				}
				now = now.Add(tt.unread)
			}
			resized, err := o.Resizer.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKeyFromObject(r)})
			if err != nil {
				t.Fatal(err)
			}
			said, err := o.Reporter.Reconcile(t.Context(), of)
			if err != nil {
				t.Fatal(err)
			}
			status := fixture.Get(t, o, ej.Name, &v1alpha1.ElasticJob{}).Status
			if tt.nothing {
				if status.Verdict != "" || said.RequeueAfter == 0 || resized.RequeueAfter == 0 {
					t.Errorf("it is said to be %s: %s", status.Verdict, status.Message)
				}
				return
			}
			if reporting.SaidCutShort(&status) != tt.short {
				t.Errorf("it is said to be %s: %s", status.Verdict, status.Message)
			}
			var over v1alpha1.Resize
			if err := o.Client.Get(t.Context(), client.ObjectKeyFromObject(r), &over); err != nil {
				t.Fatal(err)
			}
			if end := over.Ending(); end == nil || (end.Reason == string(resize.JobIsCutShort)) != tt.short {
				t.Errorf("its Resize ends with %+v", end)
			}
		})
	}
}

// output is what a training has printed that has done all of its work, once its node serves it in time.
type output struct{ late int }

func (*output) Name() v1alpha1.ProgressSource { return v1alpha1.ProgressLogs }

func (o *output) Read(context.Context, progress.Target) (progress.Sample, error) {
	if o.late > 0 {
		o.late--
		return progress.Sample{}, progress.ErrTimeout
	}
	return progress.Sample{Done: 1000, Total: 1000, Unit: "steps"}, nil
}

// Once a worker that left has ended a whole job, the other jobs of its profile are resized by a restart. It is counted
// as what a resize has done.
func TestJobsOfAProfileAreRestartedOnceOneWasCutShort(t *testing.T) {
	shared := func(ej *v1alpha1.ElasticJob) { ej.Spec.Profile = "vision" }
	ej, job, r := endedWhileShrunk(shared)
	next, wrapped, other := fixture.ElasticJob("next", shared), fixture.ElasticJob("wrapped",
		shared), fixture.ElasticJob("other")
	agent := func(job *kubeflow.PyTorchJob) {
		job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Annotations = map[string]string{
			v1alpha1.AgentAnnotation: "true",
		}
	}
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, r, next, fixture.PyTorchJob("next", 3), wrapped,
		fixture.PyTorchJob("wrapped", 3, agent),
		other, fixture.PyTorchJob("other", 3), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}})
	o.Profiles = &learn.Store{Client: o.Client}
	o.Furnish()
	looked := func(of *v1alpha1.ElasticJob) *view.Subject {
		t.Helper()
		s, err := o.View.Look(t.Context(), of)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := looked(next); s.Mode() != resize.Live {
		t.Errorf("before, the next is resized %s", s.Mode())
	}
	observed := o.Resizer.Observed(t.Context(), looked(ej), r)
	if step := resize.Next(observed); step.Condition != resize.Failed || step.Reason != resize.JobIsCutShort {
		t.Errorf("the Resize ends as %s: %s", step.Condition, step.Reason)
	}
	for look := range 3 { // the first waits for what it has said last, which nobody reads, and the third says the same
		o.Reporter.Now = func() time.Time { return fixture.Start.Add(time.Duration(look) * time.Minute) }
		if _, err := o.Reporter.Reconcile(t.Context(),
			reconcile.Request{NamespacedName: client.ObjectKeyFromObject(ej)}); err != nil {
			t.Fatal(err)
		}
	}
	var cut dto.Metric
	if err := o.Metrics.CutShort.WithLabelValues("(others)").Write(&cut); err != nil || cut.GetCounter().GetValue() != 1 {
		t.Errorf("%v jobs are counted as cut short: %v", cut.GetCounter().GetValue(), err)
	}
	o.Memory.Keep(nil) // as a fresh process, or one that looks at its profiles again
	for of, want := range map[*v1alpha1.ElasticJob]resize.Mode{next: resize.Cold, wrapped: resize.Live,
		other: resize.Live} {
		s := looked(of)
		if s.Mode() != want || strings.Contains(reporting.HowResized(s), "exited with 0") != (want == resize.Cold) {
			t.Errorf("afterwards %s is resized %s: %s", of.Name, s.Mode(), reporting.HowResized(s))
		}
	}
}
