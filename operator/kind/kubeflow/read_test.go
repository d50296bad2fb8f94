package kubeflow

import (
	"testing"
	"time"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
)

// shape is what Read finds out, but for what it copies.
type shape struct {
	Size, Fixed, Least, Most, Floor, Ceiling resize.Workers
	Mode                                     resize.Mode
	Suspended                                bool
}

func shapeOf(j kind.Job) shape {
	return shape{j.Size, j.Fixed, j.Least, j.Most, j.Floor, j.Ceiling, j.Mode, j.Suspended}
}

func TestReadPyTorchJob(t *testing.T) {
	for name, c := range map[string]struct {
		job  *kubeflow.PyTorchJob
		want shape
	}{
		"elastic": {
			job:  pytorch(),
			want: shape{Size: 2, Least: 1, Most: 4, Floor: 1, Ceiling: 4, Mode: resize.Live},
		},
		"elastic and suspended: no pods that hold it in a range": {
			job:  pytorch(func(p *kubeflow.PyTorchJob) { p.Spec.RunPolicy.Suspend = new(true) }),
			want: shape{Size: 2, Least: 1, Most: 4, Mode: resize.Live, Suspended: true},
		},
		"elastic with no range": {
			job:  pytorch(func(p *kubeflow.PyTorchJob) { p.Spec.ElasticPolicy = &kubeflow.ElasticPolicy{} }),
			want: shape{Size: 2, Least: 2, Most: 2, Mode: resize.Cold},
		},
		"elastic with only a most, which is the least too": {
			job:  pytorch(func(p *kubeflow.PyTorchJob) { p.Spec.ElasticPolicy.MinReplicas = nil }),
			want: shape{Size: 2, Least: 4, Most: 4, Mode: resize.Cold},
		},
		"elastic with only a least, which is the most too": {
			job:  pytorch(func(p *kubeflow.PyTorchJob) { p.Spec.ElasticPolicy.MaxReplicas = nil }),
			want: shape{Size: 2, Least: 1, Most: 1, Mode: resize.Cold},
		},
		"elastic with a range upside down": {
			job: pytorch(func(p *kubeflow.PyTorchJob) {
				p.Spec.ElasticPolicy.MinReplicas, p.Spec.ElasticPolicy.MaxReplicas = new(int32(3)), new(int32(0))
			}),
			want: shape{Size: 2, Least: 3, Most: 3, Mode: resize.Cold},
		},
		"workers alone": {
			job:  pytorch(func(p *kubeflow.PyTorchJob) { p.Spec.ElasticPolicy = nil; p.Spec.RunPolicy.Suspend = nil }),
			want: shape{Size: 2, Least: 2, Most: 2, Mode: resize.Cold},
		},
		"master and workers": {
			job:  pytorch(withMaster),
			want: shape{Size: 3, Fixed: 1, Least: 3, Most: 3, Mode: resize.Cold},
		},
		"master alone": {
			job: pytorch(withMaster, func(p *kubeflow.PyTorchJob) {
				delete(p.Spec.PyTorchReplicaSpecs, "Worker")
			}),
			want: shape{Size: 1, Fixed: 1, Least: 1, Most: 1, Mode: resize.Cold},
		},
		"master beside no workers": {
			job:  pytorch(withMaster, noWorkers),
			want: shape{Size: 1, Fixed: 1, Least: 1, Most: 1, Mode: resize.Cold},
		},
		"replicas that nobody counted, in small letters": {
			job: pytorch(func(p *kubeflow.PyTorchJob) {
				spec := replicaSpec(0, "pytorch")
				spec.Replicas = nil
				p.Spec.PyTorchReplicaSpecs = map[kubeflow.ReplicaType]*kubeflow.ReplicaSpec{"worker": spec}
				p.Spec.ElasticPolicy = nil
			}),
			want: shape{Size: 1, Least: 1, Most: 1, Mode: resize.Cold},
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := c.job.DeepCopy()
			same(t, c.want, shapeOf(pytorchJob{}.Read(c.job)))
			same(t, before, c.job)
		})
	}
}

func withMaster(p *kubeflow.PyTorchJob) {
	p.Spec.ElasticPolicy = nil
	p.Spec.PyTorchReplicaSpecs["Master"] = replicaSpec(1, "pytorch")
}

// A rule about the pods beside a worker may go by any label that training-operator gives them.
func TestThePodsOfAJobAreKnownByWhatTheirControllerSays(t *testing.T) {
	chief := func(j *kubeflow.TFJob) {
		j.Spec.TFReplicaSpecs["Chief"] = replicaSpec(1, "tensorflow")
		delete(j.Spec.TFReplicaSpecs, "Worker")
	}
	for role, j := range map[string]kind.Job{
		"worker": tfJob{}.Read(tensorflow()), "chief": tfJob{}.Read(tensorflow(chief)),
	} {
		same(t, map[string]string{kubeflow.JobNameLabel: "wide", kubeflow.ReplicaTypeLabel: role,
			kubeflow.OperatorNameLabel: "tfjob-controller"}, j.PodLabels)
	}
}

func TestReadTFJob(t *testing.T) {
	add := func(role kubeflow.ReplicaType) func(*kubeflow.TFJob) {
		return func(j *kubeflow.TFJob) { j.Spec.TFReplicaSpecs[role] = replicaSpec(1, "tensorflow") }
	}
	for name, c := range map[string]struct {
		job  *kubeflow.TFJob
		want shape
	}{
		"dynamic workers at parameter servers": {
			job:  tensorflow(),
			want: shape{Size: 3, Least: 3, Most: 3, Mode: resize.Live},
		},
		"an evaluator does not count, and does not hinder": {
			job:  tensorflow(add("Evaluator")),
			want: shape{Size: 3, Least: 3, Most: 3, Mode: resize.Live},
		},
		"a chief is told of nobody": {
			job:  tensorflow(add("Chief")),
			want: shape{Size: 4, Fixed: 1, Least: 4, Most: 4, Mode: resize.Cold},
		},
		"a master is a chief": {
			job:  tensorflow(add("Master")),
			want: shape{Size: 4, Fixed: 1, Least: 4, Most: 4, Mode: resize.Cold},
		},
		"a chief beside no workers, for whom nothing counts that is written for them": {
			job: tensorflow(add("Chief"), func(j *kubeflow.TFJob) {
				j.Spec.TFReplicaSpecs["Worker"].Replicas = new(int32(0))
				j.Spec.TFReplicaSpecs["Worker"].RestartPolicy = kubeflow.RestartPolicyExitCode
			}),
			want: shape{Size: 1, Fixed: 1, Least: 1, Most: 1, Mode: resize.Cold},
		},
		"workers that know each other": {
			job:  tensorflow(func(j *kubeflow.TFJob) { j.Spec.EnableDynamicWorker = false }),
			want: shape{Size: 3, Least: 3, Most: 3, Mode: resize.Cold},
		},
		"dynamic workers with no place to meet": {
			job:  tensorflow(func(j *kubeflow.TFJob) { delete(j.Spec.TFReplicaSpecs, "PS") }),
			want: shape{Size: 3, Least: 3, Most: 3, Mode: resize.Cold},
		},
		"suspended": {
			job:  tensorflow(func(j *kubeflow.TFJob) { j.Spec.RunPolicy.Suspend = new(true) }),
			want: shape{Size: 3, Least: 3, Most: 3, Mode: resize.Live, Suspended: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := c.job.DeepCopy()
			same(t, c.want, shapeOf(tfJob{}.Read(c.job)))
			same(t, before, c.job)
		})
	}
}

func TestReadCopiesWhoTheJobIs(t *testing.T) {
	p := pytorch()
	got := pytorchJob{}.Read(p)
	want := kind.Job{
		Kind: "PyTorchJob", Namespace: "team", Name: "resnet", UID: "u-1", CreatedAt: created,
		Labels: p.Labels, Annotations: p.Annotations,
		Size: 2, Written: 2, Least: 1, Most: 4, Floor: 1, Ceiling: 4, Mode: resize.Live, EndsByLeaver: true,
		Retries: new(int32(3)),
		Worker:  &p.Spec.PyTorchReplicaSpecs["Worker"].Template, Container: "pytorch", AddedPort: 23456,
		PodLabels: map[string]string{kubeflow.JobNameLabel: "resnet", kubeflow.ReplicaTypeLabel: "worker",
			kubeflow.OperatorNameLabel: "pytorchjob-controller"},
	}
	same(t, want, got)
	if got.Worker != want.Worker {
		t.Error("The template of the workers was copied.")
	}
	if kind := (tfJob{}).Read(tensorflow()).Kind; kind != "TFJob" {
		t.Errorf("The kind of a TFJob is %s.", kind)
	}
}

func TestReadTheEnd(t *testing.T) {
	completed := metav1.NewTime(ended.Add(-time.Minute))
	for name, c := range map[string]struct {
		status      kubeflow.JobStatus
		deleted     bool
		want        resize.JobState
		wantAt      time.Time
		wantMessage string
	}{
		"new": {want: resize.JobGoesOn},
		"running": {
			status: kubeflow.JobStatus{
				Conditions: []kubeflow.JobCondition{ending(kubeflow.JobRunning, corev1.ConditionTrue, "runs")},
			},
			want: resize.JobGoesOn,
		},
		"a condition that does not hold": {
			status: kubeflow.JobStatus{
				Conditions: []kubeflow.JobCondition{ending(kubeflow.JobFailed, corev1.ConditionFalse, "no")},
			},
			want: resize.JobGoesOn,
		},
		"succeeded": {
			status: kubeflow.JobStatus{
				Conditions:     []kubeflow.JobCondition{ending(kubeflow.JobSucceeded, corev1.ConditionTrue, "done")},
				CompletionTime: &completed,
			},
			want: resize.JobFinished, wantAt: completed.Time, wantMessage: "done",
		},
		"failed by an exit code, with no time of completion": {
			status: kubeflow.JobStatus{
				Conditions: []kubeflow.JobCondition{ending(kubeflow.JobFailed, corev1.ConditionTrue, "")},
			},
			want: resize.JobFailed, wantAt: ended, wantMessage: "Because",
		},
		"succeeded, and failed when the others fell over": {
			status: kubeflow.JobStatus{Conditions: []kubeflow.JobCondition{
				ending(kubeflow.JobFailed, corev1.ConditionTrue, "fell"),
				ending(kubeflow.JobSucceeded, corev1.ConditionTrue, "done"),
			}},
			want: resize.JobFinished, wantAt: ended, wantMessage: "done",
		},
		"being deleted": {deleted: true, want: resize.JobDeleted},
		"finished and being deleted": {
			status: kubeflow.JobStatus{
				Conditions: []kubeflow.JobCondition{ending(kubeflow.JobSucceeded, corev1.ConditionTrue, "done")},
			},
			deleted: true, want: resize.JobDeleted, wantAt: ended, wantMessage: "done",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, j := pytorch(), tensorflow()
			p.Status, j.Status = c.status, c.status
			if c.deleted {
				p.DeletionTimestamp = new(metav1.NewTime(ended))
				j.DeletionTimestamp = p.DeletionTimestamp
			}
			for _, got := range []kind.Job{pytorchJob{}.Read(p), tfJob{}.Read(j)} {
				if got.State != c.want || !got.EndedAt.Equal(c.wantAt) || got.Message != c.wantMessage {
					t.Errorf("%s is %q at %v: %q; want %q at %v: %q", got.Kind,
						got.State, got.EndedAt, got.Message, c.want, c.wantAt, c.wantMessage)
				}
			}
		})
	}
}

// What a gang scheduler waits for are pods of all types.
func TestHowManyWorkersAGangStartsWith(t *testing.T) {
	policy := func(least int32) func(*kubeflow.PyTorchJob) {
		return func(p *kubeflow.PyTorchJob) {
			p.Spec.RunPolicy.SchedulingPolicy = &kubeflow.SchedulingPolicy{MinAvailable: &least}
		}
	}
	for name, c := range map[string]struct {
		job  *kubeflow.PyTorchJob
		want resize.Workers
	}{
		"nothing is said":       {pytorch(), 0},
		"all":                   {pytorch(policy(2)), 2},
		"one":                   {pytorch(policy(1)), 1},
		"more than there are":   {pytorch(policy(3)), 0},
		"the master among them": {pytorch(withMaster, policy(3)), 3},
		"more than there are now, as Takt has made it smaller": {pytorch(policy(2), func(p *kubeflow.PyTorchJob) {
			p.Spec.PyTorchReplicaSpecs["Worker"].Replicas = new(int32(1))
			p.Annotations[kind.AskAnnotation], _ = written.EncodeAsk(p.UID,
				resize.Ask{Epoch: 1, Stage: resize.Forward, Workers: 1}, written.Before{Size: 2})
		}), 2},
	} {
		if got := (pytorchJob{}).Read(c.job).Together; got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	servers := tensorflow(func(j *kubeflow.TFJob) {
		j.Spec.RunPolicy.SchedulingPolicy = &kubeflow.SchedulingPolicy{MinAvailable: new(int32(4))}
	})
	if got := (tfJob{}).Read(servers).Together; got != 2 {
		t.Errorf("beside two parameter servers: %d, want 2", got)
	}
}
