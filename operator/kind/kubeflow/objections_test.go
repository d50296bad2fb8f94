package kubeflow

import (
	"strings"
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/takt-dev/takt/elastic/resize"
	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/kind/written"
)

func TestObjectionsToPyTorchJobs(t *testing.T) {
	type job = kubeflow.PyTorchJob
	policy := func(r kubeflow.RestartPolicy) func(*job) {
		return func(p *job) { p.Spec.PyTorchReplicaSpecs["Worker"].RestartPolicy = r }
	}
	command := func(words ...string) func(*job) {
		return func(p *job) { p.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[1].Command = words }
	}
	environment := func(e ...corev1.EnvVar) func(*job) {
		return func(p *job) {
			p.Spec.ElasticPolicy.MaxRestarts = nil
			p.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[1].Env = e
		}
	}
	variables := func(all ...corev1.EnvVar) func(*job) {
		return func(p *job) { p.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[1].Env = all }
	}
	cold := func(p *job) { p.Spec.ElasticPolicy = nil }
	finished := func(p *job) {
		p.Status.ReplicaStatuses = map[kubeflow.ReplicaType]*kubeflow.ReplicaStatus{
			kubeflow.PyTorchJobReplicaTypeMaster: {Active: 1}, kubeflow.PyTorchJobReplicaTypeWorker: {Active: 1, Succeeded: 2},
		}
	}
	sizes := func(least, most, replicas int32) []func(*job) {
		return []func(*job){func(p *job) {
			p.Spec.ElasticPolicy.MinReplicas, p.Spec.ElasticPolicy.MaxReplicas = &least, &most
			p.Spec.PyTorchReplicaSpecs["Worker"].Replicas = &replicas
		}}
	}
	for name, c := range map[string]struct {
		change []func(*job)
		want   []string
	}{
		"none":             {},
		"none to a master": {change: []func(*job){withMaster}},
		"workers of one with a master have finished": {[]func(*job){withMaster, finished}, []string{"at its end"}},
		"workers had finished, and it is stopped": {change: []func(*job){withMaster, finished,
			func(p *job) { p.Spec.RunPolicy.Suspend = new(true) }}},
		"a worker that may come and go has left": {change: []func(*job){finished}},
		"managed by itself": {
			change: []func(*job){func(p *job) { p.Spec.RunPolicy.ManagedBy = new("kubeflow.org/training-operator") }},
		},
		"managed by another": {[]func(*job){func(p *job) {
			p.Spec.RunPolicy.ManagedBy = new(
				"kueue.x-k8s.io/multikueue")
		}}, []string{"ManagedElsewhere"}},
		"managed by nobody": {
			[]func(*job){func(p *job) { p.Spec.RunPolicy.ManagedBy = new("") }}, []string{"ManagedElsewhere"},
		},
		"in a queue of Kueue": {
			[]func(*job){func(p *job) { p.Labels[kind.QueueOfKueue] = "team" }}, []string{"ManagedElsewhere"},
		},
		"in no queue of Kueue": {change: []func(*job){func(p *job) { p.Labels[kind.QueueOfKueue] = "" }}},
		"autoscaler": {[]func(*job){func(p *job) { p.Spec.ElasticPolicy.Metrics = []autoscaling.MetricSpec{{}} }},
			[]string{"HasAutoscaler"}},
		"autoscaler by empty list": {
			[]func(*job){func(p *job) { p.Spec.ElasticPolicy.Metrics = []autoscaling.MetricSpec{} }}, []string{"HasAutoscaler"},
		},
		"exit code": {
			[]func(*job){policy(kubeflow.RestartPolicyExitCode)}, []string{"only cold: RestartPolicyExitCode"},
		},
		"exit code of a cold job": {change: []func(*job){policy(kubeflow.RestartPolicyExitCode), cold}},
		"never": {
			[]func(*job){policy(kubeflow.RestartPolicyNever)}, []string{"only cold: RestartPolicyNever"},
		},
		"never of a cold job": {change: []func(*job){policy(kubeflow.RestartPolicyNever), cold}},
		"the default policy":  {change: []func(*job){policy("")}},
		"no worker": {
			[]func(*job){withMaster, func(p *job) { delete(p.Spec.PyTorchReplicaSpecs, "Worker") }},
			[]string{"NoWorkers"},
		},
		"no worker beside a master, and a command for some": {
			[]func(*job){withMaster, noWorkers, command("torchrun", "--nnodes=4", "train.py")}, []string{"NoWorkers"},
		},
		"no worker, elastic": {
			[]func(*job){func(p *job) { delete(p.Spec.PyTorchReplicaSpecs, "Worker") }}, []string{"NoWorkers"},
		},
		"zero workers": {
			[]func(*job){func(p *job) { p.Spec.PyTorchReplicaSpecs["Worker"].Replicas = new(int32(0)) }}, []string{"NoWorkers"},
		},
		"workers without a spec": {
			[]func(*job){func(p *job) { p.Spec.PyTorchReplicaSpecs["Worker"] = nil }}, []string{"NoWorkers"},
		},
		"two masters": {[]func(*job){withMaster,
			func(p *job) { p.Spec.PyTorchReplicaSpecs["Master"].Replicas = new(int32(2)) }}, []string{"MasterNotOne"}},
		"master and elastic": {[]func(*job){func(p *job) {
			p.Spec.PyTorchReplicaSpecs["Master"] = replicaSpec(1,
				"pytorch")
		}}, []string{"MasterWithElasticPolicy"}},
		"no retries": {[]func(*job){func(p *job) { p.Spec.RunPolicy.BackoffLimit = new(int32(0)) }},
			[]string{"only cold: BackoffLimitZero"}},
		"no retries of a cold job": {
			change: []func(*job){func(p *job) { p.Spec.RunPolicy.BackoffLimit = new(int32(0)) }, cold},
		},
		"no restarts": {[]func(*job){func(p *job) { p.Spec.ElasticPolicy.MaxRestarts = new(int32(0)) }},
			[]string{"only cold: MaxRestartsTooLow"}},
		"few restarts": {[]func(*job){func(p *job) { p.Spec.ElasticPolicy.MaxRestarts = new(int32(9)) }},
			[]string{"only cold: MaxRestartsTooLow"}},
		"enough restarts": {
			change: []func(*job){func(p *job) { p.Spec.ElasticPolicy.MaxRestarts = new(int32(10)) }},
		},
		"restarts never said": {[]func(*job){environment()}, []string{"only cold: MaxRestartsTooLow"}},
		"restarts in the pod": {change: []func(*job){environment(corev1.EnvVar{Name: "PET_MAX_RESTARTS", Value: "50"})}},
		"the last one counts": {[]func(*job){environment(corev1.EnvVar{Name: "PET_MAX_RESTARTS", Value: "50"},
			corev1.EnvVar{Name: "PET_MAX_RESTARTS", Value: "1"})}, []string{"only cold: MaxRestartsTooLow"}},
		"restarts in the command": {
			[]func(*job){command("torchrun", "--max-restarts=3", "train.py")}, []string{"only cold: MaxRestartsTooLow"},
		},
		"restarts in a script": {[]func(*job){command("sh", "-c", "exec torchrun --max_restarts 3 train.py")},
			[]string{"only cold: MaxRestartsTooLow"}},
		"enough in the command": {
			change: []func(*job){environment(), command("torchrun", "--max_restarts", "100", "train.py")},
		},
		"nodes in the command":   {[]func(*job){command("torchrun", "--nnodes=4", "train.py")}, []string{"NodesInCommand"}},
		"a range in the command": {change: []func(*job){command("torchrun", "--nnodes=1:4", "train.py")}},
		"a range in a cold one": {
			[]func(*job){command("torchrun", "--nnodes=1:4", "train.py"), cold}, []string{"NodesInCommand"},
		},
		"a range upside down": {
			[]func(*job){command("torchrun", "--nnodes=4:1", "train.py")}, []string{"NodesInCommand"},
		},
		"no range":                 {sizes(4, 4, 4), []string{"only cold: FixedRange"}},
		"fewer at most than least": {sizes(4, 2, 3), []string{"ElasticRange", "only cold: FixedRange"}},
		"none at least":            {sizes(0, 2, 1), []string{"ElasticRange"}},
		"less than none at least":  {sizes(-1, 2, 1), []string{"ElasticRange"}},
		"none at most":             {sizes(1, 0, 1), []string{"ElasticRange", "only cold: FixedRange"}},
		"more than at most":        {sizes(1, 4, 5), []string{"ElasticRange"}},
		"fewer than at least":      {sizes(2, 4, 1), []string{"ElasticRange"}},
		"only at most": {[]func(*job){func(p *job) { p.Spec.ElasticPolicy.MinReplicas = nil }},
			[]string{"ElasticRange", "only cold: FixedRange"}},
		"more than at most, as Takt has asked": {change: append(sizes(1, 4, 5), func(p *job) {
			p.Annotations[kind.AskAnnotation], _ = written.EncodeAsk(p.UID,
				resize.Ask{Epoch: 1, Stage: resize.Forward, Workers: 5}, written.Before{Size: 5})
		})},
		"nodes in a cold one": {
			[]func(*job){command("torchrun", "--nnodes", "2", "train.py"), cold}, []string{"NodesInCommand"},
		},
		"nodes in quotes": {[]func(*job){command("sh", "-c", `torchrun --nnodes="2" train.py`)},
			[]string{"NodesInCommand"}},
		"nodes of the variable":     {change: []func(*job){command("torchrun", "--nnodes=$(PET_NNODES)", "train.py")}},
		"nodes of a shell variable": {change: []func(*job){command("sh", "-c", `torchrun --nnodes "$WORLD_SIZE" train.py`)}},
		"nodes of a variable of the container": {[]func(*job){command("torchrun", "--nnodes=$(NODES)", "train.py"),
			variables(corev1.EnvVar{Name: "NODES", Value: "4"})}, []string{"NodesInCommand"}},
		"nodes of a variable that a script sets": {[]func(*job){command("sh", "-c",
			`export NODES=4; torchrun --nnodes="${NODES}" train.py`)}, []string{"NodesInCommand"}},
		"nodes of a variable that a script sets in two ways": {change: []func(*job){command("sh", "-c",
			`[ -z "$A" ] && NODES=1 || NODES=4; torchrun --nnodes=$NODES train.py`)}},
		"nodes where nothing else is set": {[]func(*job){command("sh", "-c", `torchrun --nnodes ${NODES:-4} train.py`)},
			[]string{"NodesInCommand"}},
		"nodes that a script computes": {change: []func(*job){command("sh", "-c", `torchrun --nnodes=$((A+B)) train.py`)}},
		"a range of variables": {change: []func(*job){command("torchrun", "--nnodes=$(LEAST):$(MOST)", "train.py"),
			variables(corev1.EnvVar{Name: "LEAST", Value: "1"}, corev1.EnvVar{Name: "MOST", Value: "4"})}},
		"a variable of the container that training-operator sets": {change: []func(*job){command("sh", "-c",
			`torchrun --nnodes="${WORLD_SIZE:-1}" train.py`), withMaster,
			variables(corev1.EnvVar{Name: "WORLD_SIZE", Value: "9"})}},
		"machines of accelerate": {[]func(*job){withMaster, command("accelerate", "launch", "--num_machines", "3",
			"--machine_rank=$(RANK)", "train.py")}, []string{"SizeInCommand"}},
		"machines of accelerate, as training-operator says": {change: []func(*job){withMaster,
			command("accelerate", "launch", "--num_machines", "$(PET_NNODES)", "train.py")}},
		"processes of accelerate": {[]func(*job){withMaster, command("accelerate", "launch", "--num_machines",
			"$(PET_NNODES)", "--num_processes", "24", "train.py")}, []string{"SizeInCommand"}},
		"processes of accelerate, as training-operator says": {change: []func(*job){withMaster, command("accelerate",
			"launch", "--num_machines=$(PET_NNODES)", "--num_processes=$(WORLD_SIZE)", "train.py")}},
		"processes of JAX": {[]func(*job){withMaster, command("python", "train.py",
			"--coordinator_address=$(MASTER_ADDR):1234", "--num_processes=3")}, []string{"SizeInCommand"}},
		"processes beside a training": {change: []func(*job){withMaster, command("python", "train.py",
			"--num-processes", "24")}},
		"nodes of deepspeed": {[]func(*job){withMaster, command("sh", "-c", "deepspeed --num_nodes=3 train.py")},
			[]string{"SizeInCommand"}},
		"nodes of Lightning": {[]func(*job){withMaster, command("python", "train.py", "trainer.num_nodes=3")},
			[]string{"SizeInCommand"}},
		"nodes of a graph": {change: []func(*job){withMaster, command("python", "train.py", "--num_nodes", "1000")}},
		"processes": {[]func(*job){withMaster, command("python", "main.py", "--world-size=24")},
			[]string{"SizeInCommand"}},
		"processes of other workers": {change: []func(*job){withMaster, command("python", "main.py", "--world-size=25")}},
		"the size in a variable": {[]func(*job){cold, command("python", "main.py"),
			variables(corev1.EnvVar{Name: "WORLD_SIZE", Value: "2"})}, []string{"SizeInEnvironment"}},
		"the size in a variable, of torchrun": {change: []func(*job){cold, command("torchrun", "main.py"),
			variables(corev1.EnvVar{Name: "WORLD_SIZE", Value: "2"})}},
		"the size in a variable, of an elastic job": {change: []func(*job){command("main.sh"),
			variables(corev1.EnvVar{Name: "NNODES", Value: "2"})}},
		"the size in a variable that training-operator sets": {change: []func(*job){withMaster, command("python", "main.py"),
			variables(corev1.EnvVar{Name: "WORLD_SIZE", Value: "3"})}},
		"a gang of YuniKorn": {[]func(*job){func(p *job) {
			p.Spec.PyTorchReplicaSpecs["Worker"].Template.Annotations = map[string]string{
				"yunikorn.apache.org/task-groups": "[]"}
		}}, []string{"HasGang"}},
		"a gang of coscheduling": {[]func(*job){func(p *job) {
			p.Spec.PyTorchReplicaSpecs["Worker"].Template.Labels = map[string]string{"scheduling.x-k8s.io/pod-group": "resnet"}
		}}, []string{"HasGang"}},
		"resources of a gang": {[]func(*job){func(p *job) {
			p.Spec.RunPolicy.SchedulingPolicy = &kubeflow.SchedulingPolicy{
				MinResources: &map[corev1.ResourceName]resource.Quantity{"nvidia.com/gpu": resource.MustParse("8")}}
		}}, []string{"HasGang"}},
		"a rendezvous at etcd": {[]func(*job){func(p *job) { p.Spec.ElasticPolicy.RDZVBackend = new(kubeflow.BackendETCD) }},
			[]string{"only cold: RendezvousFixed"}},
		"a static rendezvous": {[]func(*job){command("torchrun", "--rdzv_backend=static", "train.py")},
			[]string{"RendezvousFixed"}},
		"a static rendezvous with a master": {change: []func(*job){withMaster,
			command("torchrun", "--rdzv_backend=static", "train.py")}},
		"an option cut off": {change: []func(*job){command("torchrun", "--nnodes")}},
	} {
		t.Run(name, func(t *testing.T) {
			checked(t, c.want, pytorchJob{}.Read(pytorch(c.change...)))
		})
	}
}

func TestObjectionsToTFJobs(t *testing.T) {
	type job = kubeflow.TFJob
	exitCode := func(j *job) { j.Spec.TFReplicaSpecs["Worker"].RestartPolicy = kubeflow.RestartPolicyExitCode }
	for name, c := range map[string]struct {
		change func(*job)
		want   []string
	}{
		"none":                {change: func(*job) {}},
		"none to the default": {change: func(j *job) { j.Spec.TFReplicaSpecs["Worker"].RestartPolicy = "" }},
		"exit code":           {exitCode, []string{"only cold: RestartPolicyExitCode"}},
		"exit code of a cold job": {change: func(j *job) {
			exitCode(j)
			j.Spec.EnableDynamicWorker = false
		}},
		"workers of a cold one have finished": {func(j *job) {
			j.Spec.EnableDynamicWorker = false
			j.Status.ReplicaStatuses = map[kubeflow.ReplicaType]*kubeflow.ReplicaStatus{"Worker": {Succeeded: 1}}
		}, []string{"at its end"}},
		"in a queue of Kueue": {func(j *job) { j.Labels[kind.QueueOfKueue] = "team" }, []string{"ManagedElsewhere"}},
		"servers alone":       {func(j *job) { delete(j.Spec.TFReplicaSpecs, "Worker") }, []string{"NoWorkers"}},
		"two chiefs": {func(j *job) { j.Spec.TFReplicaSpecs["Chief"] = replicaSpec(2, "tensorflow") },
			[]string{"MasterNotOne"}},
		"no retries": {
			func(j *job) { j.Spec.RunPolicy.BackoffLimit = new(int32(0)) }, []string{"only cold: BackoffLimitZero"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			checked(t, c.want, tfJob{}.Read(tensorflow(c.change)))
		})
	}
}

func sentences(t *testing.T, all []kind.Objection) {
	t.Helper()
	for _, o := range all {
		if !strings.HasSuffix(o.Message, ".") || strings.Contains(o.Message, "%!") {
			t.Errorf("%s: %q is no sentence.", o.Reason, o.Message)
		}
	}
}

// checked fails the test unless a job has these objections, and those to resizing it while it trains make it
// one that is resized by a restart.
func checked(t *testing.T, want []string, j kind.Job) {
	t.Helper()
	got := reasons(j.Objections)
	for _, reason := range reasons(j.OnlyCold) {
		got = append(got, "only cold: "+reason)
	}
	if j.AtItsEnd != "" {
		got = append(got, "at its end")
	}
	same(t, want, got)
	sentences(t, append(j.Objections, j.OnlyCold...))
	if len(j.OnlyCold) > 0 && (j.Mode != resize.Cold || j.Floor+j.Ceiling > 0) {
		t.Errorf("it is resized %s, from %d to %d", j.Mode, j.Floor, j.Ceiling)
	}
}

// The first time that a job is suspended, what its running workers cannot be told is set right: from then on
// it is resized while it trains.
func TestTheFirstRestartMendsWhatIsMendable(t *testing.T) {
	for name, spoil := range map[string]func(*kubeflow.PyTorchJob){
		"restarts": func(p *kubeflow.PyTorchJob) { p.Spec.ElasticPolicy.MaxRestarts = nil },
		"exit code": func(p *kubeflow.PyTorchJob) {
			p.Spec.PyTorchReplicaSpecs["Worker"].RestartPolicy = kubeflow.RestartPolicyExitCode
		},
		"never": func(p *kubeflow.PyTorchJob) {
			p.Spec.PyTorchReplicaSpecs["Worker"].RestartPolicy = kubeflow.RestartPolicyNever
		},
		"range": func(p *kubeflow.PyTorchJob) {
			p.Spec.ElasticPolicy.MinReplicas, p.Spec.ElasticPolicy.MaxReplicas = nil, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := pytorch(spoil)
			same(t, resize.Cold, pytorchJob{}.Read(p).Mode)
			p = resized(t, p, resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 2, Suspended: true, At: asked}, target)
			if j := (pytorchJob{}).Read(p); j.Mode != resize.Live || len(j.OnlyCold) > 0 {
				t.Errorf("suspended: it is resized %s: %v", j.Mode, j.OnlyCold)
			}
			j := pytorchJob{}.Read(resized(t, p, forward(3), target))
			same(t, shape{Size: 3, Least: 1, Most: 8, Floor: 1, Ceiling: 8, Mode: resize.Live}, shapeOf(j))
			same(t, 0, len(j.OnlyCold))
		})
	}
	j := tensorflow(func(j *kubeflow.TFJob) {
		j.Spec.TFReplicaSpecs["Worker"].RestartPolicy = kubeflow.RestartPolicyExitCode
	})
	same(t, resize.Cold, tfJob{}.Read(j).Mode)
	j.Spec.RunPolicy.Suspend = new(true)
	patch, err := (tfJob{}).Patch(j, forward(2), target)
	if err != nil {
		t.Fatal(err)
	}
	same(t, resize.Live, tfJob{}.Read(patched(t, j, patch, &kubeflow.TFJob{})).Mode)
}

// What the command says stays, and the job is resized by restarts for good.
func TestWhatNobodyMendsMakesEveryResizeCold(t *testing.T) {
	p := pytorch(func(p *kubeflow.PyTorchJob) { p.Spec.RunPolicy.BackoffLimit = new(int32(0)) })
	p = resized(t, p, resize.Ask{Epoch: 7, Stage: resize.Forward, Workers: 2, Suspended: true, At: asked}, target)
	same(t, resize.Cold, pytorchJob{}.Read(resized(t, p, forward(3), target)).Mode)
}

func TestARangeInTheCommandBoundsTheJob(t *testing.T) {
	p := pytorch(func(p *kubeflow.PyTorchJob) {
		p.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[1].Command = []string{
			"torchrun", "--nnodes=2:3", "train.py",
		}
	})
	same(t, shape{Size: 2, Least: 1, Most: 4, Floor: 2, Ceiling: 3, Mode: resize.Live}, shapeOf(pytorchJob{}.Read(p)))
	p.Spec.RunPolicy.Suspend = new(true)
	same(t, shape{Size: 2, Least: 1, Most: 4, Floor: 2, Ceiling: 3, Mode: resize.Live, Suspended: true},
		shapeOf(pytorchJob{}.Read(p)))
}
