package kubeflow

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/takt-dev/takt/api/v1alpha1"
	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
)

var target = kind.Target{ElasticJob: "resnet", Least: 1, Most: 8}

// together is what a patch that brings new pods about does to their template.
func together(r *kubeflow.ReplicaSpec, first, pods int) {
	labelled(r)
	r.Template.Annotations[v1alpha1.GangAnnotation] = fmt.Sprintf(
		`{"epoch":7,"stage":"Forward","first":%d,"pods":%d,"job":"u-1"}`, first, pods)
}

// joins is what the workers of a live job are told that others may join.
func joins(r *kubeflow.ReplicaSpec) {
	c := &r.Template.Spec.Containers[1]
	c.Env = append(c.Env, corev1.EnvVar{Name: "TORCH_DISABLE_SHARE_RDZV_TCP_STORE", Value: "1"})
}

// labelled is what every patch does to the template of a gang.
func labelled(r *kubeflow.ReplicaSpec) {
	r.Template.Labels[v1alpha1.EpochLabel] = "7"
	r.Template.Labels[v1alpha1.ElasticJobLabel] = "resnet"
	r.Template.Labels[v1alpha1.RoleLabel] = v1alpha1.RoleWorker
	if r.Template.Annotations == nil {
		r.Template.Annotations = map[string]string{}
	}
	r.Template.Annotations[v1alpha1.NumberedByAnnotation] = "training.kubeflow.org/replica-index"
}

// leads is what distinguishes the leader of a job from its workers.
func leads(r *kubeflow.ReplicaSpec) { r.Template.Labels[v1alpha1.RoleLabel] = v1alpha1.RoleLeader }

// withoutWorkers leaves a job its master alone.
func withoutWorkers(p *kubeflow.PyTorchJob) { delete(p.Spec.PyTorchReplicaSpecs, "Worker") }

// noWorkers says that there are none.
func noWorkers(p *kubeflow.PyTorchJob) { p.Spec.PyTorchReplicaSpecs["Worker"].Replicas = new(int32(0)) }

func TestPatchPyTorchJob(t *testing.T) {
	type job = kubeflow.PyTorchJob
	suspend := func(p *job) { p.Spec.RunPolicy.Suspend = new(true) }
	worker := func(p *job) *kubeflow.ReplicaSpec { return p.Spec.PyTorchReplicaSpecs["Worker"] }
	policy := func(r kubeflow.RestartPolicy) func(*job) {
		return func(p *job) { worker(p).RestartPolicy = r }
	}
	pinnedTo := func(gpu string) func(*job) {
		return func(p *job) {
			worker(p).Template.Spec.NodeSelector = map[string]string{"gpu": gpu, "disk": "ssd"}
			metav1.SetMetaDataAnnotation(&p.ObjectMeta, kind.PinnedAnnotation, `{"gpu":"`+gpu+`"}`)
		}
	}
	stop := resize.Ask{Epoch: 7, Stage: resize.Back, Workers: 2, Suspended: true, At: asked}
	for name, c := range map[string]struct {
		job  *job
		ask  resize.Ask
		to   kind.Target
		want func(*job) // what is to change, and nothing else
	}{
		"a running job grows: nothing but its size, and the labels and the GPUs of pods to come": {
			job: pytorch(policy(kubeflow.RestartPolicyExitCode)), ask: forward(4),
			to: kind.Target{
				ElasticJob: "resnet", Least: 1, Most: 8, NodeSelector: map[string]v1alpha1.LabelValue{"gpu": "a100"},
			},
			want: func(p *job) {
				worker(p).Template.Spec.NodeSelector["gpu"] = "a100"
				p.Annotations[kind.PinnedAnnotation] = `{"gpu":"a100"}`
				worker(p).Replicas = new(int32(4))
				together(worker(p), 2, 2)
			},
		},
		"a suspended job starts: its pods get the range, and enough restarts": {
			job: pytorch(suspend), ask: forward(3), to: target,
			want: func(p *job) {
				worker(p).Replicas = new(int32(3))
				together(worker(p), 0, 3)
				joins(worker(p))
				p.Spec.RunPolicy.Suspend = new(false)
				p.Spec.ElasticPolicy.MaxReplicas = new(int32(8))
				p.Spec.ElasticPolicy.MaxRestarts = new(int32(100))
			},
		},
		"a suspended job is pinned": {
			job: pytorch(suspend), ask: forward(3),
			to: kind.Target{
				ElasticJob: "resnet", Least: 1, Most: 8, NodeSelector: map[string]v1alpha1.LabelValue{"gpu": "a100"},
			},
			want: func(p *job) {
				worker(p).Replicas = new(int32(3))
				together(worker(p), 0, 3)
				worker(p).Template.Spec.NodeSelector["gpu"] = "a100"
				p.Annotations[kind.PinnedAnnotation] = `{"gpu":"a100"}`
				joins(worker(p))
				p.Spec.RunPolicy.Suspend = new(false)
				p.Spec.ElasticPolicy.MaxReplicas = new(int32(8))
				p.Spec.ElasticPolicy.MaxRestarts = new(int32(100))
			},
		},
		"what the job says of its rendezvous stays": {
			job: pytorch(suspend, func(p *job) {
				p.Spec.ElasticPolicy.RDZVConf = []kubeflow.RDZVConf{{Key: "join_timeout", Value: "900"}}
				p.Spec.ElasticPolicy.MaxRestarts = new(int32(1000))
			}), ask: forward(2), to: kind.Target{ElasticJob: "resnet", Least: 1, Most: 4},
			want: func(p *job) {
				together(worker(p), 0, 2)
				joins(worker(p))
				p.Spec.RunPolicy.Suspend = new(false)
			},
		},
		"what its environment says of it too": {
			job: pytorch(suspend, func(p *job) {
				p.Spec.ElasticPolicy.MaxRestarts = nil
				c := &worker(p).Template.Spec.Containers[1]
				c.Env = append(c.Env, corev1.EnvVar{Name: "PET_RDZV_CONF", Value: "timeout=900"}, corev1.EnvVar{
					Name: "PET_MAX_RESTARTS", Value: "200",
				})
			}), ask: forward(2), to: kind.Target{ElasticJob: "resnet", Least: 1, Most: 4},
			want: func(p *job) {
				together(worker(p), 0, 2)
				joins(worker(p))
				p.Spec.RunPolicy.Suspend = new(false)
			},
		},
		"a rendezvous at etcd has a name of its own at each start": {
			job: pytorch(suspend, func(p *job) {
				p.Spec.ElasticPolicy.RDZVBackend, p.Spec.ElasticPolicy.RDZVID = new(kubeflow.BackendETCDV2), new("mine-takt-2")
			}),
			ask: forward(2), to: kind.Target{ElasticJob: "resnet", Least: 1, Most: 4},
			want: func(p *job) {
				p.Spec.ElasticPolicy.RDZVID = new("mine-takt-7")
				together(worker(p), 0, 2)
				p.Spec.RunPolicy.Suspend = new(false)
				p.Spec.ElasticPolicy.MaxRestarts = new(int32(100))
			},
		},
		"a size outside of the range widens it": {
			job: pytorch(suspend), ask: forward(9), to: kind.Target{ElasticJob: "resnet", Least: 2, Most: 8},
			want: func(p *job) {
				worker(p).Replicas = new(int32(9))
				together(worker(p), 0, 9)
				joins(worker(p))
				p.Spec.RunPolicy.Suspend = new(false)
				p.Spec.ElasticPolicy.MinReplicas, p.Spec.ElasticPolicy.MaxReplicas = new(int32(2)), new(int32(9))
				p.Spec.ElasticPolicy.MaxRestarts = new(int32(100))
			},
		},
		"a running job is suspended: safe for when it starts, and not pinned yet": {
			job: pytorch(policy(kubeflow.RestartPolicyExitCode)), ask: stop,
			to: kind.Target{
				ElasticJob: "resnet", Least: 1, Most: 4, NodeSelector: map[string]v1alpha1.LabelValue{"gpu": "a100"},
			},
			want: func(p *job) {
				labelled(worker(p))
				p.Spec.RunPolicy.Suspend = new(true)
				p.Spec.ElasticPolicy.MaxRestarts = new(int32(100))
				worker(p).RestartPolicy = kubeflow.RestartPolicyOnFailure
			},
		},
		"a suspended job stays so: it is pinned when it starts": {
			job: pytorch(withMaster, suspend), ask: resize.Ask{
				Epoch: 7, Stage: resize.Halt, Workers: 3, Suspended: true, At: asked,
			},
			to:   kind.Target{ElasticJob: "resnet", NodeSelector: map[string]v1alpha1.LabelValue{"gpu": "a100"}},
			want: func(p *job) { labelled(worker(p)) },
		},
		"a policy that fails the job when a worker is replaced is mended": {
			job: pytorch(suspend, policy(kubeflow.RestartPolicyNever)), ask: forward(2), to: kind.Target{
				ElasticJob: "resnet", Least: 1, Most: 4,
			},
			want: func(p *job) {
				together(worker(p), 0, 2)
				joins(worker(p))
				p.Spec.RunPolicy.Suspend = new(false)
				p.Spec.ElasticPolicy.MaxRestarts = new(int32(100))
				worker(p).RestartPolicy = kubeflow.RestartPolicyOnFailure
			},
		},
		"a cold job starts with its master, and keeps its policy": {
			job: pytorch(withMaster, suspend, policy(kubeflow.RestartPolicyExitCode)), ask: forward(4),
			to: kind.Target{
				ElasticJob: "resnet", NodeSelector: map[string]v1alpha1.LabelValue{"gpu": "a100"},
			},
			want: func(p *job) {
				worker(p).Replicas = new(int32(3))
				for _, r := range p.Spec.PyTorchReplicaSpecs {
					together(r, 0, 4)
					r.Template.Spec.NodeSelector["gpu"] = "a100"
				}
				leads(p.Spec.PyTorchReplicaSpecs["Master"])
				p.Annotations[kind.PinnedAnnotation] = `{"gpu":"a100"}`
				p.Spec.RunPolicy.Suspend = new(false)
			},
		},
		"a master that takes no GPU is not pinned to those of its workers": {
			job: pytorch(withMaster, suspend, func(p *job) {
				p.Spec.PyTorchReplicaSpecs["Master"].Template.Spec.NodeSelector = map[string]string{"pool": "cpu", "gpu": "a100"}
				metav1.SetMetaDataAnnotation(&p.ObjectMeta, kind.PinnedAnnotation, `{"gpu":"a100"}`)
			}), ask: forward(4), to: kind.Target{ElasticJob: "resnet", LeaderAnywhere: true,
				NodeSelector: map[string]v1alpha1.LabelValue{"gpu": "h100"}},
			want: func(p *job) {
				worker(p).Replicas = new(int32(3))
				together(worker(p), 0, 4)
				together(p.Spec.PyTorchReplicaSpecs["Master"], 0, 4)
				leads(p.Spec.PyTorchReplicaSpecs["Master"])
				worker(p).Template.Spec.NodeSelector["gpu"] = "h100"
				p.Spec.PyTorchReplicaSpecs["Master"].Template.Spec.NodeSelector = map[string]string{"pool": "cpu"}
				p.Annotations[kind.PinnedAnnotation] = `{"gpu":"h100"}`
				p.Spec.RunPolicy.Suspend = new(false)
			},
		},
		"what a master asks for itself stays": {
			job: pytorch(withMaster, suspend, func(p *job) {
				p.Spec.PyTorchReplicaSpecs["Master"].Template.Spec.NodeSelector = map[string]string{"gpu": "t4"}
			}), ask: forward(4), to: kind.Target{
				ElasticJob: "resnet", NodeSelector: map[string]v1alpha1.LabelValue{"gpu": "h100"}},
			want: func(p *job) {
				worker(p).Replicas = new(int32(3))
				together(worker(p), 0, 4)
				together(p.Spec.PyTorchReplicaSpecs["Master"], 0, 4)
				leads(p.Spec.PyTorchReplicaSpecs["Master"])
				worker(p).Template.Spec.NodeSelector["gpu"] = "h100"
				p.Annotations[kind.PinnedAnnotation] = `{"gpu":"h100"}`
				p.Spec.RunPolicy.Suspend = new(false)
			},
		},
		"a master alone starts": {
			job: pytorch(withMaster, withoutWorkers, suspend), ask: forward(1), to: kind.Target{ElasticJob: "resnet"},
			want: func(p *job) {
				master := p.Spec.PyTorchReplicaSpecs["Master"]
				together(master, 0, 1)
				leads(master)
				p.Spec.RunPolicy.Suspend = new(false)
			},
		},
		"a master alone is stopped": {
			job: pytorch(withMaster, withoutWorkers), to: kind.Target{ElasticJob: "resnet"},
			ask:  resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 1, Suspended: true, At: asked},
			want: func(p *job) { p.Spec.RunPolicy.Suspend = new(true) },
		},
		"a master beside no workers starts": {
			job: pytorch(withMaster, noWorkers, suspend), ask: forward(1), to: kind.Target{ElasticJob: "resnet"},
			want: func(p *job) {
				master := p.Spec.PyTorchReplicaSpecs["Master"]
				together(master, 0, 1)
				leads(master)
				p.Spec.RunPolicy.Suspend = new(false)
			},
		},
		"a job that was pinned starts elsewhere": {
			job: pytorch(suspend, pinnedTo("a100")), ask: forward(2),
			to: kind.Target{ElasticJob: "resnet", Least: 1, Most: 4, NodeSelector: map[string]v1alpha1.LabelValue{"zone": "b"}},
			want: func(p *job) {
				together(worker(p), 0, 2)
				joins(worker(p))
				p.Spec.RunPolicy.Suspend = new(false)
				p.Spec.ElasticPolicy.MaxRestarts = new(int32(100))
				delete(worker(p).Template.Spec.NodeSelector, "gpu")
				worker(p).Template.Spec.NodeSelector["zone"] = "b"
				p.Annotations[kind.PinnedAnnotation] = `{"zone":"b"}`
			},
		},
		"a job that was pinned starts where there is one kind of GPUs": {
			job: pytorch(suspend, pinnedTo("a100")), ask: forward(2), to: kind.Target{ElasticJob: "resnet", Least: 1, Most: 4},
			want: func(p *job) {
				together(worker(p), 0, 2)
				joins(worker(p))
				p.Spec.RunPolicy.Suspend = new(false)
				p.Spec.ElasticPolicy.MaxRestarts = new(int32(100))
				delete(worker(p).Template.Spec.NodeSelector, "gpu")
				delete(p.Annotations, kind.PinnedAnnotation)
			},
		},
		"a job that is pinned grows": {
			job: pytorch(pinnedTo("a100")), ask: forward(4), to: kind.Target{ElasticJob: "resnet", Least: 1, Most: 8},
			want: func(p *job) {
				worker(p).Replicas = new(int32(4))
				together(worker(p), 2, 2)
			},
		},
		"a cold job stops: the template of its master waits for the start": {
			job: pytorch(withMaster), ask: resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 3, Suspended: true, At: asked},
			to: kind.Target{ElasticJob: "resnet"},
			want: func(p *job) {
				labelled(worker(p))
				p.Spec.RunPolicy.Suspend = new(true)
			},
		},
		"a template with nothing in it": {
			job: pytorch(suspend, func(p *job) {
				p.Spec.ElasticPolicy = nil
				worker(p).Template.Labels, worker(p).Template.Spec.NodeSelector = nil, nil
				p.Annotations = nil
			}), ask: forward(2), to: kind.Target{
				ElasticJob: "resnet", NodeSelector: map[string]v1alpha1.LabelValue{"gpu": "a100"},
			},
			want: func(p *job) {
				p.Annotations = map[string]string{kind.PinnedAnnotation: `{"gpu":"a100"}`}
				worker(p).Template.Labels = map[string]string{}
				together(worker(p), 0, 2)
				worker(p).Template.Spec.NodeSelector = map[string]string{"gpu": "a100"}
				p.Spec.RunPolicy.Suspend = new(false)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := c.job.DeepCopy()
			is := pytorchJob{}.Read(c.job)
			patch, err := pytorchJob{}.Patch(c.job, c.ask, c.to)
			if err != nil {
				t.Fatal(err)
			}
			same(t, before, c.job)
			after := patched(t, c.job, patch, &kubeflow.PyTorchJob{})
			want := c.job.DeepCopy()
			c.want(want)
			want.Annotations[kind.AskAnnotation], _ = written.EncodeAsk("u-1", c.ask, written.Before{
				Size: is.Size, Suspended: is.Suspended && !is.Held,
			})
			same(t, want, after)
			asksFor(t, pytorchJob{}.Read(after), c.ask)
		})
	}
}

func TestPatchTFJob(t *testing.T) {
	type job = kubeflow.TFJob
	suspend := func(j *job) { j.Spec.RunPolicy.Suspend = new(true) }
	policy := func(r kubeflow.RestartPolicy) func(*job) {
		return func(j *job) { j.Spec.TFReplicaSpecs["Worker"].RestartPolicy = r }
	}
	chief := func(j *job) { j.Spec.TFReplicaSpecs["Chief"] = replicaSpec(1, "tensorflow") }
	for name, c := range map[string]struct {
		job  *job
		ask  resize.Ask
		want func(*job)
	}{
		"a running job grows, and its parameter servers stay": {
			job: tensorflow(), ask: forward(5),
			want: func(j *job) {
				j.Spec.TFReplicaSpecs["Worker"].Replicas = new(int32(5))
				together(j.Spec.TFReplicaSpecs["Worker"], 3, 2)
				j.Spec.RunPolicy.Suspend = new(false)
			},
		},
		"a live job starts: an exit code no longer fails it": {
			job: tensorflow(suspend, policy(kubeflow.RestartPolicyExitCode)), ask: forward(3),
			want: func(j *job) {
				together(j.Spec.TFReplicaSpecs["Worker"], 0, 3)
				j.Spec.TFReplicaSpecs["Worker"].RestartPolicy = kubeflow.RestartPolicyOnFailure
				j.Spec.RunPolicy.Suspend = new(false)
			},
		},
		"never is never, for a live job too": {
			job: tensorflow(suspend, policy(kubeflow.RestartPolicyNever)), ask: forward(3),
			want: func(j *job) {
				together(j.Spec.TFReplicaSpecs["Worker"], 0, 3)
				j.Spec.RunPolicy.Suspend = new(false)
			},
		},
		"a cold job starts with its chief": {
			job: tensorflow(suspend, chief, policy(kubeflow.RestartPolicyExitCode)), ask: forward(2),
			want: func(j *job) {
				j.Spec.TFReplicaSpecs["Worker"].Replicas = new(int32(1))
				together(j.Spec.TFReplicaSpecs["Worker"], 0, 2)
				together(j.Spec.TFReplicaSpecs["Chief"], 0, 2)
				leads(j.Spec.TFReplicaSpecs["Chief"])
				j.Spec.RunPolicy.Suspend = new(false)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := tfJob{}.Read(c.job)
			patch, err := tfJob{}.Patch(c.job, c.ask, target)
			if err != nil {
				t.Fatal(err)
			}
			after := patched(t, c.job, patch, &kubeflow.TFJob{})
			want := c.job.DeepCopy()
			c.want(want)
			want.Annotations[kind.AskAnnotation], _ = written.EncodeAsk("u-1", c.ask, written.Before{
				Size: is.Size, Suspended: is.Suspended && !is.Held,
			})
			same(t, want, after)
			asksFor(t, tfJob{}.Read(after), c.ask)
		})
	}
}

// asksFor checks that what was asked is what is read afterwards, and that nothing mendable is left.
func asksFor(t *testing.T, j kind.Job, ask resize.Ask) {
	t.Helper()
	if j.Size != ask.Workers || j.Suspended != ask.Suspended {
		t.Errorf("%d workers, suspended %v; want %d, %v", j.Size, j.Suspended, ask.Workers, ask.Suspended)
	}
	same(t, ask, j.Asked)
}

func TestPatchMeetsOneVersionOfOneJob(t *testing.T) {
	patch, err := pytorchJob{}.Patch(pytorch(), forward(3), target)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Metadata struct{ UID, ResourceVersion string }
	}
	if err := json.Unmarshal(patch, &got); err != nil {
		t.Fatal(err)
	}
	if got.Metadata.UID != "u-1" || got.Metadata.ResourceVersion != "41" {
		t.Errorf("It carries %+v.", got.Metadata)
	}
}

func TestPatchIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		job  *kubeflow.PyTorchJob
		ask  resize.Ask
		to   kind.Target
		want string
	}{
		"no UID": {pytorch(func(p *kubeflow.PyTorchJob) { p.UID = "" }), forward(2), target, "UID"},
		"no version": {
			pytorch(func(p *kubeflow.PyTorchJob) { p.ResourceVersion = "" }), forward(2), target, "resourceVersion",
		},
		"no worker":                      {pytorch(), forward(0), target, "at least 1"},
		"a master without its workers":   {pytorch(withMaster), forward(1), target, "at least 2"},
		"more than a master beside none": {pytorch(withMaster, noWorkers), forward(2), target, "no Worker replicas"},
		"more than a master alone":       {pytorch(withMaster, withoutWorkers), forward(2), target, "no Worker replicas"},
		"nothing to size": {
			pytorch(func(p *kubeflow.PyTorchJob) { p.Spec.PyTorchReplicaSpecs = nil }), forward(2), target, "no Worker",
		},
		"a name that is no label": {pytorch(), forward(2),
			kind.Target{ElasticJob: strings.Repeat("a", 64), Least: 1, Most: 2}, "label"},
		"no range": {pytorch(func(p *kubeflow.PyTorchJob) { p.Spec.RunPolicy.Suspend = new(true) }), forward(2),
			kind.Target{ElasticJob: "resnet", Least: 3, Most: 2}, "range"},
	} {
		t.Run(name, func(t *testing.T) {
			patch, err := pytorchJob{}.Patch(c.job, c.ask, c.to)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %v; want an error that says %q", patch, err, c.want)
			}
		})
	}
	if _, err := (pytorchJob{}).Patch(tensorflow(), forward(2), target); err == nil {
		t.Error("A TFJob is patched as a PyTorchJob.")
	}
	if _, err := (tfJob{}).Patch(pytorch(), forward(2), target); err == nil {
		t.Error("A PyTorchJob is patched as a TFJob.")
	}
}
