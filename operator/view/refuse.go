package view

import (
	"context"
	"fmt"
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/elastic/yield"
	"github.com/takt-dev/takt/operator/cached"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/known"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/wording"
	"github.com/takt-dev/takt/shares"
)

// Refusal is why Takt leaves a job alone, for the condition Admitted.
type Refusal struct{ Reason, Message string }

// Reasons for which there is no job to look after.
const (
	reasonNoKind  = "KindNotInstalled"
	reasonNoJob   = "JobNotFound"
	reasonDeleted = "JobDeleted"
)

// LeavesAlone says whether there is a job that Takt does nothing with, and not one that is yet to come, or
// is on its way out.
func (r *Refusal) LeavesAlone() bool {
	return r != nil && !slices.Contains([]string{reasonNoKind, reasonNoJob, reasonDeleted}, r.Reason)
}

// Sentence is what the verdict says of it.
func (r *Refusal) Sentence() string {
	if r.LeavesAlone() {
		return "Takt leaves this job alone. " + r.Message
	}
	return r.Message
}

// Refuse goes through the reasons for which a job is left alone; the first that applies says what is
// to be changed. nil is that none does.
func (v *Viewer) Refuse(ctx context.Context, s *Subject) (*Refusal, error) {
	for _, rule := range []func(*Subject) *Refusal{notServed, notFound, replaced, taken, ended, misspelt(v), objected,
		withoutGPUs(v), leaderTakesMore(v), outOfRange} {
		if refused := rule(s); refused != nil {
			return refused, nil
		}
	}
	if refused, err := v.autoscaled(ctx, s); refused != nil || err != nil {
		return refused, err
	}
	return v.notInQueue(ctx, s)
}

func notServed(s *Subject) *Refusal {
	if s.Kind != nil {
		return nil
	}
	what := "ask whoever runs the cluster for it"
	if of, ok := known.ByKind(s.ElasticJob.Spec.JobRef.Kind); ok {
		what = of.Missing()
	}
	return &Refusal{reasonNoKind,
		fmt.Sprintf("This cluster knows no %s: %s. Takt goes on with this job as soon as it is there.",
			s.ElasticJob.Spec.JobRef.Kind, what)}
}

func notFound(s *Subject) *Refusal {
	if s.Object != nil {
		return nil
	}
	return &Refusal{reasonNoJob, fmt.Sprintf("There is no %s in namespace %s: create it, or delete this ElasticJob.",
		s.ElasticJob.Spec.JobRef.String(), s.ElasticJob.Namespace)}
}

func replaced(s *Subject) *Refusal {
	if !OfEarlierJob(s.ElasticJob, s.Job.UID) {
		return nil
	}
	return &Refusal{"JobReplaced",
		fmt.Sprintf("This ElasticJob belongs to an earlier %s, which is gone, and goes as well: "+
			"make another for the one that is there now.", s.ElasticJob.Spec.JobRef.String())}
}

func taken(s *Subject) *Refusal {
	if s.Taken == nil {
		return nil
	}
	return &Refusal{"JobTaken", fmt.Sprintf("ElasticJob %s looks after %s already: delete one of the two.",
		s.Taken.Name, s.ElasticJob.Spec.JobRef.String())}
}

func ended(s *Subject) *Refusal {
	switch s.Job.State {
	case resize.JobDeleted:
		return &Refusal{reasonDeleted, "The job is being deleted."}
	case resize.JobFinished:
		return &Refusal{"JobFinished", "The job has finished."}
	case resize.JobFailed:
		return &Refusal{"JobFailed", wording.Sentences("The job has failed.", s.Job.Message)}
	default:
		return nil
	}
}

// objected passes on what the kind of the job says.
func objected(s *Subject) *Refusal {
	least, most := s.Sizes()
	for _, objection := range s.Job.Objections {
		if objection.Reason == kind.AboutToFinish && s.Active() != nil {
			continue // Takt has stopped it itself, and starts it again
		}
		if fits := objection.Fits; fits == 0 || least != fits || most != fits {
			return &Refusal{objection.Reason, objection.Message}
		}
	}
	return nil
}

func withoutGPUs(o *Viewer) func(*Subject) *Refusal {
	return func(s *Subject) *Refusal {
		spec, job, gpus := &s.Job.Worker.Spec, s.ElasticJob.Spec.JobRef.String(), wording.Or(o.GPUs.Resources)
		if capacity.GPUs(spec, o.GPUs) > 0 {
			return nil
		}
		says := fmt.Sprintf("The workers of %s ask for no GPU (%s), and GPUs are what Takt shares out: "+
			"add one to the resource limits of a container.", job, gpus)
		others := devices(spec)
		switch {
		case s.Job.Leader != nil && capacity.GPUs(&s.Job.Leader.Spec, o.GPUs) > 0:
			says = fmt.Sprintf("Only the first pod of %s, which leads it, asks for GPUs (%s), and Takt does not count those "+
				"alone: have each worker ask for as many in the resource limits of a container, or leave out the workers.",
				job, gpus)
		case claims(spec):
			says = fmt.Sprintf("The workers of %s ask for devices by a ResourceClaim, which Takt does not count, and GPUs are "+
				"what it shares out: ask for %s in the resource limits of a container instead.", job, gpus)
		case len(others) > 0:
			says = fmt.Sprintf("The workers of %s ask for %s, which Takt does not count as a GPU here, and GPUs are what it "+
				"shares out: ask for %s, or, if it is an accelerator, have whoever runs the cluster add it to gpus.resources "+
				"in the settings.", job, wording.Or(others), gpus)
		}
		return &Refusal{"NoGPUs", says}
	}
}

// leaderTakesMore refuses a job whose leader takes more GPUs than a worker: planned for as one more worker, it would
// find no room. One that takes fewer is planned for with as many as a worker, and one that takes none with none.
func leaderTakesMore(o *Viewer) func(*Subject) *Refusal {
	return func(s *Subject) *Refusal {
		if s.Job.Leader == nil {
			return nil
		}
		leader, worker := capacity.GPUs(&s.Job.Leader.Spec, o.GPUs), capacity.GPUs(&s.Job.Worker.Spec, o.GPUs)
		if leader <= worker {
			return nil
		}
		return &Refusal{"UnlikeWorkers",
			fmt.Sprintf("The first pod of %s asks for %s and each other worker for %d, and Takt plans for "+
				"workers that are all alike. Have all of them ask for the same.", s.ElasticJob.Spec.JobRef.String(),
				elastic.CountGPUs(leader), worker)}
	}
}

func outOfRange(s *Subject) *Refusal {
	least, most := s.Sizes()
	if least > most && s.Chosen() {
		return &Refusal{yield.NoSizes,
			fmt.Sprintf("None of the sizes that it is to have (workers.sizes, workers.multipleOf) is one that it can have. "+
				"The job itself allows %d to %d: name one of these.", s.Job.Least, s.Job.Most)}
	}
	if least > most {
		return &Refusal{yield.NoSizes,
			fmt.Sprintf("It is to have %s at least and %d at most, which cannot be: lower workers.min or raise workers.max. "+
				"The job itself allows %d to %d.", elastic.Count(elastic.Workers(least)), most, s.Job.Least, s.Job.Most)}
	}
	return nil
}

// notInQueue says whether the job may use its queue. The default queue is there even if nobody has
// made it.
func (v *Viewer) notInQueue(ctx context.Context, s *Subject) (*Refusal, error) {
	name := s.ElasticJob.Spec.Queue
	switch {
	case s.queue == nil && name == shares.Default().Name:
		return nil, nil
	case s.queue == nil:
		return &Refusal{yield.QueueNotFound,
			fmt.Sprintf("There is no TrainingQueue %s: create it, or name another in %s.", name, namesQueue(s))}, nil
	case s.queue.Spec.NamespaceSelector == nil:
		return nil, nil
	}
	var namespace corev1.Namespace
	if err := v.Client.Get(ctx, types.NamespacedName{Name: s.ElasticJob.Namespace}, &namespace); err != nil {
		return nil, fmt.Errorf("looking at namespace %s: %w", s.ElasticJob.Namespace, err)
	}
	may, err := shares.MayUse(s.queue, namespace.Labels)
	switch {
	case err != nil:
		return &Refusal{yield.QueueNotAllowed,
			wording.Sentences(fmt.Sprintf("The namespaceSelector of TrainingQueue %s cannot be read: %v", name, err),
				fmt.Sprintf("Name another queue in %s, or ask whoever runs the cluster to correct it.", namesQueue(s)))}, nil
	case !may:
		return &Refusal{yield.QueueNotAllowed,
			fmt.Sprintf("Namespace %s may not use TrainingQueue %s: its namespaceSelector does not choose it. "+
				"Name another queue in %s, or ask whoever runs the cluster.", s.ElasticJob.Namespace, name, namesQueue(s))}, nil
	}
	return nil, nil
}

// namesQueue says where the queue of a job is named.
func namesQueue(s *Subject) string {
	if s.Job.Labels[shorthand.QueueLabel] == s.ElasticJob.Spec.Queue {
		return fmt.Sprintf("the label %s of %s", shorthand.QueueLabel, s.ElasticJob.Spec.JobRef.String())
	}
	return "spec.queue of this ElasticJob"
}

// autoscaled refuses a job that a HorizontalPodAutoscaler resizes.
func (v *Viewer) autoscaled(ctx context.Context, s *Subject) (*Refusal, error) {
	var scalers autoscalingv2.HorizontalPodAutoscalerList
	err := v.Client.List(ctx, &scalers, client.InNamespace(s.ElasticJob.Namespace),
		client.MatchingFields{cached.ByJob: s.ElasticJob.Spec.JobRef.String()}, cached.AtOnce)
	if err != nil {
		return nil, fmt.Errorf("listing the autoscalers of %s: %w", s.ElasticJob.Spec.JobRef.String(), err)
	}
	if len(scalers.Items) == 0 {
		return nil, nil
	}
	return &Refusal{"HasAutoscaler",
		fmt.Sprintf("HorizontalPodAutoscaler %s resizes %s, and only one can: delete it, or this ElasticJob.",
			scalers.Items[0].Name, s.ElasticJob.Spec.JobRef.String())}, nil
}
