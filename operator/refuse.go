package operator

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/capacity"
	"github.com/takt-dev/takt/operator/shorthand"
	"github.com/takt-dev/takt/operator/wording"
)

// refusal is why Takt leaves a job alone, for the condition Admitted.
type refusal struct{ reason, message string }

// Reasons for which there is no job to look after.
const (
	reasonNoKind  = "KindNotInstalled"
	reasonNoJob   = "JobNotFound"
	reasonDeleted = "JobDeleted"
)

// leavesAlone says whether there is a job that Takt does nothing with, and not one that is yet to come, or
// is on its way out.
func (r *refusal) leavesAlone() bool {
	return r != nil && !slices.Contains([]string{reasonNoKind, reasonNoJob, reasonDeleted}, r.reason)
}

// sentence is what the verdict says of it.
func (r *refusal) sentence() string {
	if r.leavesAlone() {
		return "Takt leaves this job alone. " + r.message
	}
	return r.message
}

// refuse goes through the reasons for which a job is left alone; the first that applies says what is
// to be changed. nil is that none does.
func (o *Operator) refuse(ctx context.Context, s *subject) (*refusal, error) {
	for _, rule := range []func(*subject) *refusal{notServed, notFound, replaced, taken, ended, misspelt(o), objected, withoutGPUs(o), leaderTakesMore(o), outOfRange} {
		if refused := rule(s); refused != nil {
			return refused, nil
		}
	}
	if refused, err := o.autoscaled(ctx, s); refused != nil || err != nil {
		return refused, err
	}
	return o.notInQueue(ctx, s)
}

func notServed(s *subject) *refusal {
	if s.kind != nil {
		return nil
	}
	return &refusal{reasonNoKind, fmt.Sprintf("This cluster knows no %s: install Kubeflow's training-operator. "+
		"Takt goes on with this job as soon as it is there.", s.ej.Spec.JobRef.Kind)}
}

func notFound(s *subject) *refusal {
	if s.object != nil {
		return nil
	}
	return &refusal{reasonNoJob, fmt.Sprintf("There is no %s in namespace %s: create it, or delete this ElasticJob.",
		s.ej.Spec.JobRef.String(), s.ej.Namespace)}
}

func replaced(s *subject) *refusal {
	if !ofEarlierJob(s.ej, s.job.UID) {
		return nil
	}
	return &refusal{"JobReplaced", fmt.Sprintf("This ElasticJob belongs to an earlier %s, which is gone, and goes as well: "+
		"make another for the one that is there now.", s.ej.Spec.JobRef.String())}
}

func taken(s *subject) *refusal {
	if s.taken == nil {
		return nil
	}
	return &refusal{"JobTaken", fmt.Sprintf("ElasticJob %s looks after %s already: delete one of the two.",
		s.taken.Name, s.ej.Spec.JobRef.String())}
}

func ended(s *subject) *refusal {
	switch s.job.State {
	case resize.JobDeleted:
		return &refusal{reasonDeleted, "The job is being deleted."}
	case resize.JobFinished:
		return &refusal{"JobFinished", "The job has finished."}
	case resize.JobFailed:
		return &refusal{"JobFailed", wording.Sentences("The job has failed.", s.job.Message)}
	default:
		return nil
	}
}

// objected passes on what the kind of the job says.
func objected(s *subject) *refusal {
	for _, objection := range s.job.Objections {
		return &refusal{objection.Reason, objection.Message}
	}
	return nil
}

func withoutGPUs(o *Operator) func(*subject) *refusal {
	return func(s *subject) *refusal {
		if capacity.GPUs(&s.job.Worker.Spec, o.gpus) > 0 {
			return nil
		}
		return &refusal{"NoGPUs", fmt.Sprintf("The workers of %s ask for no GPU (%s), and GPUs are what Takt shares out: "+
			"add one to the resource limits of a container.", s.ej.Spec.JobRef.String(), wording.Or(o.settings.GPUs.Resources))}
	}
}

// leaderTakesMore refuses a job whose leader takes more GPUs than a worker: planned for as one more worker, it would find
// no room. One that takes fewer has what a worker has, which costs nobody a start.
func leaderTakesMore(o *Operator) func(*subject) *refusal {
	return func(s *subject) *refusal {
		if s.job.Leader == nil {
			return nil
		}
		leader, worker := capacity.GPUs(&s.job.Leader.Spec, o.gpus), capacity.GPUs(&s.job.Worker.Spec, o.gpus)
		if leader <= worker {
			return nil
		}
		return &refusal{"UnlikeWorkers", fmt.Sprintf("The first pod of %s asks for %s and each other worker for %d, and Takt plans for "+
			"workers that are all alike. Have all of them ask for the same.", s.ej.Spec.JobRef.String(), elastic.CountGPUs(leader), worker)}
	}
}

func outOfRange(s *subject) *refusal {
	if least, most := s.sizes(); least > most {
		return &refusal{"NoSizes", fmt.Sprintf("It is to have %s at least and %d at most, which cannot be: lower workers.min or raise workers.max. "+
			"The job itself allows %d to %d.", elastic.Count(elastic.Workers(least)), most, s.job.Least, s.job.Most)}
	}
	return nil
}

// notInQueue says whether the job may use its queue. The default queue is there even if nobody has
// made it.
func (o *Operator) notInQueue(ctx context.Context, s *subject) (*refusal, error) {
	name := s.ej.Spec.Queue
	var queue v1alpha1.TrainingQueue
	err := o.client.Get(ctx, types.NamespacedName{Name: name}, &queue)
	if apierrors.IsNotFound(err) {
		if name == capacity.Default().Name {
			return nil, nil
		}
		return &refusal{"QueueNotFound", fmt.Sprintf("There is no TrainingQueue %s: create it, or name another in %s.", name, namesQueue(s))}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking at TrainingQueue %s: %w", name, err)
	}
	if queue.Spec.NamespaceSelector == nil {
		return nil, nil
	}
	var namespace corev1.Namespace
	if err := o.client.Get(ctx, types.NamespacedName{Name: s.ej.Namespace}, &namespace); err != nil {
		return nil, fmt.Errorf("looking at namespace %s: %w", s.ej.Namespace, err)
	}
	may, err := capacity.MayUse(&queue, namespace.Labels)
	switch {
	case err != nil:
		return &refusal{"QueueNotAllowed", wording.Sentences(fmt.Sprintf("The namespaceSelector of TrainingQueue %s cannot be read: %v", name, err),
			fmt.Sprintf("Name another queue in %s, or ask whoever runs the cluster to correct it.", namesQueue(s)))}, nil
	case !may:
		return &refusal{"QueueNotAllowed", fmt.Sprintf("Namespace %s may not use TrainingQueue %s: its namespaceSelector does not choose it. "+
			"Name another queue in %s, or ask whoever runs the cluster.", s.ej.Namespace, name, namesQueue(s))}, nil
	}
	return nil, nil
}

// namesQueue says where the queue of a job is named.
func namesQueue(s *subject) string {
	if s.job.Labels[shorthand.QueueLabel] == s.ej.Spec.Queue {
		return fmt.Sprintf("the label %s of %s", shorthand.QueueLabel, s.ej.Spec.JobRef.String())
	}
	return "spec.queue of this ElasticJob"
}
