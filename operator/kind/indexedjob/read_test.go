package indexedjob

import (
	"math"
	"os"
	"slices"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
)

func reasons(found []kind.Objection) (all []string) {
	for _, o := range found {
		all = append(all, o.Reason)
	}
	return all
}

func TestHowAJobCanBeResized(t *testing.T) {
	environment := func(entries ...corev1.EnvVar) func(*batchv1.Job) {
		return func(b *batchv1.Job) { b.Spec.Template.Spec.Containers[0].Env = entries }
	}
	for name, c := range map[string]struct {
		change      func(*batchv1.Job)
		mode        resize.Mode
		least, most resize.Workers
		onlyCold    []string
	}{
		"torchrun with a range": {mode: resize.Live, least: 1, most: 8},
		"by its environment": {func(b *batchv1.Job) {
			command("torchrun", "train.py")(b)
			environment(corev1.EnvVar{Name: "PET_NNODES", Value: "2:4"}, corev1.EnvVar{Name: "PET_RDZV_BACKEND", Value: "c10d"},
				corev1.EnvVar{Name: "PET_MAX_RESTARTS", Value: "20"})(b)
		}, resize.Live, 2, 4, nil},
		"a static rendezvous": {
			command("torchrun", "--nnodes", "1:8", "--max-restarts", "100"), resize.Cold, 1, 8, []string{"RendezvousFixed"},
		},
		"few restarts": {
			command("torchrun", "--nnodes", "1:8", "--rdzv_backend", "c10d"), resize.Cold, 1, 8, []string{"MaxRestartsTooLow"},
		},
		"no failure allowed": {
			func(b *batchv1.Job) { b.Spec.BackoffLimit = new(int32(0)) }, resize.Cold, 1, 8, []string{"BackoffLimitZero"},
		},
		"any other script":      {command("python", "train.py"), resize.Cold, 2, 2, nil},
		"told by an annotation": {command("torchrun", "--nnodes", "$(NNODES)"), resize.Cold, 2, 2, nil},
		"a range of variables": {func(b *batchv1.Job) {
			command("torchrun", "--nnodes=$(LEAST):$(MOST)", "--max-restarts=$(MOST)0", "--rdzv-backend=c10d")(b)
			environment(corev1.EnvVar{Name: "LEAST", Value: "2"}, corev1.EnvVar{Name: "MOST", Value: "$(LEAST)1"})(b)
		}, resize.Live, 2, 21, nil},
		"variables that stand for each other": {func(b *batchv1.Job) {
			command("torchrun", "--nnodes=$(A)")(b)
			environment(corev1.EnvVar{Name: "A", Value: "$(B)"}, corev1.EnvVar{Name: "B", Value: "$(A)"})(b)
		}, resize.Cold, 2, 2, nil},
		"variables of somebody else": {func(b *batchv1.Job) {
			command("sh", "-c", "torchrun --nnodes=${NODES:-2}")(b)
			b.Spec.Template.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{}}
		}, resize.Cold, 2, 2, nil},
		"in a container beside one that matters less": {func(b *batchv1.Job) {
			b.Spec.Template.Spec.Containers = append([]corev1.Container{{Name: "proxy"}}, b.Spec.Template.Spec.Containers...)
			b.Spec.Template.Annotations = map[string]string{"kubectl.kubernetes.io/default-container": "train"}
		}, resize.Live, 1, 8, nil},
		"in a container beside one without GPUs": {func(b *batchv1.Job) {
			b.Spec.Template.Spec.Containers[0].Resources.Limits = corev1.ResourceList{"amd.com/gpu": resource.MustParse("1")}
			b.Spec.Template.Spec.Containers = append([]corev1.Container{{Name: "logs", Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": resource.MustParse("1"), "example.com/gpu": resource.MustParse("0")},
			}}}, b.Spec.Template.Spec.Containers...)
		}, resize.Live, 1, 8, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := running()
			if c.change != nil {
				c.change(b)
			}
			j := job{}.Read(b)
			if j.Mode != c.mode || j.Least != c.least || j.Most != c.most || !slices.Equal(reasons(j.OnlyCold), c.onlyCold) {
				t.Errorf("%v from %d to %d, only cold for %v; want %v, %d to %d, %v", j.Mode, j.Least, j.Most, reasons(j.OnlyCold),
					c.mode, c.least, c.most, c.onlyCold)
			}
			same(t, []string(nil), reasons(j.Objections))
			same(t, false, j.EndsByLeaver)
		})
	}
}

// Pods that have failed count for as long as the Job is there, and containers that started again are counted apart from
// them: the Job fails by one of the two.
func TestHowOftenAJobMayFailYet(t *testing.T) {
	for policy, want := range map[corev1.RestartPolicy]int32{corev1.RestartPolicyOnFailure: 6,
		corev1.RestartPolicyNever: 5} {
		b := running(func(b *batchv1.Job) { b.Status.Failed, b.Spec.Template.Spec.RestartPolicy = 2, policy })
		same(t, &want, job{}.Read(b).Retries)
	}
}

// kube-controller-manager tells nobody for how long it makes no pods: it goes by those that have failed.
func TestAJobWhosePodsHaveFailedGetsNoOthersForAWhile(t *testing.T) {
	for failed, want := range map[int32]time.Duration{0: 0, 1: 10 * time.Second, 2: 20 * time.Second, 4: 80 * time.Second,
		7: 10 * time.Minute, math.MaxInt32: 10 * time.Minute} {
		j := job{}.Read(running(func(b *batchv1.Job) { b.Status.Failed = failed }))
		same(t, want, j.HoldsBack)
	}
	j := job{}.Read(running(func(b *batchv1.Job) {
		b.Status.Failed = 1
		b.Status.UncountedTerminatedPods = &batchv1.UncountedTerminatedPods{Failed: []types.UID{"a", "b"}}
	}))
	same(t, 40*time.Second, j.HoldsBack)
	same(t, 3, j.Failures)
}

// Once a worker has finished, a Job that runs keeps its size, and is looked after until it ends.
func TestAJobIsAtItsEndOnceAWorkerHasFinished(t *testing.T) {
	for _, change := range []func(*batchv1.Job){func(*batchv1.Job) {}, command("torchrun", "--nnodes=1:4", "train.py")} {
		j := job{}.Read(running(change, func(b *batchv1.Job) { b.Status.CompletedIndexes = "1" }))
		same(t, "Its worker 1 has finished, so its training is at its end, and its size stays as it is.", j.AtItsEnd)
		same(t, []string(nil), reasons(j.Objections))
		same(t, resize.Workers(1), j.Finished)
	}
	for indices, want := range map[string]resize.Workers{"": 0, "0": 1, "1,3-5": 4, "0-9": 6, "7": 0, "a-b,2": 1} {
		same(t, want, counted(indices, 6))
	}
}

// madeBy is a Job that an object of some kind has made.
func madeBy(version, kind string) func(*batchv1.Job) {
	return func(b *batchv1.Job) {
		b.OwnerReferences = []metav1.OwnerReference{
			{APIVersion: version, Kind: kind, Name: "nightly", Controller: new(true)},
		}
	}
}

func TestWhyAJobIsLeftAlone(t *testing.T) {
	for want, change := range map[string]func(*batchv1.Job){
		"NotIndexed":          func(b *batchv1.Job) { b.Spec.CompletionMode = new(batchv1.NonIndexedCompletion) },
		kind.ManagedElsewhere: func(b *batchv1.Job) { b.Spec.ManagedBy = new("kueue.x-k8s.io/multikueue") },
		"ManualSelector":      func(b *batchv1.Job) { b.Spec.ManualSelector = new(true) },
		"NoWorkers":           func(b *batchv1.Job) { b.Spec.Parallelism, b.Spec.Completions = new(int32(0)), new(int32(0)) },
		"NotElastic":          func(b *batchv1.Job) { b.Spec.Completions = new(int32(10)) },
		"AboutToFinish":       func(b *batchv1.Job) { b.Status.CompletedIndexes, b.Spec.Suspend = "1", new(true) },
		"BackoffLimitPerIndex": func(b *batchv1.Job) {
			b.Spec.BackoffLimitPerIndex = new(int32(3))
		},
		"FailsByExitCode": func(b *batchv1.Job) {
			b.Spec.PodFailurePolicy = &batchv1.PodFailurePolicy{Rules: []batchv1.PodFailurePolicyRule{{
				Action: batchv1.PodFailurePolicyActionFailJob, OnExitCodes: &batchv1.PodFailurePolicyOnExitCodesRequirement{},
			}}}
		},
		"SuccessPolicy": func(b *batchv1.Job) {
			b.Spec.SuccessPolicy = &batchv1.SuccessPolicy{Rules: []batchv1.SuccessPolicyRule{{SucceededIndexes: new("0-1")}}}
		},
		kind.HasGang: func(b *batchv1.Job) {
			b.Spec.Template.Annotations = map[string]string{"scheduling.k8s.io/group-name": "resnet"}
		},
		"NodesInCommand": command("torchrun", "--nnodes=2", "train.py"),
		"SizeInCommand":  command("accelerate", "launch", "--num_machines=2", "train.py"),
		"SizeInEnvironment": func(b *batchv1.Job) {
			command("python", "train.py")(b)
			b.Spec.Template.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "WORLD_SIZE", Value: "16"}}
		},
	} {
		j := job{}.Read(running(change))
		same(t, []string{want}, reasons(j.Objections))
	}
	for name, change := range map[string]func(*batchv1.Job){
		"in a queue of Kueue":           func(b *batchv1.Job) { b.Labels = map[string]string{kind.QueueOfKueue: "team"} },
		"of a JobSet":                   madeBy("jobset.x-k8s.io/v1alpha2", "JobSet"),
		"of a CronJob of somebody else": madeBy("example.com/v1", "CronJob"),
	} {
		if got := reasons(job{}.Read(running(change)).Objections); !slices.Equal(got, []string{kind.ManagedElsewhere}) {
			t.Errorf("%s: %v", name, got)
		}
	}
	for name, change := range map[string]func(*batchv1.Job){
		"a rule that ignores evictions": func(b *batchv1.Job) {
			b.Spec.PodFailurePolicy = &batchv1.PodFailurePolicy{
				Rules: []batchv1.PodFailurePolicyRule{{Action: batchv1.PodFailurePolicyActionIgnore}},
			}
		},
		"in no queue of Kueue":  func(b *batchv1.Job) { b.Labels = map[string]string{kind.QueueOfKueue: ""} },
		"of a CronJob":          madeBy("batch/v1", "CronJob"),
		"managed by Kubernetes": func(b *batchv1.Job) { b.Spec.ManagedBy = new(batchv1.JobControllerName) },
	} {
		if got := reasons(job{}.Read(running(change)).Objections); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestHowAJobEnds(t *testing.T) {
	for condition, want := range map[batchv1.JobConditionType]resize.JobState{
		batchv1.JobComplete: resize.JobFinished, batchv1.JobSuccessCriteriaMet: resize.JobFinished,
		batchv1.JobFailed: resize.JobFailed, batchv1.JobFailureTarget: resize.JobFailed,
		batchv1.JobSuspended: resize.JobGoesOn,
	} {
		b := running(func(b *batchv1.Job) {
			b.Status.Conditions = []batchv1.JobCondition{
				{Type: condition, Status: corev1.ConditionTrue, Message: "so it is", LastTransitionTime: metav1.NewTime(ended)},
			}
		})
		if j := (job{}).Read(b); j.State != want ||
			want != resize.JobGoesOn && (!j.EndedAt.Equal(ended) || j.Message != "so it is") {
			t.Errorf("%s: %v at %v: %s", condition, j.State, j.EndedAt, j.Message)
		}
	}
	gone := running(func(b *batchv1.Job) { b.DeletionTimestamp = new(metav1.NewTime(ended)) })
	same(t, resize.JobDeleted, job{}.Read(gone).State)
}

func TestPodsAreNumberedByTheirCompletionIndex(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Labels: map[string]string{batchv1.JobNameLabel: "bert", batchv1.JobCompletionIndexAnnotation: "3"},
	}}
	if index, trains := (job{}).Index(pod, 0); index != 3 || !trains {
		t.Errorf("%d, %t", index, trains)
	}
	for _, label := range []string{batchv1.JobNameLabel, batchv1.JobCompletionIndexAnnotation} {
		other := pod.DeepCopy()
		delete(other.Labels, label)
		if _, trains := (job{}).Index(other, 0); trains {
			t.Errorf("It trains without %s.", label)
		}
	}
}

func TestPodsOfJobsOfAnotherGroupAreNoneOfIts(t *testing.T) {
	for group, want := range map[string]bool{"batch/v1": true, "batch.volcano.sh/v1alpha1": false} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{
			{APIVersion: group, Kind: "Job", Name: "bert", UID: "u-1", Controller: new(true)},
		}}}
		owner, is := job{}.Owner(pod)
		if is != want || is && owner != (kind.Owner{Name: "bert", UID: "u-1"}) {
			t.Errorf("%s: %v, %t", group, owner, is)
		}
	}
}

func TestSampleIsElastic(t *testing.T) {
	text, err := os.ReadFile("../../../config/samples/job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var b batchv1.Job
	if err := yaml.UnmarshalStrict(text, &b); err != nil {
		t.Fatal(err)
	}
	if j := (job{}).Read(&b); j.Mode != resize.Live || len(j.Objections)+len(j.OnlyCold) > 0 || j.Most != 8 {
		t.Errorf("%v, at most %d: %v %v", j.Mode, j.Most, j.Objections, j.OnlyCold)
	}
}
