package doctor

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/kind/written"
)

// jobs says which jobs are not as safe as they could be, and which cannot be read.
func (f Facts) jobs() Findings {
	var all Findings
	for _, job := range f.Jobs {
		all = append(all, f.job(&job)...)
	}
	if len(all) == 0 {
		return Findings{{Level: OK, Subject: "jobs",
			Says: fmt.Sprintf("nothing is wrong with %s that you may see.", elastic.CountOf(len(f.Jobs), "job"))}}
	}
	return all
}

// job is what is to be said of one.
func (f Facts) job(job *v1alpha1.ElasticJob) Findings {
	name := job.Namespace + "/" + job.Name
	failed := meta.FindStatusCondition(job.Status.Conditions, v1alpha1.ConditionFailed)
	if failed != nil && failed.Status == metav1.ConditionTrue && failed.Reason == "JobCutShort" {
		return Findings{{Broken, name, failed.Message,
			"let the training exit with a code other than 0 when it is told to stop, and submit it again."}}
	}
	if job.Status.Over() {
		return nil
	}
	var all Findings
	admitted := meta.FindStatusCondition(job.Status.Conditions, v1alpha1.ConditionAdmitted)
	switch {
	case job.Status.Verdict == v1alpha1.VerdictLeftAlone && admitted != nil && admitted.Status == metav1.ConditionFalse:
		all = append(all, Finding{Broken, name, "Takt leaves it alone (" + admitted.Reason + ").", admitted.Message})
	case job.Status.Verdict == v1alpha1.VerdictLeftAlone:
		all = append(all, Finding{Broken, name, "Takt leaves it alone.", job.Status.Message})
	case job.Status.Verdict == "" && f.Now.Sub(job.CreationTimestamp.Time) > time.Minute:
		all = append(all, Finding{Broken, name, "Takt has said nothing of it since it " +
			"was made, " + ago(job.CreationTimestamp.Time, f.Now) + " ago.",
			"see that the operator runs and looks after namespace " + job.Namespace + " (namespaces in its settings)."})
	}
	// Where a job is left alone, its message says so.
	if keys := job.Status.Summary.Misspelt; keys != "" && job.Status.Verdict != v1alpha1.VerdictLeftAlone {
		all = append(all, Finding{
			Broken, name, keys + " on the job cannot be used.", afterwards(job.Status.Message, "On the job: "),
		})
	}
	all = append(all, hindered(job, name)...)
	return append(all, f.unsafe(job, name)...)
}

// hindered says what keeps a job from the size that it could have, or its workers from running.
func hindered(job *v1alpha1.ElasticJob, name string) (all Findings) {
	more := fmt.Sprintf("takt why %s -n %s says more.", job.Name, job.Namespace)
	for _, kind := range []string{v1alpha1.ConditionResizing, v1alpha1.ConditionRunning} {
		c := meta.FindStatusCondition(job.Status.Conditions, kind)
		if c == nil || c.Message == "" {
			continue
		}
		if bad, known := howBad(c.Reason); known && bad != OK {
			all = append(all, Finding{bad, name, c.Message, more})
		}
	}
	return all
}

// cannotRun is the reason of a job of which a worker cannot run.
const cannotRun = "WorkersCannotRun"

// yetToRun is that of a job of which a worker takes long to run.
const yetToRun = "WorkersYetToRun"

// hindrances are the reasons for which a job is not as it could be, and how bad each is: OK are those that pass by
// themselves.
var hindrances = map[string]Level{
	cannotRun: Broken, "WorkersNotPlaced": Broken, predecessor: Broken,
	yetToRun: Note, "QuotaReached": Note, "NoNodeFits": Note, "StartsInVain": Broken,
	"CannotBeReckonedWith": Note, "NodeDoesNotAnswer": Note,
	"LastResizeFailed": Note, "SizeHeld": Note, "OnOtherNodes": Note, "ResizeRefused": Broken,
	"GPUsNotFreeYet": OK, "PodsNotGoneYet": OK, "NotTakenYet": OK, "PodsHeldBack": OK,
	"OthersStartBeside": OK, "GPUsNotNamed": OK,
}

// predecessor begins the reasons of a job that waits for another which will not succeed by itself.
const predecessor = "Predecessor"

// howBad says how bad it is that a job is hindered for a reason; false for what hinders no job.
func howBad(reason string) (bad Level, known bool) {
	if strings.HasPrefix(reason, predecessor) {
		reason = predecessor
	}
	bad, known = hindrances[reason]
	return bad, known
}

// settled is how long a job may take to tell its progress and to save its state before that is worth a word.
const settled = 10 * time.Minute

// unsafe says what a change of size would cost a job that runs, and what Takt cannot read of it.
func (f Facts) unsafe(job *v1alpha1.ElasticJob, name string) Findings {
	running := meta.FindStatusCondition(job.Status.Conditions, v1alpha1.ConditionRunning)
	if running == nil || running.Status != metav1.ConditionTrue || f.Now.Sub(running.LastTransitionTime.Time) < settled ||
		job.Status.Verdict == v1alpha1.VerdictLeftAlone || running.Reason == cannotRun { // the others wait for that worker
		return nil
	}
	var all Findings
	if job.Status.Progress.Source == "" {
		all = append(all, f.unread(job, name, running.LastTransitionTime.Time))
	} else if at, err := job.Status.Progress.ObservedAt.Time(); err == nil && f.Now.Sub(at) > settled &&
		f.Now.Sub(at) > f.Now.Sub(running.LastTransitionTime.Time)/2 {
		all = append(all, Finding{
			Note, name, fmt.Sprintf("it has told nothing new for %s (%s).", ago(at, f.Now), job.Status.Progress.Source),
			logs(job) + " says whether it still trains.",
		})
	}
	if job.Status.Progress.LastCheckpointAt == "" {
		all = append(all, Finding{
			Note, name,
			"no checkpoint of it was ever seen, so it is taken to lose all that it has trained when it is resized, and is " +
				"left as it is where that costs too much.",
			"have it save its state and say so, as in Saved checkpoint …, or write takt.dev/checkpoint on the job " +
				"(" + f.Release.Page("using.md") + ").",
		})
	}
	return all
}

// logs prints what the pods of a job have written last, whichever of them train.
func logs(job *v1alpha1.ElasticJob) string {
	ref := job.Spec.JobRef
	kind, _ := written.KindOf(schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind))
	return fmt.Sprintf("kubectl -n %s logs -l %s=%s --prefix", job.Namespace, kind.PodLabel, ref.Name)
}

// unread says of a job that tells nothing what is known of it all the same.
func (f Facts) unread(job *v1alpha1.ElasticJob, name string, since time.Time) Finding {
	so := "nobody can tell when it ends"
	switch {
	case job.Status.Prediction.ETA != "":
		so = "it is planned by what is expected of it, or what earlier runs have taken"
	case job.Status.Promised == "":
		so += ", so it can be promised nothing"
	}
	do := "have it print its steps or epochs with their total, as in step 420/1000, or write takt.dev/progress"
	if job.Spec.Expected.Duration == "" && job.Status.Prediction.ETA == "" {
		do += " or takt.dev/expected"
	}
	return Finding{Note, name,
		fmt.Sprintf("Takt cannot read how far it is, though it has run for %s: %s.", ago(since, f.Now), so),
		do + " on the job (" + f.Release.Page("using.md") + ").",
	}
}

func ago(at, now time.Time) string { return elastic.Shorten(elastic.Seconds(now.Sub(at).Seconds())) }

// afterwards is what follows a part of a text; all of it if that is not there.
func afterwards(text, part string) string {
	if _, after, found := strings.Cut(text, part); found {
		return after
	}
	return text
}
