package kubeflow

import (
	"testing"

	kubeflow "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/takt-dev/takt/operator/kind"
	"github.com/takt-dev/takt/operator/wrapping"
)

// Who comes too late for the last call costs all others a restart. It is short only while the agent lets all in at the
// same moment, and where nobody else says anything of it.
func TestTheLastCallIsShortWithTheAgent(t *testing.T) {
	type job = kubeflow.PyTorchJob
	container := func(p *job) *corev1.Container {
		return &p.Spec.PyTorchReplicaSpecs["Worker"].Template.Spec.Containers[1]
	}
	begun := resized(t, pytorch(suspendedJob), forward(2), wrappingTarget)
	stopped := forward(2)
	stopped.Suspended = true
	without := wrappingTarget
	without.Agent = wrapping.Intent{}
	faulty := wrappingTarget
	faulty.Agent = wrapping.Intent{Fault: "ImagePullBackOff"}
	short, longer := lastCallOf("2"), []kubeflow.RDZVConf{{Key: "join_timeout", Value: "900"}}
	set := func(conf []kubeflow.RDZVConf) *job {
		p := resized(t, begun, stopped, without)
		p.Spec.ElasticPolicy.RDZVConf = conf
		return p
	}
	for name, test := range map[string]struct {
		after *job
		want  []kubeflow.RDZVConf
		noted string
	}{
		"a start with the agent":  {begun, short, "2"},
		"a growth":                {resized(t, begun, forward(4), wrappingTarget), short, "2"},
		"a growth once it is off": {resized(t, begun, forward(4), without), short, "2"},
		"a stop":                  {resized(t, begun, stopped, without), short, "2"},
		"a restart": {
			resized(t, resized(t, begun, stopped, without), forward(4), wrappingTarget), short, "2",
		},
		"a restart once it is off":  {resized(t, resized(t, begun, stopped, without), forward(4), without), nil, ""},
		"it cannot be installed":    {resized(t, begun, forward(2), faulty), nil, ""},
		"a start without the agent": {resized(t, pytorch(suspendedJob), forward(2), without), nil, ""},
		"a growth of one without":   {resized(t, pytorch(), forward(4), wrappingTarget), nil, ""},
		"another length of an older one": {resized(t, func() *job {
			p := set(lastCallOf("5"))
			p.Annotations[kind.LastCallAnnotation] = "5"
			return p
		}(), forward(4), wrappingTarget), short, "2"},
		"somebody has set another since":                {resized(t, set(longer), forward(4), wrappingTarget), longer, ""},
		"somebody has set another since, and it is off": {resized(t, set(longer), forward(4), without), longer, ""},
		"the user has set the same": {resized(t, pytorch(suspendedJob, func(p *job) {
			p.Spec.ElasticPolicy.RDZVConf = short
		}), forward(2), without), short, ""},
		"what the environment says of it": {resized(t, pytorch(suspendedJob, func(p *job) {
			container(p).Env = append(container(p).Env, corev1.EnvVar{Name: "PET_RDZV_CONF", Value: "timeout=900"})
		}), forward(2), wrappingTarget), nil, ""},
		"what the command says of it": {resized(t, pytorch(suspendedJob, func(p *job) {
			container(p).Command = []string{"torchrun", "--rdzv_conf", "timeout=900", "train.py"}
		}), forward(2), wrappingTarget), nil, ""},
		"a rendezvous at etcd": {resized(t, pytorch(suspendedJob, func(p *job) {
			p.Spec.ElasticPolicy.RDZVBackend = new(kubeflow.BackendETCDV2)
		}), forward(2), wrappingTarget), nil, ""},
		"a container without a command": {resized(t, pytorch(suspendedJob, func(p *job) {
			container(p).Command = nil
		}), forward(2), wrappingTarget), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, test.want, test.after.Spec.ElasticPolicy.RDZVConf)
			same(t, test.noted, test.after.Annotations[kind.LastCallAnnotation])
		})
	}
}

// Takt takes back what it has written, and nothing else.
func TestReleaseTakesBackTheLastCall(t *testing.T) {
	begun := resized(t, pytorch(suspendedJob), forward(2), wrappingTarget)
	changed := begun.DeepCopy()
	changed.Spec.ElasticPolicy.RDZVConf = lastCallOf("20")
	for name, test := range map[string]struct {
		job  *kubeflow.PyTorchJob
		want []kubeflow.RDZVConf
	}{"its own": {begun, nil}, "what somebody has set since": {changed, lastCallOf("20")}} {
		t.Run(name, func(t *testing.T) {
			patch, err := pytorchJob{}.Release(test.job, kind.Release{At: ended})
			if err != nil {
				t.Fatal(err)
			}
			free := patched(t, test.job, patch, &kubeflow.PyTorchJob{})
			same(t, test.want, free.Spec.ElasticPolicy.RDZVConf)
			if _, left := free.Annotations[kind.LastCallAnnotation]; left {
				t.Error("the job says still that Takt has set it")
			}
		})
	}
}
