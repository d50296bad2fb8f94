package resizing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/takt-dev/takt/agent/contract"
	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/view"
	"github.com/takt-dev/takt/operator/wrapping"
	"github.com/takt-dev/takt/operator/writing"
)

// carryOut does one step. All of them may be done twice, and none is done to anything but what was
// observed.
func (z *Resizer) carryOut(ctx context.Context, s *view.Subject, r *v1alpha1.Resize, step resize.Step,
	observed resize.Observed) error {
	switch step.Do {
	case resize.AskJob:
		return z.ask(ctx, s, r, step, observed.Job.Refused)
	case resize.DeletePods:
		return each(s, step.Pods, func(pod *corev1.Pod) error {
			return writing.Remove(ctx, z.Client, pod)
		})
	case resize.MarkDraining:
		return z.annotate(ctx, s, step.Pods, v1alpha1.DrainingAnnotation, contract.RequestAt(z.Now()).String())
	case resize.StepAside:
		return z.together(ctx, s, step.Pods, contract.StepAsideAnnotation, contract.RequestAt(step.AskedAt).String())
	case resize.LetIn:
		return z.together(ctx, s, step.Pods, v1alpha1.LetInAnnotation, strconv.FormatInt(int64(s.Job.Asked.Epoch), 10))
	case resize.AskCheckpoint:
		request := contract.RequestAt(step.AskedAt)
		return z.annotate(ctx, s, lacking(s, observed.Pods, request, observed.Now), contract.SaveAnnotation, request.String())
	default:
		return fmt.Errorf("nobody knows how to do %q", step.Do)
	}
}

// ask writes a size to the job, if it is still the one that was observed. Whatever reports progress on
// the job writes to it all the time: that is no reason to give way, as long as nothing has changed that
// the step depends on. noPodAs is why its controller can make no pod of it, if it says so.
func (z *Resizer) ask(ctx context.Context, s *view.Subject, r *v1alpha1.Resize, step resize.Step,
	noPodAs string) error {
	ask := step.Ask
	least, most := s.Sizes()
	to := kind.Target{ElasticJob: s.ElasticJob.Name, Least: least, Most: most, NodeSelector: r.Spec.NodeSelector,
		LeaderAnywhere: s.Leaders(z.GPUs) > 0}
	to.Agent = z.agentOf(s)
	if step.Reason == resize.AgentNotInstalled {
		why, _ := hindered(s.Pods, z.Limits.ReadyWithin, z.Now())
		to.Agent = wrapping.Intent{Image: to.Agent.Image, Fault: cmp.Or(why, noPodAs, step.Message)}
	}
	if ask.Suspended && ask.Stage != resize.Halt && r.Spec.To > 0 {
		to.ReturnsTo = ask.Workers
	}
	now, fresh, err := z.stored(ctx, s)
	if err != nil {
		return err
	}
	outdated := apierrors.NewConflict(z.View.Kinds.ResourceOf(s.Kind), s.Job.Name, writing.ErrOutdated)
	if !s.Kind.Read(fresh).Unchanged(s.Job) {
		return outdated
	}
	patch, err := s.Kind.Patch(fresh, ask, to)
	if errors.Is(err, kind.ErrNotYet) {
		return outdated
	}
	if err != nil {
		return err
	}
	if patch, err = kind.Guarded(now, patch); err != nil {
		return err
	}
	refused := writing.PatchJob(ctx, z.Client, s.Kind, s.Job, client.RawPatch(types.JSONPatchType, patch))
	if !apierrors.IsInvalid(refused) {
		return refused
	}
	// Either somebody was faster, or it is refused for what it says: that is so if nothing has changed.
	switch after, _, err := z.stored(ctx, s); {
	case err != nil:
		return err
	case after.GetResourceVersion() != now.GetResourceVersion():
		return outdated
	}
	return refused
}

// agentOf is what is to become of the agent in the pods of a job.
func (z *Resizer) agentOf(s *view.Subject) wrapping.Intent {
	return z.Settings.AgentDefault().For(s.Job.UID, s.ElasticJob.Spec.Agent, s.Job.Annotations[wrapping.FaultAnnotation])
}

// stored is the training job as the API server has it: with nothing that a type adds, and as its type.
func (z *Resizer) stored(ctx context.Context, s *view.Subject) (*unstructured.Unstructured, client.Object, error) {
	now, typed := &unstructured.Unstructured{}, s.Kind.New()
	now.SetGroupVersionKind(s.Kind.GroupVersionKind())
	if err := z.Live.Get(ctx, client.ObjectKeyFromObject(s.Object), now); err != nil {
		return nil, nil, err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(now.Object, typed); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", s.ElasticJob.Spec.JobRef.String(), err)
	}
	return now, typed, nil
}

// annotate writes an annotation on some of the workers, those that were observed and no later ones.
func (z *Resizer) annotate(ctx context.Context, s *view.Subject, workers []resize.Index, key, value string) error {
	return each(s, workers, func(pod *corev1.Pod) error {
		z.anew.begin(pod.UID)
		return client.IgnoreNotFound(writing.Annotate(ctx, z.Client, pod, written(z.Now(), map[string]any{key: value})))
	})
}

// together is annotate of all at the same moment, as near to it as can be.
func (z *Resizer) together(ctx context.Context, s *view.Subject, workers []resize.Index, key, value string) error {
	var writers errgroup.Group
	writers.SetLimit(atATime)
	for _, worker := range workers {
		writers.Go(func() error { return z.annotate(ctx, s, []resize.Index{worker}, key, value) })
	}
	return writers.Wait()
}

// atATime is how many pods are written to at once.
const atATime = 16

// each does something to some of the workers, in the order of their index.
func each(s *view.Subject, workers []resize.Index, do func(*corev1.Pod) error) error {
	for _, w := range s.Pods {
		if slices.Contains(workers, w.Index) && w.Pod.DeletionTimestamp == nil {
			if err := do(w.Pod); err != nil {
				return err
			}
		}
	}
	return nil
}
