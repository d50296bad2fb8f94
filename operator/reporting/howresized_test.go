package reporting_test

import (
	"strings"
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic"
	"github.com/takt-dev/takt/operator/fixture"
	"github.com/takt-dev/takt/operator/reporting"
	"github.com/takt-dev/takt/operator/shorthand"
)

// An elastic job as people write it runs without a word on restarts. It is looked after as it is, and what its
// workers cannot be told while they run is set right by its first resize.
func TestAJobThatRunsIsTakenOnAsItIs(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*kubeflow.PyTorchJob)
		mode   v1alpha1.ResizeMode
		says   string
	}{
		"nothing is the matter": {func(*kubeflow.PyTorchJob) {}, v1alpha1.ResizeLive, ""},
		"without maxRestarts": {func(job *kubeflow.PyTorchJob) { job.Spec.ElasticPolicy.MaxRestarts = nil },
			v1alpha1.ResizeCold,
			"Its first change of size restarts it, from its last checkpoint; later ones do not. Its workers may " +
				"restart 0 times"},
		"never restarted": {func(job *kubeflow.PyTorchJob) {
			job.Spec.PyTorchReplicaSpecs["Worker"].RestartPolicy = kubeflow.RestartPolicyNever
		}, v1alpha1.ResizeCold, "later ones do not. With restartPolicy Never"},
		"for good": {func(job *kubeflow.PyTorchJob) {
			job.Spec.ElasticPolicy.MaxRestarts, job.Spec.RunPolicy.BackoffLimit = nil, new(int32(0))
		}, v1alpha1.ResizeCold,
			"Its size changes with a restart only, from its last checkpoint. With spec.runPolicy.backoffLimit 0"},
		"one failure to spare once each worker has failed": {failsAfter(5), v1alpha1.ResizeLive, ""},
		"no failure to spare": {
			failsAfter(4), v1alpha1.ResizeCold,
			"from its last checkpoint. Its spec.runPolicy.backoffLimit would fail the whole job",
		},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 1, c.change)
			pod := fixture.Worker0(job, "node")
			pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "pytorch", RestartCount: 3}}
			o := fixture.Stopped(t, interceptor.Funcs{}, job, pod, fixture.ElasticJob("resnet"), fixture.Node("node", "8"))
			sc, err := o.Planner.Observe(t.Context())
			if err != nil || len(sc.Subjects) != 1 {
				t.Fatalf("%d jobs are planned for (%v)", len(sc.Subjects), err)
			}
			status, _ := o.Reporter.StatusOf(sc.Subjects[0], nil)
			if !strings.Contains(status.Message, c.says) || c.says == "" && strings.Contains(status.Message, "restart") {
				t.Errorf("it says %q, want %q", status.Message, c.says)
			}
			fixture.Decides(o, elastic.Resize{Job: "team/resnet", From: 1, To: 2, Reason: "GPUsFree"}, "There is room.")
			fixture.Plans(t, o)
			var resize v1alpha1.Resize
			if err := o.Client.Get(t.Context(), client.ObjectKey{Namespace: "team", Name: "resnet-1"}, &resize); err != nil ||
				resize.Spec.Mode != c.mode {
				t.Errorf("it is resized %s (%v), want %s", resize.Spec.Mode, err, c.mode)
			}
		})
	}
}

// failsAfter lets the pods of a job fail so often.
func failsAfter(times int32) func(*kubeflow.PyTorchJob) {
	return func(job *kubeflow.PyTorchJob) { job.Spec.RunPolicy.BackoffLimit = &times }
}

// A range that its running workers can have nothing of is a matter of a restart as well.
func TestAJobWhoseRangeIsOutOfReachIsRestartedForIt(t *testing.T) {
	job := fixture.PyTorchJob("resnet", 1, func(job *kubeflow.PyTorchJob) {
		job.Spec.ElasticPolicy.MaxReplicas = new(int32(2))
	})
	ej := fixture.ElasticJob("resnet", func(ej *v1alpha1.ElasticJob) {
		ej.Spec.Workers = v1alpha1.WorkerRange{Min: new(int32(4)), Max: new(int32(8))}
	})
	o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Worker0(job, "node"), ej, fixture.Node("node", "8"))
	sc, err := o.Planner.Observe(t.Context())
	if err != nil || len(sc.Subjects) != 1 {
		t.Fatalf("%d jobs are planned for (%v)", len(sc.Subjects), err)
	}
	s := sc.Subjects[0]
	if status, _ := o.Reporter.StatusOf(s, nil); s.Mode() != "Cold" ||
		!strings.Contains(status.Message, "Its workers were started to be 1 to 2.") {
		t.Errorf("it is resized %s: %s", s.Mode(), status.Message)
	}
}

// A job does not get all that it may have while its running workers cannot be as many: that is said, and not cut in
// silence.
func TestAJobIsToldWhyItGetsNoMoreWorkers(t *testing.T) {
	upTo := func(most int32) func(*v1alpha1.ElasticJob) {
		return func(ej *v1alpha1.ElasticJob) { ej.Spec.Workers = v1alpha1.WorkerRange{Min: new(int32(1)), Max: &most} }
	}
	atMostTwo := func(job *kubeflow.PyTorchJob) { job.Spec.ElasticPolicy.MaxReplicas = new(int32(2)) }
	nodes := func(job *kubeflow.PyTorchJob) {
		container := &job.Spec.PyTorchReplicaSpecs[kubeflow.PyTorchJobReplicaTypeWorker].Template.Spec.Containers[0]
		container.Command = []string{"torchrun", "--nnodes=1:3", "train.py"}
	}
	madeBy := func(apiVersion, kind string) func(*kubeflow.PyTorchJob) {
		return func(job *kubeflow.PyTorchJob) {
			job.OwnerReferences = []metav1.OwnerReference{{APIVersion: apiVersion, Kind: kind, Name: "train-x7", UID: "1",
				Controller: new(true)}}
			atMostTwo(job)
		}
	}
	ofWorkflow, ofTrial := madeBy("argoproj.io/v1alpha1", "Workflow"), madeBy("kubeflow.org/v1beta1", "Trial")
	for name, c := range map[string]struct {
		job  func(*kubeflow.PyTorchJob)
		most int32
		want string
	}{
		"its workers were started for fewer": {atMostTwo, 8,
			"It may have up to 8 workers once it is started anew: those that run were started to be 1 to 2."},
		"its command says so": {nodes, 8, "It may have up to 8 workers, but its command says that it trains with 1 to " +
			"3: let --nnodes in it end at 8, or lower workers.max to 3."},
		"it gets all": {atMostTwo, 2, ""},
		"a workflow has made it": {ofWorkflow, 2, "It was made by Workflow train-x7, to which it may have failed when it " +
			"is stopped or has other workers: so its size stays. takt.dev/interruptible: \"true\" on the job has it resized."},
		"a trial has made it": {ofTrial, 2, ""},
	} {
		job := fixture.PyTorchJob("resnet", 1, c.job)
		ej := fixture.ElasticJob("resnet", upTo(c.most))
		o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Worker0(job, "node"), ej, fixture.Node("node", "8"))
		sc, err := o.Planner.Observe(t.Context())
		if err != nil || len(sc.Subjects) != 1 {
			t.Fatalf("%d jobs are planned for (%v)", len(sc.Subjects), err)
		}
		if got := reporting.HowResized(sc.Subjects[0]); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What is never restarted, or keeps its size, is told of no restart, and gets none.
func TestAJobThatIsNotRestartedIsNotToldOfOne(t *testing.T) {
	atMostTwo := func(job *kubeflow.PyTorchJob) { job.Spec.ElasticPolicy.MaxReplicas = new(int32(2)) }
	withoutRestarts := func(job *kubeflow.PyTorchJob) { job.Spec.ElasticPolicy.MaxRestarts = nil }
	hold := func(job *kubeflow.PyTorchJob) {
		job.Annotations = map[string]string{shorthand.HoldAnnotation: "please"}
	}
	uninterruptible := func(ej *v1alpha1.ElasticJob) { ej.Spec.Interruptible = new(false) }
	fourToEight := func(ej *v1alpha1.ElasticJob) {
		ej.Spec.Workers = v1alpha1.WorkerRange{Min: new(int32(4)), Max: new(int32(8))}
	}
	inAnHour := func(ej *v1alpha1.ElasticJob) { ej.Spec.Deadline = v1alpha1.NewTime(fixture.Start.Add(time.Hour)) }
	for name, c := range map[string]struct {
		job []func(*kubeflow.PyTorchJob)
		ej  []func(*v1alpha1.ElasticJob)
	}{
		"uninterruptible, in a hurry": {
			[]func(*kubeflow.PyTorchJob){atMostTwo}, []func(*v1alpha1.ElasticJob){uninterruptible, fourToEight, inAnHour},
		},
		"uninterruptible, out of reach": {
			[]func(*kubeflow.PyTorchJob){atMostTwo}, []func(*v1alpha1.ElasticJob){uninterruptible, fourToEight},
		},
		"uninterruptible, without restarts": {
			[]func(*kubeflow.PyTorchJob){withoutRestarts}, []func(*v1alpha1.ElasticJob){uninterruptible},
		},
		"held, out of reach": {
			[]func(*kubeflow.PyTorchJob){atMostTwo, hold}, []func(*v1alpha1.ElasticJob){fourToEight},
		},
		"held, without restarts": {[]func(*kubeflow.PyTorchJob){withoutRestarts, hold}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			job := fixture.PyTorchJob("resnet", 1, c.job...)
			o := fixture.Stopped(t, interceptor.Funcs{}, job, fixture.Worker0(job, "node"),
				fixture.ElasticJob("resnet", c.ej...), fixture.Node("node", "8"))
			o.Planner.Warm.Store(true)
			for range 3 {
				fixture.Plans(t, o)
			}
			var all v1alpha1.ResizeList
			if err := o.Client.List(t.Context(), &all); err != nil || len(all.Items) > 0 {
				t.Errorf("it is resized: %+v (%v)", all.Items, err)
			}
			s, err := o.View.Look(t.Context(), fixture.Get(t, o, "resnet", &v1alpha1.ElasticJob{}))
			if err != nil {
				t.Fatal(err)
			}
			if status, _ := o.Reporter.StatusOf(s, nil); strings.Contains(status.Message, "restart") {
				t.Errorf("it says %q", status.Message)
			}
		})
	}
}
