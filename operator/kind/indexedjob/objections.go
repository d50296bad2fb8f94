package indexedjob

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/torchrun"
)

// Ignores says that a Job is none of Takt's if its pods do not know each other.
func (job) Ignores(object client.Object) string {
	if indexed(object.(*batchv1.Job)) {
		return ""
	}
	return "Takt sizes only Jobs with completionMode: Indexed, whose pods know which of them they are. The mode " +
		"of a Job cannot be changed: create it anew with that."
}

// objections are why a Job is left alone, whatever its workers can do.
func objections(b *batchv1.Job) (found []kind.Objection) {
	for _, rule := range []func(*batchv1.Job) (reason, message string){
		notIndexed, elsewhere, ofQueue, owned, ownSelector, notElastic, someDone, countedByIndex, failsByCode,
		fixedNodes, fixedSize, gang, endsEarly,
	} {
		if reason, message := rule(b); reason != "" {
			found = append(found, kind.Objection{Reason: reason, Message: message, Fits: fits(b, reason)})
		}
	}
	return found
}

// fits is the size at which nothing is the matter after all.
func fits(b *batchv1.Job, reason string) resize.Workers {
	text, given := nodes(b)
	switch {
	case given && reason == nodesInCommand:
		return torchrun.OneSize(text)
	case reason == kind.SizeInCommand, reason == kind.SizeInEnvironment, reason == kind.HasGang, reason == successPolicy:
		return writtenFor(b)
	}
	return 0
}

const (
	nodesInCommand = "NodesInCommand"
	successPolicy  = "SuccessPolicy"
)

func notIndexed(b *batchv1.Job) (reason, message string) {
	if message := (job{}).Ignores(b); message != "" {
		return "NotIndexed", message
	}
	return "", ""
}

func elsewhere(b *batchv1.Job) (reason, message string) {
	if by := b.Spec.ManagedBy; by != nil && *by != batchv1.JobControllerName {
		return kind.ManagedElsewhere, fmt.Sprintf("spec.managedBy is %q, so Kubernetes does not run this Job. It cannot "+
			"be changed: "+
			"create the Job without it, or leave it to whoever it names.", *by)
	}
	return "", ""
}

func ofQueue(b *batchv1.Job) (reason, message string) {
	if queue := b.Labels[kind.QueueOfKueue]; queue != "" {
		return kind.ManagedElsewhere, fmt.Sprintf("The label %s: %s leaves it to Kueue when the Job runs, and two cannot "+
			"decide that. "+
			"Create the Job without the label, or without Takt.", kind.QueueOfKueue, queue)
	}
	return "", ""
}

// owned leaves a Job alone that something else has made, unless that is a CronJob, which makes Jobs and changes none.
func owned(b *batchv1.Job) (reason, message string) {
	_, scheduled := kind.Controlled(b, batchv1.SchemeGroupVersion.WithKind("CronJob"))
	if owner := metav1.GetControllerOf(b); owner != nil && !scheduled {
		return kind.ManagedElsewhere, fmt.Sprintf("The Job belongs to %s %s, which may change its size as well, and two "+
			"cannot decide that. "+
			"Create the Job by itself, or leave it to that.", owner.Kind, owner.Name)
	}
	return "", ""
}

func ownSelector(b *batchv1.Job) (reason, message string) {
	if b.Spec.ManualSelector != nil && *b.Spec.ManualSelector {
		return "ManualSelector", "With spec.manualSelector the pods of other Jobs may count as those of this one. It " +
			"cannot be changed: create the Job without manualSelector and selector."
	}
	return "", ""
}

func notElastic(b *batchv1.Job) (reason, message string) {
	switch {
	case size(b) < 1:
		return "NoWorkers", "spec.parallelism is 0, so there is nothing to size. Set it and spec.completions to 1 or more."
	case b.Spec.Completions == nil || *b.Spec.Completions != int32(size(b)):
		completions := "not given"
		if b.Spec.Completions != nil {
			completions = fmt.Sprint(*b.Spec.Completions)
		}
		return "NotElastic", fmt.Sprintf("spec.parallelism is %d and spec.completions is %s, so its pods work through a "+
			"list and do not "+
			"train together. Takt sizes Jobs in which both are the same.", size(b), completions)
	}
	return "", ""
}

// someDone leaves a Job alone that is stopped, and of which a worker has finished.
func someDone(b *batchv1.Job) (reason, message string) {
	done := finished(b)
	if done == "" || !suspended(b) {
		return "", ""
	}
	return kind.AboutToFinish, fmt.Sprintf("%s exited with 0, and Kubernetes starts none of them again: the others would "+
		"train without them. If the training is not at its end, create the Job anew.", whoHave(done))
}

// atItsEnd says of a Job that runs, and some of whose workers have finished, that it keeps its size, and how many have.
func atItsEnd(j kind.Job, b *batchv1.Job) (why string, done resize.Workers) {
	indices := finished(b)
	switch {
	case indices == "" || j.Suspended:
		return "", 0
	case j.Asked.Epoch > 0:
		why = fmt.Sprintf("%s exited with 0, at the end of the training or since Takt has stopped it for a resize: "+
			"Kubernetes takes the one for the other, and starts none of them again. So its size stays as it is. If the "+
			"training is not at its end, create the Job anew, and let it exit with another code upon SIGTERM.",
			whoHave(indices))
	default:
		why = kind.AtItsEnd(whoHave(indices))
	}
	return why, counted(indices, j.Size)
}

// finished are the indices of the workers that have, as the Job tells them; empty if none has, or if all is over.
func finished(b *batchv1.Job) string {
	if state, _, _ := state(b); state != resize.JobGoesOn {
		return ""
	}
	return b.Status.CompletedIndexes
}

// counted is how many indices such as 0,2-4 there are below a size.
func counted(indices string, below resize.Workers) (count resize.Workers) {
	for span := range strings.SplitSeq(indices, ",") {
		from, to, ranged := strings.Cut(span, "-")
		if !ranged {
			to = from
		}
		first, errFirst := strconv.Atoi(from)
		last, errLast := strconv.Atoi(to)
		if errFirst == nil && errLast == nil {
			count += max(min(resize.Workers(last)+1, below)-resize.Workers(first), 0)
		}
	}
	return count
}

// whoHave names workers by their indices, such as 1 or 0,2-4.
func whoHave(indices string) string {
	if _, err := strconv.Atoi(indices); err == nil {
		return fmt.Sprintf("Its worker %s has", indices)
	}
	return fmt.Sprintf("Its workers %s have", indices)
}

func countedByIndex(b *batchv1.Job) (reason, message string) {
	if b.Spec.BackoffLimitPerIndex != nil {
		return "BackoffLimitPerIndex", "With spec.backoffLimitPerIndex a worker that was lost too often is not started " +
			"again, and the others wait for it for ever. Create the Job with spec.backoffLimit instead."
	}
	return "", ""
}

// failsByCode leaves a Job alone that a leaver can fail: how a training exits that is told to end is up to the
// training.
func failsByCode(b *batchv1.Job) (reason, message string) {
	if policy := b.Spec.PodFailurePolicy; policy != nil && slices.ContainsFunc(policy.Rules,
		func(r batchv1.PodFailurePolicyRule) bool {
			return r.Action == batchv1.PodFailurePolicyActionFailJob && r.OnExitCodes != nil
		}) {
		return "FailsByExitCode", "A rule of spec.podFailurePolicy fails the whole Job by an exit code, which may be that " +
			"of a worker that was told to leave. It cannot be changed: create the Job without the rule."
	}
	return "", ""
}

// fixedNodes leaves a Job alone whose torchrun waits for one size alone.
func fixedNodes(b *batchv1.Job) (reason, message string) {
	text, given := nodes(b)
	if _, _, ranged := torchrun.NodesRange(text); !given || ranged {
		return "", ""
	}
	return nodesInCommand, fmt.Sprintf("torchrun is told --nnodes %s, which stays the same at every size. Create the "+
		"Job with a range, such as "+
		"--nnodes 1:8, or with --nnodes $(NNODES), where NNODES is a variable from the annotation %s of the pod.", text,
		SizeAnnotation)
}

// fixedSize leaves a Job alone whose training is told one size by other words than those of torchrun.
func fixedSize(b *batchv1.Job) (reason, message string) {
	_, _, elastic := elasticRange(b)
	instead := fmt.Sprintf("Create the Job with a variable from the annotation %s of the pod in its place.",
		SizeAnnotation)
	if elastic {
		instead = "Create the Job without it: torchrun tells each process how many there are."
	}
	if words, found := torchrun.SizeInCommand(trainer(b), writtenFor(b)); found {
		return kind.SizeInCommand, fmt.Sprintf("The command says %s, which stays the same at every size. %s", words, instead)
	}
	if words, found := torchrun.SizeInEnvironment(trainer(b), writtenFor(b)); found && !elastic {
		return kind.SizeInEnvironment, fmt.Sprintf("Its workers have the variable %s, which stays the same at every size. "+
			"Create the Job with its value from the annotation %s of the pod.", words, SizeAnnotation)
	}
	return "", ""
}

func gang(b *batchv1.Job) (reason, message string) {
	if s := b.Spec.Scheduling; s != nil && s.SchedulingPolicy != nil && s.SchedulingPolicy.Gang != nil {
		return kind.HasGang, "spec.scheduling makes its pods a gang of Kubernetes, which waits for a number of them. " +
			"Create the Job without it: takt-scheduler places new workers all together or not at all."
	}
	if mark := kind.GangOfOthers(&b.Spec.Template); mark != "" {
		return kind.HasGang, fmt.Sprintf("%s on its template has a scheduler start as many pods at once as it was written "+
			"for, and none of fewer. Create the Job without it: takt-scheduler places new workers all together or not at all.",
			mark)
	}
	return "", ""
}

// endsEarly leaves a Job alone whose successPolicy names others than its first worker: Kubernetes refuses it at any
// size that is smaller than they are.
func endsEarly(b *batchv1.Job) (reason, message string) {
	if b.Spec.SuccessPolicy == nil {
		return "", ""
	}
	for _, rule := range b.Spec.SuccessPolicy.Rules {
		if rule.SucceededIndexes != nil && *rule.SucceededIndexes != "0" || rule.SucceededCount != nil &&
			*rule.SucceededCount > 1 {
			return successPolicy, "A rule of spec.successPolicy names more workers than the first, and Kubernetes refuses it " +
				"where there are fewer. It cannot be changed: create the Job with succeededIndexes: \"0\", or without it."
		}
	}
	return "", ""
}

// liveObjections are those to resizing an elastic Job while it trains. None can be mended: the template of a Job stays
// as it was created.
func liveObjections(b *batchv1.Job) []kind.Objection {
	var found []kind.Objection
	if backend, _ := said(b, "rdzv-backend", "PET_RDZV_BACKEND"); backend != "c10d" {
		found = append(found, kind.Objection{Reason: "RendezvousFixed",
			Message: "Workers join and leave a training where torchrun " +
				"has --rdzv-backend c10d, and this Job does not say so. Create it with that, and with --rdzv-endpoint " +
				"JOB-0.SERVICE:29500, where SERVICE is a headless Service that its pods name as their subdomain."})
	}
	text, _ := said(b, "max-restarts", "PET_MAX_RESTARTS")
	if n, _ := strconv.Atoi(text); n < torchrun.FewestRestarts {
		found = append(found, kind.Objection{Reason: "MaxRestartsTooLow", Message: fmt.Sprintf(
			"Its workers may restart %s, and every time that the Job shrinks would use one up. Create it with torchrun "+
				"--max-restarts 100.",
			elastic.CountOf(n, "time"))})
	}
	if limit := b.Spec.BackoffLimit; limit != nil && *limit < 1 {
		found = append(found, kind.Objection{Reason: "BackoffLimitZero",
			Message: "With spec.backoffLimit 0 the whole Job fails as soon as " +
				"one worker is evicted or replaced. Set it to 1 or more."})
	}
	return found
}
