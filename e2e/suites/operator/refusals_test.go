package operator

import (
	"errors"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/e2e/lib/world"
)

var worker = []string{"spec", "pytorchReplicaSpecs", "Worker"}

// command has the workers of a job started by a command.
func command(words ...any) func(*unstructured.Unstructured) {
	return func(job *unstructured.Unstructured) {
		path := append(append([]string{}, worker...), "template", "spec", "containers")
		containers, _, _ := unstructured.NestedSlice(job.Object, path...)
		containers[0].(map[string]any)["command"] = words
		set(containers, path...)(job)
	}
}

// patched mends a job with a merge patch.
func patched(patch string) func(*world.World) {
	return func(w *world.World) { w.Patch(w.TrainingJob("PyTorchJob", "resnet"), patch) }
}

// remade mends a job by making it anew without what was wrong with it.
func remade(w *world.World) {
	w.Delete(w.TrainingJob("PyTorchJob", "resnet"))
	w.Eventually("the job is gone", world.Soon, func() error { return gone(w) })
	w.PyTorchJob("resnet", world.Job{Workers: 1, Suspended: true, Queue: "default"})
}

// scaler is a HorizontalPodAutoscaler of somebody else.
func scaler(w *world.World) *autoscalingv2.HorizontalPodAutoscaler {
	return &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.Namespace, Name: "theirs"},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{
				APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: "resnet",
			},
			MaxReplicas: 2,
		},
	}
}

// Its workers may restart 0 times, which they cannot be told otherwise while they run.
func TestAJobThatRunsAsPeopleWriteItIsSetRightByItsFirstResize(t *testing.T) {
	t.Parallel()
	w := world.New(t, world.Options{Start: world.Operate})
	w.Nodes(1, 4)
	w.PyTorchJob("resnet", world.Job{Workers: 4, Min: 2, Queue: "default"})
	w.Eventually("it is taken on as it runs", world.Soon, func() error {
		return errors.Join(world.IsTrue(w.Job("resnet"), v1alpha1.ConditionAdmitted),
			world.Want("running", w.Running("resnet"), 4))
	})
	w.PlainPod("theirs", 2)
	w.Eventually("it gives back two GPUs by a restart", world.Soon, func() error {
		all := w.Resizes("resnet")
		if len(all) == 0 {
			return errors.New("it is not resized")
		}
		restarts, _, err := unstructured.NestedInt64(w.Read("PyTorchJob", "resnet").Object, "spec", "elasticPolicy",
			"maxRestarts")
		return errors.Join(err, world.Want("mode", all[0].Spec.Mode, v1alpha1.ResizeCold),
			world.Want("running", w.Running("resnet"), 2),
			world.Want("restarts", restarts, int64(100)))
	})
}

func TestAJobThatIsNotSafeToResizeIsLeftAloneUntilItIsPutRight(t *testing.T) {
	t.Parallel()
	onTemplate := func(patch string) string { return `{"spec":{"pytorchReplicaSpecs":{"Worker":` + patch + `}}}` }
	for name, tc := range map[string]struct {
		job    world.Job
		before func(*world.World)
		reason string
		says   string
		mend   func(*world.World)
	}{
		"an autoscaler of somebody else": {
			job: world.Job{Suspended: true},
			before: func(w *world.World) {
				if err := w.Client.Create(t.Context(), scaler(w)); err != nil {
					t.Error(err)
				}
			},
			reason: "HasAutoscaler", says: "HorizontalPodAutoscaler theirs resizes PyTorchJob/resnet",
			mend: func(w *world.World) { w.Delete(scaler(w)) },
		},
		"no GPUs": {
			job: world.Job{GPUs: -1, Suspended: true}, reason: "NoGPUs", says: "ask for no GPU (nvidia.com/gpu)",
			mend: patched(onTemplate(`{"template":{"spec":{"containers":[{"name":"pytorch","image":"example.com/train:1","resources":{"limits":{"nvidia.com/gpu":"1"}}}]}}}`)),
		},
		"no sizes": {
			job: world.Job{Workers: 1, Max: 2, Annotations: map[string]string{"takt.dev/workers": "4-8"},
				Change: command("torchrun", "--nnodes=1:2", "train.py")},
			reason: "NoSizes", says: "The job itself allows 1 to 2",
			mend: patched(`{"metadata":{"annotations":{"takt.dev/workers":"1-2"}}}`),
		},
		"Kueue's label": {
			job:    world.Job{Labels: map[string]string{"kueue.x-k8s.io/queue-name": "team"}, Suspended: true},
			reason: "ManagedElsewhere", says: "leaves it to Kueue", mend: remade,
		},
		"managed by somebody else": {
			job:    world.Job{Suspended: true, Change: set("kueue.x-k8s.io/multikueue", "spec", "runPolicy", "managedBy")},
			reason: "ManagedElsewhere", says: "spec.runPolicy.managedBy is", mend: remade,
		},
		"nodes in the command": {
			job:    world.Job{Suspended: true, Change: command("torchrun", "--nnodes=2", "train.py")},
			reason: "NodesInCommand", says: "--nnodes 2",
			mend: patched(onTemplate(`{"template":{"spec":{"containers":[{"name":"pytorch","image":"example.com/train:1","command":["torchrun","train.py"],"resources":{"limits":{"nvidia.com/gpu":"1"}}}]}}}`)),
		},
		"an autoscaler of training-operator": {
			job:    world.Job{Suspended: true, Change: set([]any{}, "spec", "elasticPolicy", "metrics")},
			reason: "HasAutoscaler", says: "Remove metrics", mend: patched(`{"spec":{"elasticPolicy":{"metrics":null}}}`),
		},
		"a master with elasticPolicy": {
			job:    world.Job{Master: true, Suspended: true},
			reason: "MasterWithElasticPolicy", says: "or remove elasticPolicy", mend: patched(`{"spec":{"elasticPolicy":null}}`),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world.New(t, world.Options{Start: world.Operate})
			w.Nodes(1, 4)
			tc.job.Queue = "default"
			if tc.before != nil {
				w.StopOperator() // so that it hears of that no later than of the job
				tc.before(w)
				w.PyTorchJob("resnet", tc.job)
				w.StartOperator()
			} else {
				w.PyTorchJob("resnet", tc.job)
			}
			w.Eventually("it says what is wrong, and what to do", world.Soon, func() error {
				return refused(w.Job("resnet"), tc.reason, tc.says)
			})
			leftAlone(t, w)
			tc.mend(w)
			w.Eventually("Takt takes it up once that is done", world.Soon, func() error {
				problem := world.IsTrue(w.Job("resnet"), v1alpha1.ConditionAdmitted)
				if w.Running("resnet") == 0 {
					problem = errors.Join(problem, errors.New("no worker runs"))
				}
				return problem
			})
		})
	}
}
