package reporting_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/coretime"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
	"github.com/takt-dev/takt/operator/memory"
	"github.com/takt-dev/takt/operator/progress"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/predictor"
)

// What people read of a job in each state that it can be in: the verdict with its sentence, and the
// conditions that hold.
func TestStatusSaysHowAJobStands(t *testing.T) {
	due := func(in time.Duration) func(*v1alpha1.ElasticJob) {
		return func(ej *v1alpha1.ElasticJob) { ej.Spec.DeadlineAfter = v1alpha1.NewDuration(time.Hour + in) }
	}
	suspended := func(job *kubeflow.PyTorchJob) { job.Spec.RunPolicy.Suspend = new(true) }
	ended := func(how kubeflow.JobConditionType, ago time.Duration) func(*kubeflow.PyTorchJob) {
		return func(job *kubeflow.PyTorchJob) {
			at := metav1.NewTime(fixture.Start.Add(-ago))
			job.Status.CompletionTime = &at
			job.Status.Conditions = []kubeflow.JobCondition{{
				Type: how, Status: corev1.ConditionTrue, LastTransitionTime: at, Message: "Worker 0 says so.",
			}}
		}
	}
	decided := func(o elastic.Outcome) func(*memory.Job, time.Time) {
		return func(known *memory.Job, due time.Time) { known.Decide(o, due, fixture.Start) }
	}
	expected := coretime.Seconds(fixture.Start.Add(20 * time.Minute))
	onTrack := elastic.Outcome{
		Workers: 1, Verdict: elastic.OnTrack, Message: "The deadline is promised.", Reason: elastic.ForDeadline,
		Why: "It has 1 worker: that is what its deadline takes.", Promised: true, ExpectedEnd: &expected,
	}
	atRisk := elastic.Outcome{
		Workers: 0, Verdict: elastic.AtRisk, Message: "There is no room for it.", Reason: elastic.NotPromised,
		Why: "It waits for a promise.",
	}
	for name, test := range map[string]struct {
		ej      func(*v1alpha1.ElasticJob)
		job     func(*kubeflow.PyTorchJob) // nil: there is none
		pod     bool
		decided func(*memory.Job, time.Time)
		want    string
	}{
		"just seen": {due(time.Hour), suspended, false, nil, `
			Estimating: The job has just been seen: the next plan says more.
			Admitted Unknown NotPlannedYet, Suspended True SuspendedByTakt`},
		"not left alone any more": {func(ej *v1alpha1.ElasticJob) {
			due(time.Hour)(ej)
			ej.Status.Verdict, ej.Status.Message = v1alpha1.VerdictLeftAlone, "Takt leaves this job alone. It asks for no GPU."
		}, suspended, false, nil, `
			Estimating: The job has just been seen: the next plan says more.
			Admitted Unknown NotPlannedYet, Suspended True SuspendedByTakt`},
		"promised, and runs": {due(time.Hour), func(*kubeflow.PyTorchJob) {}, true, decided(onTrack), `
			OnTrack: The deadline is promised. No progress was read yet.
			ETA 12:20, slack 40m
			Admitted True Promised, OnTrack True OnTrack, Running True WorkersRun`},
		"promised, and waits": {due(time.Hour), suspended, false, decided(onTrack), `
			OnTrack: The deadline is promised. It is to have 1 worker: that is what its deadline takes.
			ETA 12:20, slack 40m
			Admitted True Promised, OnTrack True OnTrack, Suspended True SuspendedByTakt`},
		"promised, and its pods do not run": {due(time.Hour), func(*kubeflow.PyTorchJob) {}, false, decided(onTrack), `
			OnTrack: The deadline is promised. It has no pods yet.
			ETA 12:20, slack 40m
			Admitted True Promised, OnTrack True OnTrack`},
		"not promised": {due(time.Hour), suspended, false, decided(atRisk), `
			AtRisk: There is no room for it. It waits for a promise.
			Admitted False NotPromised, Suspended True SuspendedByTakt`},
		"the deadline has passed": {due(-time.Minute), func(*kubeflow.PyTorchJob) {}, true, decided(onTrack), `
			Missed: Its deadline has passed, and it is not finished. It goes on as best-effort. It is expected to end at 2026-11-21T12:20:00Z. No progress was read yet.
			ETA 12:20, slack -21m
			Admitted True Promised, Running True WorkersRun`},
		"the deadline was over before it was created": {func(ej *v1alpha1.ElasticJob) {
			ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(-2 * time.Hour))
		}, func(*kubeflow.PyTorchJob) {}, true, decided(onTrack), `
			Missed: Its deadline, 2026-11-21T10:00:00Z, was over before the job was created: write one that is to come. It goes on as best-effort. It is expected to end at 2026-11-21T12:20:00Z. No progress was read yet.
			ETA 12:20, slack -2h20m
			Admitted True Promised, Running True WorkersRun`},
		"finished in time": {due(time.Hour), ended(kubeflow.JobSucceeded, time.Minute), false, nil, `
			Met: It finished 1h1m before its deadline.
			ETA 11:59, slack 1h1m
			Succeeded True JobFinished, Admitted False JobFinished, OnTrack True Met`},
		"finished late": {due(-10 * time.Minute), ended(kubeflow.JobSucceeded, time.Minute), false, nil, `
			Missed: It finished 9m after its deadline.
			ETA 11:59, slack -9m
			Succeeded True JobFinished, Admitted False JobFinished`},
		"finished, without a deadline": {func(*v1alpha1.ElasticJob) {},
			ended(kubeflow.JobSucceeded, time.Minute), false, nil, `
			BestEffort: The job has finished.
			ETA 11:59
			Succeeded True JobFinished, Admitted False JobFinished`},
		"failed": {due(time.Hour), ended(kubeflow.JobFailed, time.Minute), false, nil, `
			Missed: The job has failed. Worker 0 says so.
			Failed True JobFailed, Admitted False JobFailed`},
		"left alone": {func(*v1alpha1.ElasticJob) {}, func(job *kubeflow.PyTorchJob) {
			job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Containers[0].Resources.Limits = nil
		}, false, nil, `
			LeftAlone: Takt leaves this job alone. The workers of PyTorchJob/resnet ask for no GPU (nvidia.com/gpu), and GPUs are what Takt shares out: add one to the resource limits of a container.
			Admitted False NoGPUs`},
		"left alone, and held for Takt": {func(ej *v1alpha1.ElasticJob) { ej.Spec.Queue = "none" },
			func(job *kubeflow.PyTorchJob) {
				suspended(job)
				job.Annotations = map[string]string{kind.HeldAnnotation: "until-admitted"}
			}, false, nil, `
			LeftAlone: Takt leaves this job alone. There is no TrainingQueue none: create it, or name another in spec.queue of this ElasticJob. Unless that is put right within a minute, it runs as it is written.
			Admitted False QueueNotFound, Suspended True SuspendedByTakt`},
		"left alone, and waits for others": {func(ej *v1alpha1.ElasticJob) {
			ej.Spec.Queue, ej.Spec.After = "none", []v1alpha1.Predecessor{{Name: "first"}, {Name: "second"}}
		}, func(job *kubeflow.PyTorchJob) {
			suspended(job)
			job.Annotations = map[string]string{kind.HeldAnnotation: "until-admitted"}
		}, false, nil, `
			LeftAlone: Takt leaves this job alone. There is no TrainingQueue none: create it, or name another in spec.queue of this ElasticJob. It waits for first and second to succeed, and stays stopped until then. Unless what is wrong is put right by then, it runs as it is written.
			Admitted False QueueNotFound, Suspended True SuspendedByTakt`},
		"left alone, and stopped by Takt": {func(ej *v1alpha1.ElasticJob) { ej.Spec.Queue = "none" },
			func(job *kubeflow.PyTorchJob) {
				suspended(job)
				ask, err := written.EncodeAsk(job.UID, resize.Ask{Epoch: 3, Stage: resize.Forward, Workers: 1, Suspended: true,
					At: fixture.Start}, written.Before{Size: 1})
				if err != nil {
					t.Fatal(err)
				}
				job.Annotations = map[string]string{kind.AskAnnotation: ask}
			}, false, nil, `
			LeftAlone: Takt leaves this job alone. There is no TrainingQueue none: create it, or name another in spec.queue of this ElasticJob. Takt had stopped it before: unless that is put right within a minute, it runs again.
			Admitted False QueueNotFound, Suspended True SuspendedByTakt`},
		"left alone, and suspended by its user": {func(ej *v1alpha1.ElasticJob) { ej.Spec.Queue = "none" },
			suspended, false, nil, `
			LeftAlone: Takt leaves this job alone. There is no TrainingQueue none: create it, or name another in spec.queue of this ElasticJob. It is suspended, and stays so until that is put right, or somebody resumes it.
			Admitted False QueueNotFound, Suspended True SuspendedByTakt`},
		"left alone, and its deadline has passed": {due(-time.Minute), func(job *kubeflow.PyTorchJob) {
			job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Containers[0].Resources.Limits = nil
		}, false, nil, `
			LeftAlone: Its deadline has passed, and it is not finished. Takt leaves this job alone. The workers of PyTorchJob/resnet ask for no GPU (nvidia.com/gpu), and GPUs are what Takt shares out: add one to the resource limits of a container.
			Admitted False NoGPUs`},
		"there is no such job": {due(time.Hour), nil, false, nil, `
			Estimating: There is no PyTorchJob/resnet in namespace team: create it, or delete this ElasticJob.
			Admitted False JobNotFound`},
	} {
		t.Run(name, func(t *testing.T) {
			ej := fixture.ElasticJob("resnet", test.ej)
			objects := []client.Object{ej, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team"}},
				fixture.Node("node", "8")}
			if test.job != nil {
				job := fixture.PyTorchJob("resnet", 1, test.job)
				objects = append(objects, job)
				if test.pod {
					objects = append(objects, fixture.Worker0(job, "node"))
				}
			}
			o := fixture.Stopped(t, interceptor.Funcs{}, objects...)
			status := fixture.StatusAsWritten(t.Context(), t, o, ej, test.decided)
			for _, complaint := range unreadable(status.Conditions) {
				t.Error(complaint)
			}
			want := strings.ReplaceAll(strings.TrimSpace(test.want), "\t", "")
			if diff := cmp.Diff(want, inWords(status)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// inWords is a status in a few lines: of its conditions whether the job may run, and those that hold.
func inWords(s v1alpha1.ElasticJobStatus) string {
	lines := []string{fmt.Sprintf("%s: %s", s.Verdict, s.Message)}
	if eta, err := s.Prediction.ETA.Time(); err == nil {
		line := "ETA " + eta.Format("15:04")
		if s.Summary.Slack != "" {
			line += ", slack " + s.Summary.Slack
		}
		lines = append(lines, line)
	}
	var conditions []string
	for _, c := range s.Conditions {
		if c.Type == v1alpha1.ConditionAdmitted || c.Status == metav1.ConditionTrue {
			conditions = append(conditions, fmt.Sprintf("%s %s %s", c.Type, c.Status, c.Reason))
		}
	}
	return strings.Join(append(lines, strings.Join(conditions, ", ")), "\n")
}

// unreadable lists what is wrong with a list of conditions, read from the top.
func unreadable(conditions []metav1.Condition) []string {
	var complaints []string
	silent := ""
	for _, c := range conditions {
		switch {
		case c.Message == "" && c.Status == metav1.ConditionTrue:
			complaints = append(complaints, c.Type+" is True, and says nothing")
		case c.Message == "":
			silent = c.Type
		case silent != "":
			complaints = append(complaints, fmt.Sprintf("%s has nothing to say, and comes before %s: %s", silent, c.Type,
				c.Message))
		case wording.Sentences(c.Message) != c.Message:
			complaints = append(complaints, fmt.Sprintf("%s does not end in one full stop: %q", c.Type, c.Message))
		}
	}
	return complaints
}

// A share that has turned out to be that of a part is told no more, by no process.
func TestARefutedShareIsToldNoMore(t *testing.T) {
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
		ej.Status.Progress = v1alpha1.ProgressStatus{PartsPerMillion: 990_000, Source: "Logs"}
	})
	job := fixture.PyTorchJob("resnet", 1)
	o := fixture.Stopped(t, interceptor.Funcs{}, ej, job, fixture.Worker0(job, "node"), fixture.Node("node", "8"))
	known := o.Memory.Of(job.UID, fixture.Start, fixture.Unseen)
	known.Run.Sample(progress.Sample{Source: v1alpha1.ProgressLogs, At: fixture.Start, Done: 990, Total: 1000,
		Unit: "steps"},
		predictor.Shape{Workers: 1, Nodes: 1})
	if is := fixture.StatusAsWritten(t.Context(), t, o, ej, nil); is.Summary.Progress != "99%" {
		t.Errorf("it is told to have done %s", is.Summary.Progress)
	}
	known.Run.Failed(&progress.SourceError{Source: v1alpha1.ProgressLogs, Err: progress.ErrPart}, fixture.Start)
	if is := fixture.StatusAsWritten(t.Context(), t, o, ej, nil); is.Summary.Progress != "" ||
		is.Progress.PartsPerMillion != 0 {
		t.Errorf("it is told to have done %s", is.Summary.Progress)
	}
}
