package doctor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
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
	if resizing := meta.FindStatusCondition(job.Status.Conditions, v1alpha1.ConditionResizing); resizing != nil &&
		resizing.Message != "" && slices.Contains(hindrances, resizing.Reason) {
		all = append(all, Finding{
			Note, name, resizing.Message, fmt.Sprintf("takt why %s -n %s says more.", job.Name, job.Namespace),
		})
	}
	return append(all, f.unsafe(job, name)...)
}

// hindrances are reasons for which a job has not the size that it could have, until somebody does something.
var hindrances = []string{
	"QuotaReached", "NoNodeFits", "CannotBeReckonedWith", "NodeDoesNotAnswer", "LastResizeFailed", "SizeHeld",
}

// settled is how long a job may take to tell its progress and to save its state before that is worth a word.
const settled = 10 * time.Minute

// unsafe says what a change of size would cost a job that runs, and what Takt cannot read of it.
func (f Facts) unsafe(job *v1alpha1.ElasticJob, name string) Findings {
	running := meta.FindStatusCondition(job.Status.Conditions, v1alpha1.ConditionRunning)
	if running == nil || running.Status != metav1.ConditionTrue || f.Now.Sub(running.LastTransitionTime.Time) < settled ||
		job.Status.Verdict == v1alpha1.VerdictLeftAlone {
		return nil
	}
	var all Findings
	if job.Status.Progress.Source == "" {
		all = append(all, Finding{
			Note, name,
			fmt.Sprintf("Takt cannot read how far it is, though it has run for %s: it can be promised nothing, and is not "+
				"planned for.", ago(running.LastTransitionTime.Time, f.Now)),
			"have it print its steps or epochs with their total, as in step 420/1000, or write takt.dev/progress or " +
				"takt.dev/expected on the job (" + f.Release.Page("using.md") + ").",
		})
	} else if at, err := job.Status.Progress.ObservedAt.Time(); err == nil && f.Now.Sub(at) > settled &&
		f.Now.Sub(at) > f.Now.Sub(running.LastTransitionTime.Time)/2 {
		all = append(all, Finding{
			Note, name, fmt.Sprintf("it has told nothing new for %s (%s).", ago(at, f.Now), job.Status.Progress.Source),
			fmt.Sprintf("kubectl -n %s logs %s-worker-0 says whether it still trains.", job.Namespace, job.Spec.JobRef.Name),
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

func ago(at, now time.Time) string { return elastic.Shorten(elastic.Seconds(now.Sub(at).Seconds())) }

// afterwards is what follows a part of a text; all of it if that is not there.
func afterwards(text, part string) string {
	if _, after, found := strings.Cut(text, part); found {
		return after
	}
	return text
}
