package kubeflow

import (
	"fmt"
	"strconv"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/torchrun"
	"github.com/takt-dev/takt/operator/kind/written"
)

// objections are those that hold for a training-operator job of either kind.
func objections(meta *metav1.ObjectMeta, policy *kubeflow.RunPolicy, leader, workers replicas,
	written resize.Workers) []kind.Objection {
	var found []kind.Objection
	if by := policy.ManagedBy; by != nil && *by != kubeflow.KubeflowJobsController {
		found = append(found, kind.Objection{Reason: kind.ManagedElsewhere, Message: fmt.Sprintf(
			"spec.runPolicy.managedBy is %q, so training-operator does not run this job. It cannot be changed: "+
				"create the job without it, or leave the job to whoever it names.", *by)})
	}
	if queue := meta.Labels[kind.QueueOfKueue]; queue != "" {
		found = append(found, kind.Objection{Reason: kind.ManagedElsewhere, Message: fmt.Sprintf(
			"The label %s: %s leaves it to Kueue when the job runs, and two cannot decide that. "+
				"Create the job without the label, or without Takt.", kind.QueueOfKueue, queue)})
	}
	if workers.count() < 1 {
		without := kind.Objection{Reason: "NoWorkers",
			Message: "The job declares no Worker replicas, so there is nothing to size. Declare at least one Worker."}
		if alone(leader, workers) {
			without.Fits = leader.fixed()
		}
		found = append(found, without)
	}
	if leader.exist() && leader.count() != 1 {
		found = append(found, kind.Objection{Reason: "MasterNotOne", Message: fmt.Sprintf(
			"The job declares %d %s replicas, and a training has one master. Set its replicas to 1.", leader.count(),
			leader.key)})
	}
	return append(found, gangObjections(policy, workers, written)...)
}

// gangObjections are those to pods that another scheduler starts together. What training-operator tells it of their
// number it knows by itself (startsTogether).
func gangObjections(policy *kubeflow.RunPolicy, workers replicas, written resize.Workers) []kind.Objection {
	object := func(what, instead string) []kind.Objection {
		return []kind.Objection{{Reason: kind.HasGang, Fits: written, Message: fmt.Sprintf(
			"%s has a scheduler start as many pods at once as it was written for, and none of fewer. %s", what, instead)}}
	}
	if s := policy.SchedulingPolicy; s != nil && s.MinResources != nil && len(*s.MinResources) > 0 {
		return object("spec.runPolicy.schedulingPolicy.minResources",
			"Remove it: training-operator works it out of what the pods ask for.")
	}
	if mark := kind.GangOfOthers(workers.template()); mark != "" {
		return object(mark+" on the template of the workers",
			"Remove it: takt-scheduler places new workers all together or not at all.")
	}
	return nil
}

// atItsEnd says of a job that is resized by a restart that some of its workers have finished, and how many. Where
// workers come and go, one that has left counts as finished for a moment.
func atItsEnd(j kind.Job, status *kubeflow.JobStatus) (why string, finished resize.Workers) {
	of := status.ReplicaStatuses[kubeflow.PyTorchJobReplicaTypeWorker] // which are called so in every kind
	switch {
	case j.Mode == resize.Live || j.Suspended || j.Asked.Suspended || j.State != resize.JobGoesOn || of == nil ||
		of.Succeeded == 0:
		return "", 0
	case of.Succeeded == 1:
		return kind.AtItsEnd("One of its workers has"), 1
	}
	return kind.AtItsEnd(fmt.Sprintf("%d of its workers have", of.Succeeded)), resize.Workers(of.Succeeded)
}

// liveObjections are those to resizing a job while it trains: what training-operator would take a
// worker that leaves for. A cold resize is safe from them, since a job that is suspended is not
// judged by its pods.
func liveObjections(policy *kubeflow.RunPolicy, workers replicas) []kind.Objection {
	var found []kind.Objection
	if workers.exist() && workers.spec.RestartPolicy == kubeflow.RestartPolicyExitCode {
		found = append(found, kind.Objection{Reason: "RestartPolicyExitCode", Mendable: true,
			Message: "With restartPolicy ExitCode " +
				"the whole job would fail as soon as a worker that leaves exits with a code below 128: Takt sets it to OnFailure."})
	}
	if limit := policy.BackoffLimit; limit != nil && *limit < 1 {
		found = append(found, kind.Objection{Reason: "BackoffLimitZero",
			Message: "With spec.runPolicy.backoffLimit 0 the whole job " +
				"may fail as soon as one worker leaves. Set it to 1 or more, or remove it."})
	}
	return found
}

// pytorchObjections are those to a PyTorchJob that was written for a size.
func pytorchObjections(p *kubeflow.PyTorchJob, master, workers replicas, written resize.Workers) []kind.Objection {
	found := objections(&p.ObjectMeta, &p.Spec.RunPolicy, master, workers, written)
	if nodes, literal := nodesOf(p, workers); literal {
		if _, _, ranged := torchrun.NodesRange(nodes); !ranged || !pytorchLive(p) {
			found = append(found, kind.Objection{Reason: "NodesInCommand", Fits: torchrun.OneSize(nodes), Message: fmt.Sprintf(
				"The command of the workers says --nnodes %s, which stays the same at every size. "+
					"Remove it: training-operator tells torchrun the right number.", nodes)})
		}
	}
	found = append(found, sizeObjections(p, workers, written)...)
	e := p.Spec.ElasticPolicy
	if e == nil {
		return found
	}
	found = append(found, rangeObjections(p, workers)...)
	backend, _ := torchrun.Option(trainer(workers.template()), "rdzv-backend")
	if _, most := elasticRange(e, workers); backend == "static" && !master.exist() {
		found = append(found, kind.Objection{Reason: "RendezvousFixed", Fits: most,
			Message: "The command of the workers says --rdzv-backend static, which waits for as many workers as there may be " +
				"at most. Remove it: training-operator tells torchrun how they meet."})
	}
	// An empty list is enough for training-operator to make an autoscaler.
	if e.Metrics != nil {
		found = append(found, kind.Objection{Reason: "HasAutoscaler",
			Message: "spec.elasticPolicy.metrics makes training-operator " +
				"add a HorizontalPodAutoscaler, which would change the number of workers too. Remove metrics."})
	}
	if master.exist() {
		found = append(found, kind.Objection{Reason: "MasterWithElasticPolicy", Message: "The job has both a Master and " +
			"spec.elasticPolicy, and its pods are told two different things of how to meet. Make the Master one more Worker, " +
			"or remove elasticPolicy."})
	}
	return found
}

// sizeObjections are those to what tells the training one size by other words than those of torchrun. The processes of
// an elastic job have their variables from torchrun.
func sizeObjections(p *kubeflow.PyTorchJob, workers replicas, written resize.Workers) []kind.Objection {
	instead := "Write $(PET_NNODES) for the number of workers, which training-operator fills in."
	if p.Spec.ElasticPolicy != nil {
		instead = "Remove it: torchrun tells each process how many there are."
	}
	if words, found := torchrun.SizeInCommand(trainer(workers.template()), written, filledIn(p)...); found {
		return []kind.Objection{{Reason: kind.SizeInCommand, Fits: written, Message: fmt.Sprintf(
			"The command of the workers says %s, which stays the same at every size. %s", words, instead)}}
	}
	words, found := torchrun.SizeInEnvironment(trainer(workers.template()), written, filledIn(p)...)
	if p.Spec.ElasticPolicy != nil || !found {
		return nil
	}
	return []kind.Objection{{Reason: kind.SizeInEnvironment, Fits: written, Message: fmt.Sprintf(
		"The workers have the variable %s, which stays the same at every size. Remove it: training-operator sets PET_NNODES "+
			"to the right number of workers.", words)}}
}

// rangeObjections are those to the range of an elastic job: with one that no number of workers is in, its pods wait for
// each other for ever. Once Takt has asked the job for a size, the range is the one that Takt has written.
func rangeObjections(p *kubeflow.PyTorchJob, workers replicas) []kind.Objection {
	object := func(format string, values ...any) []kind.Objection {
		return []kind.Objection{{Reason: "ElasticRange", Message: fmt.Sprintf(format, values...)}}
	}
	e := p.Spec.ElasticPolicy
	least, most := elasticRange(e, workers)
	switch asked := written.DecodeAsk(p.UID, p.Annotations[kind.AskAnnotation]).Epoch > 0; {
	case e.MinReplicas != nil && *e.MinReplicas < 1:
		return object("spec.elasticPolicy.minReplicas is %d, and a training takes one worker at least. Set it to 1 or more.",
			*e.MinReplicas)
	case e.MaxReplicas != nil && *e.MaxReplicas < 1:
		return object("spec.elasticPolicy.maxReplicas is %d, and a training takes one worker at least. Set it to 1 or more.",
			*e.MaxReplicas)
	case least > most:
		return object("spec.elasticPolicy wants %s at least and %d at most, which cannot be. Lower minReplicas, or raise "+
			"maxReplicas.",
			elastic.CountOf(least, "worker"), most)
	case !asked && workers.count() > 0 && (workers.count() < least || workers.count() > most):
		return object("The job has %s, and spec.elasticPolicy allows %s. Set the replicas of the Worker to one of these, "+
			"or change "+
			"minReplicas and maxReplicas: one alone stands for both.", elastic.CountOf(workers.count(), "worker"),
			sizesOf(least, most))
	}
	return nil
}

// sizesOf writes a range as a person would.
func sizesOf(least, most resize.Workers) string {
	if least == most {
		return fmt.Sprintf("%d only", least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// pytorchLiveObjections are those to resizing an elastic job while it trains.
func pytorchLiveObjections(p *kubeflow.PyTorchJob, workers replicas, j kind.Job) []kind.Objection {
	e := p.Spec.ElasticPolicy
	found := liveObjections(&p.Spec.RunPolicy, workers)
	if !usesC10d(e) {
		found = append(found, kind.Objection{Reason: "RendezvousFixed", Message: fmt.Sprintf(
			"Its workers meet by rdzvBackend %s, where one that leaves may close the meeting for all, and nobody opens it "+
				"again. Write c10d, or leave rdzvBackend out.", *e.RDZVBackend)})
	}
	if workers.exist() && workers.spec.RestartPolicy == kubeflow.RestartPolicyNever {
		found = append(found, kind.Objection{Reason: "RestartPolicyNever", Mendable: true,
			Message: "With restartPolicy Never " +
				"the whole job would fail as soon as one worker is replaced: Takt sets it to OnFailure."})
	}
	if text, literal := torchrun.Option(trainer(workers.template()), "max-restarts"); literal {
		if n, err := strconv.Atoi(text); err == nil && n < torchrun.FewestRestarts {
			found = append(found, kind.Objection{Reason: "MaxRestartsTooLow", Message: fmt.Sprintf(
				"The command of the workers says --max-restarts %s, and every time that the job shrinks would use one up. "+
					"Remove it from the command, or set it to %d.", text, raisedRestarts)})
		}
	} else if n := restarts(e, workers.template()); n < torchrun.FewestRestarts {
		found = append(found, kind.Objection{Reason: "MaxRestartsTooLow", Mendable: true, Message: fmt.Sprintf(
			"Its workers may restart %s, and every time that the job shrinks would use one up: Takt sets "+
				"spec.elasticPolicy.maxRestarts to %d.", elastic.CountOf(n, "time"), raisedRestarts)})
	}
	if j.Least == j.Most {
		found = append(found, kind.Objection{Reason: "FixedRange", Mendable: true, Message: fmt.Sprintf(
			"Its workers were started to be %d, no more and no fewer: Takt sets the range in spec.elasticPolicy.", j.Most)})
	}
	return found
}
