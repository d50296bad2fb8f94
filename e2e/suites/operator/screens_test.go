package operator

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	eventsv1 "k8s.io/api/events/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/cluster"
	"github.com/takt-dev/takt/e2e/lib/world"
)

// screen is what kubectl shows, which has to match.
func screen(t *testing.T, w *world.World, want string, arguments ...string) {
	t.Helper()
	shown, err := cluster.Shared().Kubectl(t.Context(), append([]string{"-n", w.Namespace}, arguments...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("$ kubectl %s\n%s", strings.Join(arguments, " "), shown)
	if !regexp.MustCompile(want).MatchString(shown) {
		t.Errorf("kubectl %s shows nothing like %s", strings.Join(arguments, " "), want)
	}
}

func TestWhatPeopleWatchTellsTheLifeOfAJob(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	queue := w.Queue("research", v1alpha1.TrainingQueueSpec{})
	how := code(24000) // one worker takes 20 min: nothing is tight while people look
	w.PyTorchJob("resnet", world.Job{
		Max: 4, Suspended: true, Queue: queue, Deadline: "2h", Guarantee: "Promise", Training: how,
	})
	w.Eventually("its deadline is promised", world.Soon, func() error {
		status := w.Job("resnet").Status
		return errors.Join(promised(status), world.Want("verdict", status.Verdict, v1alpha1.VerdictOnTrack))
	})
	w.Eventually("the metrics tell what it has", world.Soon, func() error {
		return measured("takt_gpus", map[string]string{"queue": queue, "verdict": "OnTrack"})
	})
	screen(t, w, `(?s)NAME +JOB +WORKERS +PROGRESS +DEADLINE +ETA +SLACK +VERDICT +MISSPELT +AGE\s+resnet +PyTorchJob/resnet +[1-4]/4 +\d+% +\S+Z +\S+Z +\S+ +OnTrack`, "get", "elasticjobs")
	screen(t, w, `(?s)VERDICT +MISSPELT +QUEUE +COST +WHY +AGE\s.*OnTrack.* The deadline is promised\.`, "get", "ej", "-o",
		"wide")
	screen(t, w, `(?s)Admitted.*Deadline: .*Message: .*Verdict: .*Events:.*OnTrack`, "describe", "elasticjob", "resnet")
	w.Eventually("it has grown, and that has cost it something", world.Later, func() error {
		return world.Want("growths", slices.ContainsFunc(w.Resizes("resnet"), func(r v1alpha1.Resize) bool {
			end := r.Ending()
			return r.Spec.From > 0 && end != nil && end.Type == v1alpha1.ConditionSucceeded && r.Status.Cost.Pause != ""
		}), true)
	})
	settle(w, "resnet")
	w.Hurry("PyTorchJob", "resnet", how)
	screen(t, w, `condition met`, "wait", "--for=condition=Succeeded", "--timeout=2m", "elasticjob/resnet")
	verdictOf(w, "resnet", world.Soon, v1alpha1.VerdictMet)
	screen(t, w, `100% .* Met .* It finished .+ before its deadline\.`, "get", "elasticjobs", "-o", "wide")
	screen(t, w, `(?s)NAME +JOB +FROM +TO +REASON +PHASE +PAUSE +LOST +AGE\s+resnet-\d+ +resnet +0 +1 +Started +Succeeded`,
		"get", "resizes")
	screen(t, w, `(?s)deadline\s.*deadlineAfter\s.*guarantee\s.*workers\s`, "explain", "elasticjob.spec")

	var events eventsv1.EventList
	if err := w.Client.List(t.Context(), &events, client.InNamespace(w.Namespace)); err != nil {
		t.Fatal(err)
	}
	told := map[string]int{}
	for _, e := range events.Items {
		if e.ReportingController == "takt" {
			told[e.Reason+": "+e.Note]++
			t.Logf("event: %s %s: %s", e.Type, e.Reason, e.Note)
			if e.Series != nil {
				t.Errorf("it was told %d times that %s", e.Series.Count, e.Note)
			}
		}
	}
	for what, times := range told {
		if times > 1 {
			t.Errorf("it was told %d times that %s", times, what)
		}
	}
	// Its verdicts, and two lines for each resize: its end, and that new workers take part.
	if most := len(verdicts(w, "resnet")) + 2*len(w.Resizes("resnet")); len(told) > most || len(told) < 3 {
		t.Errorf("there are %d events, want 3 to %d", len(told), most)
	}
	if err := errors.Join(
		measured("takt_deadlines_total", map[string]string{"queue": queue, "outcome": "met"}),
		measured("takt_resize_seconds", map[string]string{"mode": "Live", "direction": "start", "end": "Succeeded"}),
		measured("takt_resize_seconds", map[string]string{"mode": "Live", "direction": "grow", "end": "Succeeded"}),
		measured("takt_resize_lost_gpu_seconds_total", map[string]string{"mode": "Live"}),
		measured("takt_plan_seconds", map[string]string{"result": "planned"}),
	); err != nil {
		t.Error(err)
	}
}

func TestMissedDeadlineIsToldAndCounted(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 1)
	queue := w.Queue("research", v1alpha1.TrainingQueueSpec{})
	how := code(180000) // one worker takes two hours and a half
	w.PyTorchJob("resnet", world.Job{Suspended: true, Queue: queue, Deadline: "10m", Training: how})
	verdictOf(w, "resnet", world.Soon, v1alpha1.VerdictInfeasible)
	screen(t, w, `give it \S+ more time`, "get", "elasticjobs", "-o", "wide")
	annotate(w, "takt.dev/deadline", "5s") // instead of the one that takes ten minutes
	verdictOf(w, "resnet", world.Later, v1alpha1.VerdictMissed)
	screen(t, w, `Its deadline has passed`, "get", "elasticjobs", "-o", "wide")
	w.Hurry("PyTorchJob", "resnet", how)
	w.Eventually("it ends late", world.Later, func() error { return tells(w, "resnet", "after its deadline") })
	screen(t, w, `It finished .+ after its deadline`, "get", "elasticjobs", "-o", "wide")
	if err := measured("takt_deadlines_total", map[string]string{"queue": queue, "outcome": "missed"}); err != nil {
		t.Error(err)
	}
}

// measured is an error unless a metric has a sample with some labels that is more than nothing.
func measured(name string, labels map[string]string) error {
	families, err := ctrlmetrics.Registry.Gather()
	if err != nil {
		return err
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, sample := range family.GetMetric() {
			if !has(sample, labels) {
				continue
			}
			value := sample.GetCounter().GetValue() + sample.GetGauge().GetValue() + float64(
				sample.GetHistogram().GetSampleCount())
			if value > 0 {
				return nil
			}
		}
	}
	return fmt.Errorf("no sample of %s%v tells anything", name, labels)
}

func has(sample *dto.Metric, labels map[string]string) bool {
	found := 0
	for _, label := range sample.GetLabel() {
		if want, ok := labels[label.GetName()]; ok && want == label.GetValue() {
			found++
		}
	}
	return found == len(labels)
}
